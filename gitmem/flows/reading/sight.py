"""What a read sees beside what is committed: edits, how they are marked, and what is not shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from gitmem.model.ids import CommitId, MemoryId, id_key
from gitmem.model.memory import Memory

if TYPE_CHECKING:
    from gitmem.git.worktree_state import WorktreeState


class Edit(Struct, frozen=True):
    """One memory file that differs from the head of its branch: `added`, `changed` or `removed`.

    `memory` is the file as it is in the worktree; None where it was removed. `standing` says where the edit
    stands, if it is not in the worktree.
    """

    path: str
    kind: str
    id: MemoryId
    title: str
    memory: Memory | None = None
    standing: str = ""

    @property
    def label(self) -> str:
        """How the edit is marked where it is shown."""
        if self.standing:
            return f"{self.standing} to be archived" if self.memory is None else self.standing
        return "removed, not committed" if self.kind == "removed" else f"{self.kind}, not committed"


class Sight(Struct, frozen=True):
    """The edits that a read shows, and a note where looking is too dear."""

    edits: Sequence[Edit] = ()
    notes: tuple[str, ...] = ()
    hidden: Sequence[str] = ()
    """The paths of memories that are not shown."""

    @property
    def memories(self) -> list[Memory]:
        """The edited files as they are in the worktree."""
        return [edit.memory for edit in self.edits if edit.memory is not None]

    @property
    def gone(self) -> list[str]:
        """The paths of memories that are hidden, or were moved elsewhere and stand there as an edit."""
        ids = {id_key(memory.id) for memory in self.memories}
        return [*self.hidden] + [
            edit.path for edit in self.edits if edit.memory is None and id_key(edit.id) in ids
        ]

    def labels(self, path: str) -> tuple[str, ...]:
        """How the memory at `path` is marked."""
        return tuple(edit.label for edit in self.edits if edit.path == path)


class SeenWorktree(Struct, frozen=True):
    """The worktree as it was seen beside a commit, and what a read showed of it."""

    commit: CommitId | None
    state: WorktreeState
    sight: Sight = field(default_factory=Sight)

    def is_same(self, other: SeenWorktree | None) -> bool:
        return other is not None and other.commit == self.commit and other.state.is_same(self.state)
