"""What stands at the door of every write, once its plans are made: rights, obstacles, what was forgotten."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.flows.apart import refuse_without_right
from gitmem.flows.forgotten import refuse_forgotten
from gitmem.flows.refusals import refuse_obstacles
from gitmem.git.repository import Worktree
from gitmem.model.change import Plan
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot


def admit(place: Place, branch: str, snapshot: Snapshot, plans: Sequence[Plan], *, is_final: bool) -> None:
    """Raises what stands against carrying out `plans` on `snapshot`, the whole of `branch` as it is.

    `Refused` where whoever acts has no right to it, or where it was forgotten; `Conflict` or `HandEdit` for
    what is in the way in a worktree, which may be gone a moment later unless `is_final`.
    """
    refuse_without_right(place, branch, snapshot, plans)
    refuse_obstacles(place.whole, snapshot, plans, worktrees_on(place.whole, branch), is_final=is_final)
    refuse_forgotten(place.whole, plans)


def worktrees_on(place: Place, branch: str) -> list[Worktree]:
    """The worktrees that have the branch checked out."""
    return [tree for tree in place.repository.worktrees() if tree.branch == branch]
