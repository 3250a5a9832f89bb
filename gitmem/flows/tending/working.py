"""When the sessions of working memories ended: the one place where tending asks that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from gitmem.flows.work import Work
from gitmem.model.memory import MemoryType

if TYPE_CHECKING:
    from gitmem.index.record import Record

SILENT = timedelta(hours=24)
"""A session in which nothing was written for so long has ended then, where nobody said when."""


def session_ends(
    work: Work, records: Sequence[Record], changed: Mapping[str, datetime]
) -> dict[str, datetime]:
    """By path of a working memory, when its session ended; none of those that may still be going on.

    `changed` is when each file was last changed. A memory without a session is one of its own.
    """
    last: dict[str, datetime] = {}
    notes = [record for record in records if record.type is MemoryType.WORKING and record.path in changed]
    for record in notes:
        name = record.session or record.path
        last[name] = max(last.get(name, changed[record.path]), changed[record.path])
    now = work.now()
    return {
        record.path: ended
        for record in notes
        if (ended := last[record.session or record.path] + SILENT) <= now
    }
