"""What a write gives back."""

from __future__ import annotations

from msgspec import Struct

from gitmem.evolve.importance import DEFAULT, Weight
from gitmem.model.ids import CommitId, MemoryId


class Judged(Struct, frozen=True):
    """A known memory that a new one contradicts, why, and what became of it.

    `outcome` is `superseded`, `disputed`, or `told`, where both stand as they were.
    """

    id: MemoryId
    path: str
    title: str
    outcome: str
    reason: str

    @property
    def message(self) -> str:
        """One line for whoever wrote the new one."""
        became = {
            "superseded": "it is superseded by this one",
            "disputed": "both are disputed now",
            "told": "both stand as they are",
        }[self.outcome]
        return f"{self.reason}: {became} ({self.path})"


class Written(Struct, frozen=True):
    """A memory as a write left it: `version` is the commit that holds it, for `--expect`.

    `outcome` is `new`; `confirmed`, where the memory was there, and only the count of its confirmations was
    raised; `repeated`, where the same text came earlier in the batch. `weight` tells how much a new memory
    matters, and which rule says so.
    """

    id: MemoryId
    path: str
    title: str
    version: CommitId
    branch: str
    notices: tuple[str, ...] = ()
    replaced: CommitId | None = None
    """The version that this write replaced; None where there was none, or nothing changed."""
    outcome: str = "new"
    confirmed: int = 0
    """How often the memory has been confirmed, where this write did."""
    weight: Weight = DEFAULT
    judged: tuple[Judged, ...] = ()
