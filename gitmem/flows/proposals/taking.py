"""What makes a merge the taking in of a proposal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gitmem.model.change import Plan
from gitmem.model.ids import MemoryId
from gitmem.versions.merge_units import Halves


class Taking(Struct, frozen=True):
    """How the merge that takes in a proposal differs from another.

    `narrow` leaves of what both sides changed what is to be taken. Where that is not all (`is_whole`), the
    other side does not become a parent, so that the rest of it can be merged later.
    """

    operation: str
    subject: str
    narrow: Callable[[Halves], Halves]
    trailers: Sequence[tuple[str, str]]
    is_whole: bool
    operation_id: str
    memory_ids: Sequence[MemoryId]

    def of(self, plan: Plan) -> Plan:
        """The plan of a merge as that of taking the proposal in."""
        return replace(
            plan,
            operation=self.operation,
            subject=self.subject,
            memory_ids=self.memory_ids,
            trailers=[*self.trailers, *plan.trailers],
            merges=plan.merges if self.is_whole else None,
        )
