"""How long notes last: pure, from the sessions as they were read, the settings, and the time.

ended     somebody ended the session: its notes are over `ttl` later
idle      nobody did, and nothing was noted for `idle`: it counts as ended from then on
going on  else: its notes stay
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from msgspec import Struct

from gitmem.flows.working.notes import Session, moment_of
from gitmem.model.memory import Memory
from gitmem.versions.working_settings import WorkingSettings


class ExpiredNote(Struct, frozen=True):
    """A note whose time is over: since when, and why, in words."""

    note: Memory
    session: str
    since: datetime
    reason: str


def end_of(session: Session, settings: WorkingSettings, now: datetime) -> datetime | None:
    """When the session ended, by somebody or by itself; None while it goes on."""
    if session.ended is not None:
        return session.ended
    alone = session.last + settings.idle
    return alone if alone <= now else None


def expired_notes(sessions: Iterable[Session], settings: WorkingSettings, now: datetime) -> list[ExpiredNote]:
    """The notes that are to leave the working branch at `now`, oldest session first; may be empty.

    A note that was written into a session after its end counts from when it was written. What is pinned
    stays.
    """
    found = []
    for session in sorted(sessions, key=lambda each: (each.started, each.name)):
        end = end_of(session, settings, now)
        for note in session.notes if end is not None else ():
            assert end is not None, "there is nothing to look at without"
            since = max(end, moment_of(note)) + settings.ttl
            if since <= now and not note.fields.get("pinned"):
                how = "ended" if session.ended is not None else "was idle from"
                reason = f"session {session.name} {how} {_stamp(end, session, settings)}"
                found.append(ExpiredNote(note, session.name, since, reason))
    return found


def _stamp(end: datetime, session: Session, settings: WorkingSettings) -> str:
    moment = end if session.ended is not None else end - settings.idle
    return f"{moment:%Y-%m-%d %H:%M} UTC, and notes last {words_of(settings.ttl)} longer"


def words_of(span: timedelta) -> str:
    """A span of time in the largest unit that is whole: `1 hour`, `90 minutes`, `2 days`."""
    minutes = int(span.total_seconds()) // 60
    for size, unit in ((1440, "day"), (60, "hour"), (1, "minute")):
        if minutes % size == 0 and (minutes or size == 1):
            count = minutes // size
            return f"{count} {unit}" if count == 1 else f"{count} {unit}s"
    raise AssertionError("every number of minutes is whole")
