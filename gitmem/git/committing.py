"""Whether a hook that runs before a commit is made called this: that commit fails where its branch moves."""

from __future__ import annotations

from pathlib import Path

from gitmem.git.repository import Repository
from gitmem.platform import command_lines_above
from gitmem.surroundings import environ, in_folder

_BEFORE = frozenset({b"pre-commit", b"prepare-commit-msg", b"commit-msg", b"pre-merge-commit"})


def hook_before_commit(repo: Repository, branch: str) -> str | None:
    """The hook of a `git commit` on `branch` that waits for this process to end; None where there is none.

    Told by the index that git names to its hooks, and by the processes above this one where they are known.
    """
    index = environ().get("GIT_INDEX_FILE")
    if not index:
        return None
    folder = in_folder(Path(index)).resolve().parent
    if not any(tree.branch == branch and Path(tree.git_dir).resolve() == folder for tree in repo.worktrees()):
        return None
    for line in command_lines_above():
        for word in line.split(b"\0")[:4]:
            name = word.rpartition(b"/")[2]
            if name in _BEFORE:
                return name.decode("ascii")
    return None
