"""What stands in the way of a write: git at work, edits, filters, another repository. Nothing is written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import Busy, Conflict, Refused, StoreProblem, UnsupportedRepository
from gitmem.git.committing import hook_before_commit
from gitmem.git.index_map import map_file
from gitmem.git.repository import Worktree
from gitmem.git.trees import decode_path, encode_path
from gitmem.git.unmerged import may_be_unmerged, unmerged_paths
from gitmem.git.worktrees import operation_in_progress
from gitmem.model.change import FileWrite, Plan
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.git.conversion import Conversion


class HandEdit(Conflict):
    """A file of the plan holds what no commit has, or another writer is just about to write it."""


def refuse_during_rebase(place: Place, branch: str) -> None:
    """Raises `Busy` while git is at work on `branch` with something that it could not end if it moved."""
    operation = "rebase" if branch in place.repository.rebasing_branches() else None
    operation = operation or place.repository.rewinding_operation(branch)
    if operation:
        raise Busy(
            f"a {operation} on {branch} is in progress, so nothing was written",
            hint=f"finish it with 'git {operation} --continue' or '--abort', then repeat the command",
        )
    hook = hook_before_commit(place.repository, branch)
    if hook:
        raise Busy(
            f"git is making a commit on {branch}, which would fail if {branch} moved, and its hook {hook} "
            "called this, so nothing was written",
            hint="call it in post-commit, or after 'git commit'",
        )


def refuse_lost_way_back(place: Place) -> None:
    """Raises `UnsupportedRepository` where git would not find the store from the folder of the files."""
    repository = place.repository
    if repository.worktree is None or (repository.worktree / ".git").exists():
        return
    if repository.config("core.worktree") is None:
        raise UnsupportedRepository(
            f"{repository.git_dir}: core.bare is false, but no files belong to it, so nothing was written",
            hint=f"git config -f {repository.git_dir / 'config'} core.bare true",
        )
    raise UnsupportedRepository(
        f"{repository.worktree}: core.worktree puts the files there, but no .git leads back to "
        f"{repository.git_dir}, so nothing was written",
        hint=f"make it a file with the line: gitdir: {repository.git_dir}",
    )


def refuse_nested(write: FileWrite, worktree: Worktree) -> None:
    """Raises `Refused` where a new file would lie in another repository, whose commands may remove it."""
    folder = Path(worktree.path)
    for part in write.path.split("/")[:-1] if write.old is None else ():
        folder = folder / part
        if os.path.lexists(folder / ".git"):
            raise Refused(
                f"{write.path}: {folder} is a git repository of its own, so nothing was written",
                hint="choose another path or namespace",
            )


def refuse_filters(place: Place, plans: Sequence[Plan]) -> None:
    """Raises `UnsupportedRepository` where a program stands between a file of a plan and its blob."""
    repository = place.repository
    attribute = repository.attribute if repository.worktree is None else repository.attributes().get
    for write in (write for plan in plans for write in plan.writes):
        for name in ("filter", "working-tree-encoding"):
            value = attribute(write.path, name)
            if isinstance(value, str) and value:
                raise UnsupportedRepository(
                    f"{write.path}: git attribute {name}={value} would be bypassed, so nothing was written",
                    hint="exempt memories from it in .gitattributes",
                )


def refuse_unmerged(common_dir: Path, worktree: Worktree, paths: Iterable[str]) -> None:
    """Raises `Conflict` where a file of `paths` waits to be merged: what settles it would undo the write.

    A squashed merge or a stash that clashed leaves no other trace than such files.
    """
    wanted = {encode_path(path) for path in paths}
    known = map_file(common_dir, worktree.git_dir)
    if not may_be_unmerged(worktree.git_dir, known, wanted):
        return
    unmerged = wanted & unmerged_paths(worktree.path)
    if unmerged:
        raise in_the_middle(decode_path(min(unmerged)), worktree.git_dir, worktree.path)


def in_the_middle(path: str, git_dir: Path, top: Path) -> Conflict:
    """What to raise for a file that waits to be merged."""
    return Conflict(
        f"{path}: is in the middle of a {operation_in_progress(git_dir) or 'merge'} in {top}",
        hint=f"settle it, then 'git add {path}' and 'git commit', and repeat the command",
    )


def refuse_hand_edit(
    place: Place, worktree: Worktree, write: FileWrite, rules_of: Callable[[Path], Conversion]
) -> None:
    """Raises `HandEdit` where the file in `worktree`, read by its rules, holds what no commit has."""
    file = Path(worktree.path) / write.path
    if write.old is None:
        if file.is_symlink() or file.exists():
            raise HandEdit(
                f"{write.path}: a file that is not committed stands there in {worktree.path}",
                hint="commit or move it, then repeat the command",
            )
        return
    if not file.exists() and not file.is_symlink():
        if place.repository.is_sparse():
            return
        raise HandEdit(
            f"{write.path}: deleted in {worktree.path} but not committed",
            hint="commit the deletion or restore the file, then repeat the command",
        )
    if not file.is_symlink() and not os.access(file, os.R_OK):
        raise HandEdit(
            f"{write.path}: this user may not read it in {worktree.path}, so nothing was written",
            hint="'chmod u+r' gives its owner that right; then repeat the command",
        )
    rules = rules_of(worktree.path)
    if file.is_symlink() or not place.repository.same_as_blob(worktree.path, write.path, write.old, rules):
        raise HandEdit(
            f"{write.path}: has an edit in {worktree.path} that is not committed",
            hint="commit it or take it back, then repeat the command",
        )


def refuse_obstacles(
    place: Place, snapshot: Snapshot, plans: Sequence[Plan], worktrees: Sequence[Worktree], *, is_final: bool
) -> None:
    """Raises what stands in the way of the plans; edits by hand only if this `is_final`."""
    refuse_filters(place, plans)
    # Read from git's config once, where a file is looked at at all, and not for each of thousands.
    rules_of = cache(place.repository.conversion)
    for plan in plans:
        for worktree in worktrees:
            refuse_unmerged(place.repository.common_dir, worktree, (write.path for write in plan.writes))
        for write in plan.writes:
            _check_unchanged(snapshot, write)
            for worktree in worktrees if is_final else ():
                refuse_nested(write, worktree)
                refuse_hand_edit(place, worktree, write, rules_of)


def _check_unchanged(snapshot: Snapshot, write: FileWrite) -> None:
    current = snapshot.blob(write.path)
    if current != write.old:
        raise StoreProblem(f"{write.path}: not the file the plan was made for")
    if write.old is None and snapshot.occupied(write.path):
        raise Refused(f"{write.path}: something that is not a regular file stands there")
