"""What stands at the door of every write, once its plans are made: rights, what was forgotten, obstacles."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.flows.forgetting.forgotten import refuse_forgotten
from gitmem.flows.rights.apart import refuse_without_right
from gitmem.flows.writing.refusals import refuse_obstacles
from gitmem.flows.writing.sealing import sealed_plan
from gitmem.git.repository import Worktree
from gitmem.model.change import Plan
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot


def admitted(
    place: Place, branch: str, snapshot: Snapshot, plans: Sequence[Plan], *, is_final: bool
) -> list[Plan]:
    """The plans as they are carried out on `snapshot`, the whole of `branch`: encrypted where need be.

    Raises `Refused` where whoever acts has no right to it, or it was forgotten; `Conflict` or `HandEdit` for
    what is in the way in a worktree, which may be gone a moment later unless `is_final`.
    """
    whole = place.whole
    refuse_without_right(place, branch, snapshot, plans)
    refuse_forgotten(whole, plans)
    sealed = [sealed_plan(whole, snapshot, plan) for plan in plans]
    refuse_obstacles(whole, snapshot, sealed, worktrees_on(whole, branch), is_final=is_final)
    return sealed


def worktrees_on(place: Place, branch: str) -> list[Worktree]:
    """The worktrees that have the branch checked out."""
    return [tree for tree in place.repository.worktrees() if tree.branch == branch]
