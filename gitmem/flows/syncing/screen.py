"""What was fetched is judged before anything is merged: what is blocked goes again, and is told."""

from __future__ import annotations

from gitmem.errors import Refused
from gitmem.flows.screening.incoming import came_with
from gitmem.flows.screening.rules import Screening
from gitmem.flows.syncing.progress import Syncing
from gitmem.git.unfetch import TakenBack, take_back
from gitmem.model.ids import CommitId
from gitmem.privacy.wording import placed


def screen_fetched(state: Syncing) -> None:
    """Raises `Refused` where a branch brings what is blocked; then all that was fetched was taken back.

    What an earlier fetch brought is judged where it is merged.
    """
    repository = state.work.place.repository
    screening = Screening(state.work.place)
    if not screening.is_needed:
        return
    for branch, theirs in state.theirs.items():
        tips = [repository.local_tip(branch), repository.local_tip(state.main), state.before.get(branch)]
        known = [CommitId(tip) for tip in dict.fromkeys(tips) if tip]
        blocked = came_with(screening, theirs, known).blocked
        if blocked:
            said = _said(_taken_back(state))
            raise Refused(
                f"{state.revision(branch)} brings {placed(blocked)}: nothing was merged, {said}",
                hint=f"it has to leave the history of {state.remote} first; "
                "'gitmem scan --history' where it was written lists all",
            )


def _taken_back(state: Syncing) -> TakenBack:
    """Takes back what this sync fetched of all branches."""
    moved = {
        branch: (state.before[branch], str(tip))
        for branch, tip in state.theirs.items()
        if branch in state.before and state.before[branch] != tip
    }
    return take_back(state.work.place.repository, state.remote, moved)


def _said(taken: TakenBack) -> str:
    if taken.left:
        return f"what was fetched is gone but for {taken.left} objects in a pack, until 'git gc --prune=now'"
    return "and what was fetched is gone again"
