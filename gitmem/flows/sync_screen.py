"""What was fetched is judged before anything is merged: what is blocked goes again, and is told."""

from __future__ import annotations

from gitmem.errors import Refused
from gitmem.flows.screen_incoming import came_with
from gitmem.flows.screening import Screening
from gitmem.flows.syncing import Syncing
from gitmem.git.unfetch import TakenBack, take_back
from gitmem.privacy.wording import placed


def screen_fetched(state: Syncing) -> None:
    """Raises `Refused` where a branch brings what is blocked; then all that was fetched was taken back."""
    place = state.work.place
    screening = Screening(place)
    if not screening.is_needed:
        return
    for branch, theirs in state.theirs.items():
        known = [tip for name in (branch, state.main) if (tip := place.repository.local_tip(name))]
        blocked = came_with(screening, theirs, [place.commit_named(tip) for tip in known]).blocked
        if blocked:
            revision = state.revision(branch)
            raise Refused(
                f"{revision} brings {placed(blocked)}: nothing was merged, {_said(_taken_back(state))}",
                hint=f"it has to leave the history of {state.remote} first; "
                "'gitmem scan --history' where it was written lists all",
            )


def _taken_back(state: Syncing) -> TakenBack | None:
    """What of the fetch could be removed again; None where all of it was here before this sync."""
    moved = {
        branch: (state.before[branch], str(tip))
        for branch, tip in state.theirs.items()
        if branch in state.before and state.before[branch] != tip
    }
    return take_back(state.work.place.repository, state.remote, moved) if moved else None


def _said(taken: TakenBack | None) -> str:
    if taken is None:
        return "and what an earlier fetch brought stays until 'git remote prune' and 'git gc --prune=now'"
    if taken.left:
        return f"what was fetched is gone but for {taken.left} objects in a pack, until 'git gc --prune=now'"
    return "and what was fetched is gone again"
