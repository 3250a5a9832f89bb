"""What policies look at: the facts of one memory at one moment."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gitmem.lifecycle.strength import strength
from gitmem.model.ids import BlobId, MemoryId, id_key
from gitmem.model.memory import DEFAULT_IMPORTANCE, MemoryType


@dataclass(frozen=True)
class Life:
    """One memory as it stands on `branch`: how old, how long unused, how much it is worth.

    `idle_days` since it was last changed, recalled or shown; `age_days` since `created`, None where it has no
    date. `ended_days` since its session ended, None where that is not known. `superseded_by` is a memory that
    says so; `is_superseded` is true where one does, or its own status. `in_the_way` says why it must stay as
    it is, whatever the policies say: an edit that is not committed.
    """

    id: MemoryId
    path: str
    blob: BlobId
    title: str
    type: MemoryType
    branch: str
    idle_days: float
    namespace: str = ""
    tags: tuple[str, ...] = ()
    created: str | None = None
    subject: str | None = None
    importance: float = DEFAULT_IMPORTANCE
    age_days: float | None = None
    ended_days: float | None = None
    uses: float = 0.0
    confirmed: float = 0.0
    is_pinned: bool = False
    is_superseded: bool = False
    superseded_by: str | None = None
    is_expired: bool = False
    is_summary: bool = False
    in_the_way: str | None = None

    @cached_property
    def strength(self) -> float:
        """How alive it is, 0 to 1."""
        return strength(
            memory_type=self.type,
            importance=self.importance,
            idle_days=self.idle_days,
            uses=self.uses,
            confirmed=self.confirmed,
            is_pinned=self.is_pinned,
        )

    @property
    def key(self) -> str:
        """Its id as it is compared."""
        return id_key(self.id)
