"""When the sessions of working memories ended: the one place where tending asks that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from gitmem.flows.work import Work
from gitmem.flows.working.lasting import end_of
from gitmem.flows.working.notes import UNNAMED, sessions_on
from gitmem.model.memory import MemoryType

if TYPE_CHECKING:
    from gitmem.index.record import Record


def session_ends(
    work: Work, records: Sequence[Record], changed: Mapping[str, datetime]
) -> dict[str, datetime]:
    """By path of a working memory, when its session ended; none of those that go on.

    `changed` is when each file was last changed: one that was written into a session after its end counts
    from then. A session that nobody ended counts as ended after the idle time that the config says.
    """
    notes = [record for record in records if record.type is MemoryType.WORKING and record.path in changed]
    if not notes:
        return {}
    settings, now = work.place.config.working, work.now()
    sessions = sessions_on(work).by_name
    found: dict[str, datetime] = {}
    for record in notes:
        session = sessions.get(record.session or UNNAMED)
        ended = None if session is None else end_of(session, settings, now)
        if session is None and changed[record.path] + settings.idle <= now:
            # It stands on main, and no session of that name is known.
            ended = changed[record.path] + settings.idle
        if ended is not None:
            found[record.path] = max(ended, changed[record.path])
    return found
