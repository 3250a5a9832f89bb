"""Worktrees without files that are gone from history: git's index, and the files themselves.

What a person staged or edited in other files stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from gitmem.errors import OutsideFailure
from gitmem.git.beneath import link_on_the_way
from gitmem.git.environment import run_git
from gitmem.git.repository import Repository
from gitmem.git.trees import decode_path, encode_path
from gitmem.git.worktrees import Worktree

Replaced = Callable[[str, str], str | None]
"""The blob that belongs to a path instead of a blob; None where it is gone."""


def staged(repo: Repository, worktree: Worktree) -> Iterator[tuple[str, str, str, str]]:
    """Mode, blob, stage and path of every entry of the index."""
    lines = _git(repo, worktree, ["ls-files", "-s", "-z"])
    for line in lines.split(b"\0"):
        head, tab, path = line.partition(b"\t")
        if tab:
            mode, oid, stage = head.decode("ascii").split(" ")
            yield mode, oid, stage, decode_path(path)


def clean_index(repo: Repository, worktree: Worktree, replaced: Replaced) -> int:
    """Takes out of the index what is gone, puts what was replaced; how many entries changed."""
    if not (worktree.git_dir / "index").exists():
        return 0
    lines = []
    for mode, oid, stage, path in staged(repo, worktree):
        new = replaced(path, oid)
        if new == oid:
            continue
        raw = encode_path(path)
        if new is None:
            lines.append(b"0 %b\t%b\0" % (b"0" * 40, raw))
        else:
            lines.append(b"%b %b %b\t%b\0" % (mode.encode(), new.encode(), stage.encode(), raw))
    if lines:
        _git(repo, worktree, ["update-index", "-z", "--index-info"], b"".join(lines))
    shared = list(worktree.git_dir.glob("sharedindex.*"))
    options = ["--no-split-index"] if shared else []
    _git(repo, worktree, ["update-index", *options, "--clear-resolve-undo"])
    with suppress(OutsideFailure):
        # Names of folders that are gone stay in what the index knows of trees, until that is made again.
        _git(repo, worktree, ["write-tree"])
    for file in shared:
        # The old entries stand in it; git makes another one where its config wants it.
        file.unlink(missing_ok=True)
    return len(lines)


def remove_file(worktree: Worktree, path: str) -> bool:
    """Removes a file, and the folders that get empty; whether it was there. Follows no link."""
    if link_on_the_way(worktree.path, path.rpartition("/")[0] or ".") is not None:
        return False
    file = worktree.path / path
    try:
        file.unlink()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        return False
    with suppress(OSError):
        for folder in Path(path).parents:
            if folder != Path():
                (worktree.path / folder).rmdir()
    return True


def _git(repo: Repository, worktree: Worktree, arguments: list[str], input: bytes | None = None) -> bytes:
    environment = {
        **repo.without_filters(),
        "GIT_DIR": str(worktree.git_dir),
        "GIT_WORK_TREE": str(worktree.path),
    }
    return run_git(arguments, cwd=worktree.path, input=input, extra_env=environment, timeout_seconds=600)
