"""pin and unpin: a memory is kept as it is, however old it grows; and is not any more."""

from __future__ import annotations

from gitmem.flows.edit import Edited, edit
from gitmem.flows.remember import Written
from gitmem.flows.work import Work
from gitmem.model.change import Origin
from gitmem.model.header_edit import REMOVED, edit_header
from gitmem.model.memory import Memory
from gitmem.model.pin import PINNED, is_pinned
from gitmem.versions.snapshot import Snapshot


def pin(work: Work, reference: str, *, is_wanted: bool, expect: str | None, origin: Origin) -> Written:
    """Sets `pinned: true` in the header, or takes it out; a memory that is so already gets no version.

    Raises what `edit` raises.
    """

    def change(_: Snapshot, memory: Memory, old: str) -> Edited:
        if is_pinned(memory.fields) == is_wanted:
            return Edited(old, memory.path)
        return Edited(edit_header(old, {PINNED: True if is_wanted else REMOVED}), memory.path)

    operation = "pin" if is_wanted else "unpin"
    return edit(work, reference, change, operation=operation, expect=expect, origin=origin)
