"""What one handle keeps between its calls, for speed alone: all of it is checked against the disk first."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.flows.reading.hot import HotMemories
from gitmem.git.trees import KeptTrees

if TYPE_CHECKING:
    from gitmem.flows.reading.sight import SeenWorktree
    from gitmem.index.content import IndexContent
    from gitmem.index.pool import IndexPool
    from gitmem.index.version_content import VersionContent
    from gitmem.versions.lifetimes import KeptLifetimes

_PAST_INDEXES = 2
"""So many indexes of versions are kept open: that of the branch, and one of another branch."""
_shared: dict[str, Kept] | None = None


def share_between_handles() -> None:
    """Lets handles on one repository keep in common, for a process that opens one for each question."""
    global _shared
    _shared = {}


def kept_for(git_dir: Path) -> Kept:
    """What a new handle on the repository at `git_dir` keeps."""
    return Kept() if _shared is None else _shared.setdefault(str(git_dir), Kept())


def drop_shared() -> None:
    """Gives back what handles keep in common."""
    for kept in list((_shared or {}).values()):
        kept.close()


class Kept:
    """Opened indexes, memories and trees read lately, and what the worktree was like when last looked at.

    Of the past: the opened index of versions, and from when to when each version lived.
    """

    def __init__(self) -> None:
        self.memories = HotMemories()
        self.trees = KeptTrees()
        self.worktree: SeenWorktree | None = None

    @cached_property
    def indexes(self) -> IndexPool[IndexContent]:
        """The opened indexes; a handle that only writes never imports Whoosh for them."""
        from gitmem.index.pool import IndexPool

        return IndexPool()

    @cached_property
    def past_indexes(self) -> IndexPool[VersionContent]:
        """The opened indexes of versions, each of which answers for any commit."""
        from gitmem.index.pool import IndexPool

        return IndexPool(_PAST_INDEXES)

    @cached_property
    def lifetimes(self) -> KeptLifetimes:
        """The lifetimes of versions, which say what a commit has."""
        from gitmem.versions.lifetimes import KeptLifetimes

        return KeptLifetimes()

    def let_go_of_changed_past(self) -> None:
        """Gives back an index of versions that is not the one on the disk any more.

        Otherwise it would stay, with what was forgotten since, until somebody asks for the past again.
        """
        if "past_indexes" in vars(self):
            from gitmem.index.place import IndexPlace

            self.past_indexes.close_unless(lambda place, state: IndexPlace(Path(place)).state() == state)

    def close(self) -> None:
        """Gives all files back; may be repeated, and what is asked later is kept again."""
        self.worktree = None
        self.memories.clear()
        self.trees.clear()
        if "indexes" in vars(self):
            self.indexes.close()
        if "past_indexes" in vars(self):
            self.past_indexes.close()
        if "lifetimes" in vars(self):
            self.lifetimes.clear()
