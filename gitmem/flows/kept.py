"""What one handle keeps between its calls, for speed alone: all of it is checked against the disk first."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gitmem.flows.edits import SeenWorktree
    from gitmem.index.pool import IndexPool


class Kept:
    """Opened indexes, and what the worktree looked like when it was last looked at."""

    def __init__(self) -> None:
        self.worktree: SeenWorktree | None = None

    @cached_property
    def indexes(self) -> IndexPool:
        """The opened indexes; a handle that only writes never imports Whoosh for them."""
        from gitmem.index.pool import IndexPool

        return IndexPool()

    def close(self) -> None:
        """Gives all files back; may be repeated, and what is asked later is kept again."""
        self.worktree = None
        if "indexes" in vars(self):
            self.indexes.close()
