"""How far the search indexes are behind their branches."""

from __future__ import annotations

from datetime import datetime

from gitmem.flows.reading.indexed import index_of
from gitmem.flows.wellbeing.measures import IndexLag
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.versions.place import Place


def lag_of(work: Work, now: datetime) -> IndexLag | None:
    """How far the index of the branch is behind; None where the branch has no commit. Changes nothing."""
    place = work.place.whole
    tip = place.tip(work.branch)
    if tip is None:
        return None
    stamp = index_of(work).stamp()
    if stamp is None or stamp == tip:
        return IndexLag(work.branch, stamp, 0, 0.0)
    missing = _commits_after(place, stamp, tip)
    waiting = min((place.repository.commit(each).committer_time for each in missing), default=now)
    return IndexLag(work.branch, stamp, len(missing), max(0.0, (now - waiting).total_seconds()))


def _commits_after(place: Place, stamp: CommitId, tip: CommitId) -> list[str]:
    """The first-parent commits that lead from what the index shows to the tip.

    Where the branch was rewritten they begin at the last commit that both have.
    """
    repository = place.repository
    found = []
    for commit in repository.first_parents(tip):
        if commit.id == stamp or repository.is_ancestor(commit.id, stamp):
            break
        found.append(commit.id)
    return found
