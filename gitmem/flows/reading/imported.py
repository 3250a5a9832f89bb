"""What an import wrote last, as the history of the branch tells."""

from __future__ import annotations

from gitmem.flows.work import Work
from gitmem.model.change import trailers_of
from gitmem.versions.snapshot import Snapshot


def bases_of(work: Work, snapshot: Snapshot, operation: str) -> dict[str, str]:
    """Path to the blob that the newest `operation` wrote there; renames since are not followed.

    Of a commit at the border of a shallow clone nobody can tell what it wrote, and what was there before.
    """
    found: dict[str, str] = {}
    if snapshot.commit is None:
        return found
    repository = work.place.repository
    border = repository.shallow_commits()
    for commit in repository.first_parents(snapshot.commit):
        if commit.id in border or trailers_of(commit.message).get("Operation") != [operation]:
            continue
        for change in repository.diff_trees(commit.parents[0] if commit.parents else None, commit.id):
            if change.new is not None:
                found.setdefault(change.path, change.new.oid)
    return found
