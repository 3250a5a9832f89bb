"""Sessions: begun, listed. A session needs no beginning: the first note of a name begins it, too.

`start` writes a record on the working branch, and takes away those of sessions that ended long ago and have
no notes any more. It is the way back into a session that was ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from msgspec import Struct
from msgspec.structs import replace

from gitmem.clock import iso_seconds
from gitmem.errors import BadInput
from gitmem.flows.found import commit_founding
from gitmem.flows.rights.default_agent import with_default_agent
from gitmem.flows.work import Work
from gitmem.flows.working.lasting import end_of
from gitmem.flows.working.notes import (
    Record,
    Session,
    folder_of,
    record_of,
    record_path,
    sessions_in,
    sessions_on,
    tokens_of,
    working_branch,
)
from gitmem.flows.writing.apply import apply
from gitmem.index.moments import parse_moment
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import BlobId, new_memory_id
from gitmem.versions.snapshot import Snapshot

MOST_NAME_CHARACTERS = 200
RECORDS_LAST = timedelta(days=30)
"""So long after its end a session is known as ended."""
MOST_RECORDS = 50
"""Where there are fewer, none is taken away."""


class Started(Struct, frozen=True):
    """A session that notes can be written to; `is_resumed` where it was there before."""

    session: str
    started: str
    is_resumed: bool
    branch: str
    notices: tuple[str, ...] = ()


class SessionState(Struct, frozen=True):
    """How a session stands: its notes, about how many tokens they take, and when they will be over.

    `ended` is when it ended, by somebody or, where it `was_left`, by itself; `until` when its notes are over.
    Both are None while it goes on.
    """

    session: str
    agent: str | None
    started: datetime
    last: datetime
    ended: datetime | None
    was_left: bool
    until: datetime | None
    notes: int
    tokens: int


class SessionList(Struct, frozen=True):
    """All sessions, those that go on first, then the latest first; and what could not be looked at."""

    sessions: Sequence[SessionState]
    branch: str
    max_tokens: int
    notes: Sequence[str] = ()


def parse_session(name: str) -> str:
    """`name` as that of a session. Raises `BadInput`."""
    text = name.strip()
    if not text or not text.isprintable() or len(text) > MOST_NAME_CHARACTERS:
        raise BadInput(
            f"session: {name!r} cannot be the name of a session",
            field="session",
            hint=f"use 1 to {MOST_NAME_CHARACTERS} characters in one line",
        )
    return text


def start_session(work: Work, name: str | None, *, origin: Origin) -> Started:
    """Begins a session, under a new name where none is given, or goes on with one; may be repeated.

    Raises `BadInput` for a name that cannot be one.
    """
    session = f"s-{new_memory_id()}" if name is None else parse_session(name)
    if work.place.is_new:
        commit_founding(work.place, adopted=False, clock=work.clock)
    there = working_branch(work)
    now = work.clock.now()
    agent = with_default_agent(work.place, origin).agent
    records: list[tuple[Record, bool]] = []

    def plan(snapshot: Snapshot) -> Plan:
        before = record_of(snapshot, session)
        new = replace(before or Record(session, agent, iso_seconds(now)), ended=None)
        records[:] = [(new, before is not None)]
        path = record_path(session)
        writes = [] if new == before else [FileWrite(path, snapshot.blob(path), new.data)]
        if writes:
            writes += _outdated(snapshot, now, besides=path)
        said = replace(origin, agent=agent, session=session)
        return Plan("session-start", f"session {session}", writes, origin=said)

    applied = apply(there.place, there.branch, plan, clock=work.clock)
    record, is_resumed = records[0]
    return Started(session, record.started or iso_seconds(now), is_resumed, there.branch, applied.notices)


def _outdated(snapshot: Snapshot, now: datetime, *, besides: str) -> list[FileWrite]:
    """Takes away the records of sessions that ended long ago and left no notes."""
    names = snapshot.listing("sessions")
    if len(names) < MOST_RECORDS:
        return []
    gone = []
    for name, session in sessions_in(snapshot).by_name.items():
        ended, path = parse_moment(session.record.ended), record_path(name)
        if ended is not None and ended + RECORDS_LAST <= now and not session.notes and path != besides:
            blob = snapshot.blob(path)
            gone += [FileWrite(path, BlobId(blob), None)] if blob is not None else []
    return gone


def list_sessions(work: Work) -> SessionList:
    """The sessions of the working branch, now or at the moment that `work` looks at."""
    found = sessions_on(work)
    now, settings = work.now(), work.place.config.working

    def state(session: Session) -> SessionState:
        end = end_of(session, settings, now)
        return SessionState(
            session.name,
            session.agent,
            session.started,
            session.last,
            end,
            end is not None and session.ended is None,
            None if end is None else max(end, session.last) + settings.ttl,
            len(session.notes),
            sum(map(tokens_of, session.notes)),
        )

    states = sorted(map(state, found.by_name.values()), key=lambda each: each.session)
    states.sort(key=lambda each: each.last, reverse=True)
    states.sort(key=lambda each: each.ended is not None)
    unread = [f"{path} cannot be read, so its session is not known" for path in found.unreadable]
    return SessionList(states, work.place.config.branches["working"], settings.max_tokens, unread)


def is_in_folder_of(session: str, path: str) -> bool:
    """Whether the file at `path` stands where notes of the session do."""
    return folder_of(session) in path.split("/")[:-1]
