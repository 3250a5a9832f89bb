"""The worktrees of a repository, what each has checked out, and what git is in the middle of there."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.git.beneath import read_regular
from gitmem.git.refs import read_head

_MAX_POINTER_BYTES = 64 * 1024


class Worktree(Struct, frozen=True):
    """A folder of checked-out files, its own git directory, and the branch, None when detached."""

    path: Path
    git_dir: Path
    branch: str | None


def list_worktrees(main: Path | None, common_dir: Path) -> list[Worktree]:
    """The main worktree `main`, unless bare, and the linked ones whose folder is there."""
    found: list[Worktree] = []
    if main is not None:
        found.append(Worktree(main, common_dir, read_head(common_dir)[0]))
    return found + linked_worktrees(common_dir)


def linked_worktrees(common_dir: Path) -> list[Worktree]:
    """The worktrees made with `git worktree add` whose folder is there, sorted by their git's name."""
    folder = common_dir / "worktrees"
    try:
        git_dirs = [] if folder.is_symlink() else sorted(folder.iterdir())
    except OSError:
        return []
    found = []
    for git_dir in git_dirs:
        # Relative since git 2.48 with worktree.useRelativePaths.
        pointer = _path_in(git_dir / "gitdir", "")
        if pointer is not None and not git_dir.is_symlink() and _is_pointer_to(pointer, git_dir):
            found.append(Worktree(pointer.parent, git_dir, read_head(git_dir)[0]))
    return found


def _is_pointer_to(pointer: Path, git_dir: Path) -> bool:
    """Whether the `.git` file of a worktree names `git_dir`: else it is another repository's."""
    named = _path_in(pointer, "gitdir: ")
    try:
        return named is not None and named.samefile(git_dir)
    except OSError:
        return False


def _path_in(file: Path, label: str) -> Path | None:
    """The path that a file of git holds behind `label`, links resolved; None where it holds none."""
    try:
        text = (read_regular(file, max_bytes=_MAX_POINTER_BYTES) or b"").decode("utf-8", "surrogateescape")
    except OSError:
        return None
    path = text.rstrip("\r\n")
    if not path.startswith(label) or not path.removeprefix(label) or "\0" in path:
        return None
    return Path(os.path.realpath(file.parent / path.removeprefix(label)))


def operation_in_progress(git_dir: Path) -> str | None:
    """What git is in the middle of in the worktree of `git_dir`, by the name of its command."""
    if (git_dir / "rebase-merge").is_dir():
        return "rebase"
    if (git_dir / "rebase-apply").is_dir():
        return "am" if (git_dir / "rebase-apply" / "applying").exists() else "rebase"
    for name, operation in (
        ("MERGE_HEAD", "merge"),
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
    ):
        if (git_dir / name).exists():
            return operation
    sequence = _first_word(git_dir / "sequencer" / "todo")
    if sequence:
        return "revert" if sequence == "revert" else "cherry-pick"
    return "bisect" if (git_dir / "BISECT_LOG").exists() else None


def rebasing_branches(git_dirs: Sequence[Path]) -> list[str]:
    """The branches that a rebase will put back when it ends; HEAD is detached until then."""
    found = []
    for git_dir in git_dirs:
        for folder in ("rebase-merge", "rebase-apply"):
            name = _first_word(git_dir / folder / "head-name")
            if name and name.startswith("refs/heads/"):
                found.append(name.removeprefix("refs/heads/"))
    return found


def operation_that_rewinds(git_dir: Path) -> str | None:
    """The series of commits in the worktree of `git_dir` that `--abort` takes back only from an unmoved HEAD.

    If HEAD has moved since, git leaves the half-merged files as they are and ends the operation.
    """
    if (git_dir / "rebase-apply" / "abort-safety").exists():
        return "am"
    if (git_dir / "sequencer" / "abort-safety").exists():
        return operation_in_progress(git_dir) or "cherry-pick"
    return None


def _first_word(file: Path) -> str | None:
    try:
        words = (read_regular(file) or b"").decode("utf-8", "surrogateescape").split()
    except OSError:
        return None
    return words[0] if words else None
