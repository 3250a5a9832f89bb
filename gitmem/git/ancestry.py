"""Where two histories meet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gitmem.errors import Damaged
from gitmem.git.environment import run_git
from gitmem.git.objects import LIBGIT2_ERRORS
from gitmem.git.repository import Repository


def merge_bases(repo: Repository, one: str, other: str) -> list[str]:
    """The best common ancestors of two commits, sorted: none, one, or several after a criss-cross merge."""
    try:
        base = repo.raw.merge_base(one, other)
    except LIBGIT2_ERRORS:
        return []
    if base is None:
        return []
    if str(base) in (one, other):
        # One comes before the other, and there is no better ancestor than itself.
        return [str(base)]
    answer = run_git(["merge-base", "--all", one, other], cwd=repo.worktree or repo.git_dir)
    return sorted(answer.decode("ascii").split())


def commits_beyond(repo: Repository, tip: str, known: Sequence[str]) -> Iterator[str]:
    """The commits that `tip` has and none of `known`, newest first. Raises `Damaged` where one is not here."""
    try:
        walk = repo.raw.walk(tip)
        for each in known:
            walk.hide(each)
        for commit in walk:
            yield str(commit.id)
    except LIBGIT2_ERRORS as error:
        raise Damaged(f"the history of {tip} cannot be read: {error}") from error
