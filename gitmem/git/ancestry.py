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


def commits_beyond(repo: Repository, tips: Sequence[str], known: Sequence[str] = ()) -> Iterator[str]:
    """The commits that any of `tips` has and none of `known`, newest first.

    Raises `Damaged` where one is not here.
    """
    try:
        walk = repo.raw.walk(None)
        for each in tips:
            walk.push(each)
        for each in known:
            walk.hide(each)
        for commit in walk:
            yield str(commit.id)
    except LIBGIT2_ERRORS as error:
        raise Damaged(f"the history of {', '.join(tips)} cannot be read: {error}") from error


def all_tips(repo: Repository) -> list[str]:
    """The commits that branches, remote branches, tags and other refs stand at, each once."""
    wanted = "%(objecttype) %(objectname) %(*objecttype) %(*objectname)"
    listed = run_git(["for-each-ref", f"--format={wanted}"], cwd=repo.git_dir).decode("ascii").splitlines()
    tips = []
    for words in (line.split() for line in listed):
        tips += [oid for kind, oid in zip(words[::2], words[1::2], strict=False) if kind == "commit"]
    return list(dict.fromkeys(tips))
