"""What a proposal changes, as values."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from gitmem.model.ids import MemoryId
from gitmem.model.memory import Memory, Status


class ChangeKind(StrEnum):
    """What becomes of a memory. One that is moved may be changed as well."""

    ADDED = "added"
    CHANGED = "changed"
    MOVED = "moved"
    ARCHIVED = "archived"


class MemoryChange(Struct, frozen=True):
    """One memory before and after; `old` is None where it is new, `new` where it is taken off main.

    `key` is the one it has in a merge. `attachments` are the names of those that differ.
    `is_changed_on_main`: main changed it too since the proposal began.
    """

    key: str
    kind: ChangeKind
    old: Memory | None
    new: Memory | None
    attachments: Sequence[str] = ()
    is_changed_on_main: bool = False

    @property
    def memory(self) -> Memory:
        """As it will be, or as it was."""
        found = self.new or self.old
        assert found is not None, "a change has a side"
        return found

    @property
    def id(self) -> MemoryId:
        return self.memory.id

    @property
    def is_disputed(self) -> bool:
        """Whether the proposed text holds several versions that contradict."""
        return self.new is not None and self.new.status is Status.DISPUTED


class ProposalChanges(Struct, frozen=True):
    """The memories that a proposal changes, by kind and path, and the paths of other files.

    `policy` are files below `.gitmem/`: what the store goes by.
    """

    memories: Sequence[MemoryChange] = ()
    files: Sequence[str] = ()
    policy: Sequence[str] = ()

    def count(self, kind: ChangeKind) -> int:
        """How many memories are changed in this way."""
        return sum(1 for change in self.memories if change.kind is kind)
