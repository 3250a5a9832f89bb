"""What stands on the working branch: notes, and a record of each session that was begun or ended.

working/SESSION/who-is-on-call-m7k2q9xw.md              a note
working/people/alice/SESSION/alice-called-m3d8h1zc.md   one in a namespace, whose rules hold for it
sessions/SESSION.json                                   {"session": ..., "started": ..., "ended": ...}

Which session a note belongs to is what its header says; the folder keeps the notes of one together, so that
they are found without reading those of others. A note that names no session is of the session `unnamed`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.errors import Damaged
from gitmem.flows.work import Work
from gitmem.git.modes import REGULAR_MODES, TREE_MODE
from gitmem.git.trees import decode_path
from gitmem.index.moments import parse_moment
from gitmem.model.document import decode
from gitmem.model.fences import split_text
from gitmem.model.ids import BlobId, derived_memory_id
from gitmem.model.memory import Memory, MemoryType
from gitmem.model.place import slug_of, why_misleading, why_unsafe
from gitmem.model.reading import MAX_MEMORY_BYTES
from gitmem.model.strict_json import parse_json
from gitmem.recall.tokens import estimate_tokens
from gitmem.versions.snapshot import Snapshot

UNNAMED = "unnamed"
"""The session of those who name none."""
RECORDS = "sessions"
FOLDED = "folded"
"""The field of a summary that counts the notes in it."""
NOTES = str(MemoryType.WORKING)
_MOST_FOLDER_CHARACTERS = 40
_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Record(Struct, frozen=True):
    """What is written down of a session: dates are kept as they were written."""

    session: str
    agent: str | None = None
    started: str | None = None
    ended: str | None = None

    @property
    def data(self) -> bytes:
        """The bytes of its file."""
        values = {"session": self.session, "agent": self.agent, "started": self.started, "ended": self.ended}
        known = {name: value for name, value in values.items() if value is not None}
        return (json.dumps(known, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")


class Session(Struct, frozen=True):
    """A session: its record, and the notes of it that are there, oldest first.

    One that nobody started begins with its first note. `ended` is None while nobody has ended it.
    """

    record: Record
    notes: tuple[Memory, ...] = ()

    @property
    def name(self) -> str:
        return self.record.session

    @property
    def agent(self) -> str | None:
        """The agent that started it, else the one of its first note."""
        return self.record.agent or next((note.agent for note in self.notes if note.agent), None)

    @property
    def started(self) -> datetime:
        return parse_moment(self.record.started) or next(map(moment_of, self.notes), _LONG_AGO)

    @property
    def ended(self) -> datetime | None:
        return parse_moment(self.record.ended)

    @property
    def last(self) -> datetime:
        """When it was last known to be at work: its newest note, or its beginning."""
        return max((self.started, *map(moment_of, self.notes)))


class Sessions(Struct, frozen=True):
    """All sessions of the working branch by name, and the paths of notes that could not be read."""

    by_name: Mapping[str, Session] = field(default_factory=dict)
    unreadable: tuple[str, ...] = ()


def working_branch(work: Work) -> Work:
    """The branch on which notes stand."""
    return work.on(work.place.config.branches["working"])


def folder_of(session: str) -> str:
    """The name of the folder for the notes of a session: the same on every machine, safe on all.

    Two sessions have never the same, also where only case or marks tell them apart.
    """
    slug = slug_of(session)
    is_short = slug.isascii() and len(slug) <= _MOST_FOLDER_CHARACTERS
    if slug == session and is_short and why_unsafe(slug) is None and why_misleading(slug) is None:
        return slug
    start = slug[: _MOST_FOLDER_CHARACTERS // 3].strip("-")
    return "-".join(filter(None, (start, derived_memory_id(f"sessions/{session}"))))


def namespace_of_note(note: Memory) -> str:
    """The namespace of a note without the folder of its session."""
    above, _, last = note.namespace.rpartition("/")
    return above if last == folder_of(session_of(note)) else note.namespace


def session_of(note: Memory) -> str:
    """The session that a note belongs to."""
    return note.session or UNNAMED


def moment_of(note: Memory) -> datetime:
    """When a note was written, as it says; long ago where it does not."""
    return parse_moment(note.created) or _LONG_AGO


def record_path(session: str) -> str:
    """Where the record of a session stands."""
    return f"{RECORDS}/{folder_of(session)}.json"


def record_of(snapshot: Snapshot, session: str) -> Record | None:
    """What is written down of a session; None where it has no record that can be read."""
    path = record_path(session)
    return _read(snapshot, path) if snapshot.blob(path) is not None else None


def _read(snapshot: Snapshot, path: str) -> Record | None:
    try:
        values = parse_json(snapshot.data(path).decode("utf-8"))
    except ValueError:
        return None
    if not isinstance(values, dict) or not isinstance(values.get("session"), str):
        return None
    names = ("session", "agent", "started", "ended")
    return Record(**{name: value for name in names if isinstance(value := values.get(name), str)})


def sessions_on(work: Work) -> Sessions:
    """The sessions of the working branch as it stands, or stood then."""
    there = work.beside(work.place.config.branches["working"])
    return Sessions() if there is None else sessions_in(there.snapshot())


def sessions_in(snapshot: Snapshot) -> Sessions:
    """The sessions of a snapshot of the working branch: those with a record, and those with notes."""
    found: dict[str, Session] = {}
    for raw, (mode, _) in snapshot.listing(RECORDS).items():
        if mode != TREE_MODE and (record := _read(snapshot, f"{RECORDS}/{decode_path(raw)}")) is not None:
            found[record.session] = Session(record)
    notes: dict[str, list[Memory]] = {}
    unreadable = []
    for path, blob in snapshot.files():
        try:
            memory = snapshot.read(path, blob)
        except Damaged:
            unreadable.append(path)
            continue
        if memory.type is MemoryType.WORKING:
            notes.setdefault(session_of(memory), []).append(memory)
    for name in notes:
        found.setdefault(name, Session(Record(name)))
    by_name = {
        name: replace(session, notes=tuple(sorted(notes.get(name, ()), key=_order)))
        for name, session in found.items()
    }
    return Sessions(by_name, tuple(unreadable))


def folders_in(snapshot: Snapshot, session: str) -> list[str]:
    """The folders for the notes of a session, one for each namespace. No file is read."""
    wanted, found, folders = folder_of(session), [], [NOTES]
    while folders:
        folder = folders.pop()
        if folder.rpartition("/")[2] == wanted:
            found.append(folder)
        names = snapshot.listing(folder).items()
        folders += [f"{folder}/{decode_path(raw)}" for raw, (mode, _) in names if mode == TREE_MODE]
    return sorted(found)


def tokens_in_folders(snapshot: Snapshot, session: str) -> int:
    """About how many tokens the notes in the folders of a session take; their headers are not looked at."""
    return sum(
        _tokens_in(snapshot, oid)
        for folder in folders_in(snapshot, session)
        for raw, (mode, oid) in snapshot.listing(folder).items()
        if mode in REGULAR_MODES and snapshot.is_memory_path(f"{folder}/{decode_path(raw)}")
    )


def _tokens_in(snapshot: Snapshot, oid: str) -> int:
    # The same blob has always the same text, but for whom its key is not here.
    count = _counted.get(oid)
    if count is None:
        if len(_counted) >= _MOST_COUNTED:
            _counted.clear()
        text, _ = decode(snapshot.start_of(BlobId(oid), MAX_MEMORY_BYTES))
        with suppress(ValueError):
            # One without a header is all text.
            text = split_text(text)[1]
        count = _counted[oid] = estimate_tokens(text)
    return count


_counted: dict[str, int] = {}
_MOST_COUNTED = 10_000


def notes_in_folders(snapshot: Snapshot, session: str) -> list[Memory]:
    """The notes in the folders of a session, oldest first; only these are read. Raises `Damaged`."""
    found = []
    for folder in folders_in(snapshot, session):
        for raw, (mode, oid) in snapshot.listing(folder).items():
            path = f"{folder}/{decode_path(raw)}"
            if mode in REGULAR_MODES and snapshot.is_memory_path(path):
                memory = snapshot.read(path, BlobId(oid))
                if memory.type is MemoryType.WORKING and session_of(memory) == session:
                    found.append(memory)
    return sorted(found, key=_order)


def tokens_of(note: Memory) -> int:
    """About how many tokens the text of a note takes, without its header."""
    return estimate_tokens(note.body)


def text_of(snapshot: Snapshot, note: Memory) -> str:
    """The whole text of the file of a note."""
    return decode(snapshot.data(note.path))[0]


def _order(note: Memory) -> tuple[datetime, str]:
    return moment_of(note), note.path
