"""The code repository: what the paths in anchors are paths of, and the commit it is at.

Looked for in this order:
    setting     git config `gitmem.codeRepository`, else `[anchors] repository` of the store's config
    itself      the store's repository, where main holds more than memories: an adopted repository
    beside      another worktree of the store's repository, on a branch that is not gitmem's
    around      the repository that the store's folder lies in
Only objects of git are read, by way of libgit2: no program runs, no file outside of git is opened.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from gitmem.errors import GitmemError
from gitmem.git.repository import Repository
from gitmem.model.memory import MemoryType
from gitmem.model.place import NOT_MEMORIES
from gitmem.versions.place import Place

SETTING = "gitmem.codeRepository"


class Code(Struct, frozen=True):
    """The code repository at the commit that is checked out there."""

    repository: Repository
    commit: str

    @property
    def name(self) -> str:
        """Where it is, for people."""
        return str(self.repository.worktree or self.repository.git_dir)


def find_code(place: Place) -> Code | None:
    """The code repository of the store at `place`; None where there is none, or it has no commit.

    Raises a `GitmemError` where the setting names something that is no repository.
    """
    named = place.repository.config(SETTING) or place.config.code
    if named:
        return _code(Repository.discover(_top(place) / Path(named).expanduser()))
    if _holds_more_than_memories(place):
        return _code(place.repository)
    return _beside(place) or _around(place)


def _top(place: Place) -> Path:
    return place.repository.worktree or place.repository.git_dir


def _code(repository: Repository) -> Code | None:
    commit = repository.head_commit()
    return Code(repository, commit) if commit else None


def _holds_more_than_memories(place: Place) -> bool:
    """Whether the top folder of main has anything but what gitmem puts there, and notes."""
    tip = place.tip(place.main)
    if tip is None:
        return False
    ours = {".gitmem", ".gitattributes", ".gitignore", ".github", *MemoryType}
    names = place.repository.top_names(tip)
    others = [name.casefold() for name in names if name not in ours]
    return any(name not in NOT_MEMORIES and not name.endswith((".md", ".files")) for name in others)


def _beside(place: Place) -> Code | None:
    ours = {place.main, *place.config.branches.values()}
    for tree in place.repository.worktrees():
        if tree.branch not in ours:
            return _code(Repository.discover(tree.path))
    return None


def _around(place: Place) -> Code | None:
    top = place.repository.worktree
    if top is None:
        return None
    try:
        repository = Repository.discover(top.resolve().parent)
    except GitmemError:
        return None
    return None if repository.common_dir == place.repository.common_dir else _code(repository)
