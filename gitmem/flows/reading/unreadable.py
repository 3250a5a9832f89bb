"""What an answer says of memories whose objects cannot be read: it never passes over them in silence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.errors import Damaged
from gitmem.flows.work import Work
from gitmem.model.memory import Memory
from gitmem.model.visible import memories_text
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.index.record import Record

LABEL = "not read in full"
MOST_NAMED = 3


def unreadable_notes(work: Work, snapshot: Snapshot, records: Sequence[Record]) -> tuple[str, ...]:
    """One sentence that names the first of `records`, why they cannot be read, and what to do; or nothing."""
    if not records:
        return ()
    try:
        snapshot.read(records[0].path, records[0].blob)
        reason = "something attached to it is not here"
    except Damaged as error:
        said = error.message.removeprefix(f"{records[0].path}: ")
        reason = f"{said}; {error.hint}" if error.hint else said
    named = ", ".join(record.path for record in records[:MOST_NAMED])
    if len(records) > MOST_NAMED:
        named += f" and {len(records) - MOST_NAMED} more"
    return (f"{memories_text(len(records))} on {work.branch} could not be read in full: {named} ({reason})",)


def unreadable_label(memory: Memory | Record) -> tuple[str, ...]:
    """How a memory is marked of which an object is not here or broken."""
    return (LABEL,) if memory.is_unreadable else ()
