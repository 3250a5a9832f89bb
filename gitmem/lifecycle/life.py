"""What policies look at: the facts of one memory at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from functools import cached_property

from msgspec import Struct

from gitmem.lifecycle.strength import strength
from gitmem.model.ids import BlobId, MemoryId, id_key
from gitmem.model.memory import DEFAULT_IMPORTANCE, Json, MemoryType

CONFIRMED = "confirmed"
"""The header field that counts how often a memory was confirmed."""
_DAY_SECONDS = 86_400.0


class Life(Struct, frozen=True, dict=True):
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


def days_between(earlier: datetime, later: datetime) -> float:
    """In days; 0 where `earlier` is the later one."""
    return max(0.0, (later - earlier).total_seconds() / _DAY_SECONDS)


def idle_days(now: datetime, changed: datetime | None, used: datetime | None) -> float:
    """Days since a memory was last changed or used; 0 where neither is known, or one of them lies ahead."""
    moments = [moment for moment in (changed, used) if moment is not None]
    return days_between(max(moments), now) if moments else 0.0


def confirmations(fields: Mapping[str, Json]) -> float:
    """How often the header says that a memory was confirmed."""
    value = fields.get(CONFIRMED)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return float(value is True)
    return float(value) if value > 0 else 0.0
