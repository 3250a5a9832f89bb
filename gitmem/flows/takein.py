"""import: files of a plain folder, or of an export, become memories; again and again without doubles.

What was imported last time is the base of a three-way decision for each file:
    new          never imported, and nothing stands at its place: written
    same         the store has these bytes: nothing to do
    changed      the source changed since, the store did not: a new version
    kept         the store changed since, the source did not: the store's text stays
    conflict     both changed: the store's text stays, and the file is named
    gone         taken out of the store since it was imported, or forgotten: it stays out
    occupied     never imported, but something else stands at its place or has its id: named
    known        never imported, and a memory elsewhere in its namespace has text and title of it: named
    skipped      no memory, or a working one: those stand on a branch of their own, and in a session
Names and ids come from the source, so that they are the same in every run.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import BadInput
from gitmem.flows.forgetting.forgotten import checker_of, why_forgotten
from gitmem.flows.judging.bodies import Bodies, bodies_of
from gitmem.flows.proposals.proposing import apply_on
from gitmem.flows.reading.import_decision import Decision, Known
from gitmem.flows.reading.imported import bases_of
from gitmem.flows.reading.source_folder import NOT_A_MEMORY, Item, files_below
from gitmem.flows.screening.gate import examine_file, told_of
from gitmem.flows.screening.rules import Screening, text_of
from gitmem.flows.work import Work
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import Json, MemoryType
from gitmem.model.place import name_key, owner_of, parse_namespace, why_unsafe
from gitmem.model.reading import read_memory
from gitmem.model.sensitive import Action
from gitmem.model.strict_json import parse_json
from gitmem.model.transcripts import NOTHING_ASKED, SIDE_CHAIN
from gitmem.privacy.judge import Sighting
from gitmem.versions.snapshot import Snapshot

NOT_A_MEMORY_HERE = f"{NOT_A_MEMORY} in this store"
A_LIST, NOTHING_WRITTEN = "a list of the others", "nothing that somebody wrote"
AS_EXPECTED = {NOT_A_MEMORY, NOT_A_MEMORY_HERE, A_LIST, NOTHING_WRITTEN, SIDE_CHAIN, NOTHING_ASKED}
"""Why something is left out that nobody thinks would come in: it is counted, and not named."""
OUTCOMES = ("new", "changed", "same", "kept", "conflict", "gone", "occupied", "known", "skipped")
OPERATION = "import"
NOTE_REASON = "a working memory, which stands in a session and not here; 'gitmem note' keeps one"


class Imported(Struct, frozen=True):
    """What became of each file: `files` maps its path in the source to one of the outcomes.

    `reasons` says why for those that need a look.
    """

    commit: CommitId | None
    files: Mapping[str, str]
    reasons: Mapping[str, str]
    notices: tuple[str, ...] = ()

    @property
    def told(self) -> list[tuple[str, str, str]]:
        """File, outcome and reason of what somebody may have thought would come in."""
        reasons = ((name, outcome, self.reasons.get(name)) for name, outcome in self.files.items())
        return [(name, outcome, why) for name, outcome, why in reasons if why and why not in AS_EXPECTED]

    @property
    def counts(self) -> dict[str, int]:
        counted = Counter(self.files.values())
        return {outcome: counted[outcome] for outcome in OUTCOMES if counted[outcome]}


def import_folder(
    work: Work, folder: Path, *, namespace: str | None, origin: Origin, force: bool = False
) -> Imported:
    """Takes in every Markdown file below `folder`, with what is attached to it, or the one file named.

    All in one commit. Bytes are kept as they are; relative paths are kept, below `namespace` if one is
    given. Links, dot folders and files that are no memories are skipped and counted. The folder is
    only read.
    """
    only = folder if folder.is_file() else None
    if not (folder.is_dir() if only is None else only.name.casefold().endswith(".md")):
        hint = "unpack it first" if folder.suffix.casefold() == ".zip" else None
        raise BadInput(f"{folder} is neither a folder nor a Markdown file", field="dir", hint=hint)
    prefix = parse_namespace(namespace) + "/" if namespace else ""
    reasons: dict[str, str] = {}
    items = files_below(work, folder.parent if only else folder, prefix, reasons, only)
    if only is not None and reasons.get(only.name) == NOT_A_MEMORY:
        raise BadInput(f"{folder} is a file that is no memory in this store", field="dir")
    return take_in(work, items, reasons, origin, force=force)


def import_jsonl(work: Work, file: Path, *, origin: Origin) -> Imported:
    """Takes in the memories of a file that `export` wrote, in one commit."""
    if file.exists() and not (file.is_file() or file.is_fifo()):
        raise BadInput(f"{file}: is neither a file nor a pipe", field="file")
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except OSError as error:
        raise BadInput(f"{file}: cannot be read: {error.strerror}", field="file") from error
    except UnicodeDecodeError as error:
        raise BadInput(f"{file}: is not UTF-8 (byte {error.start})", field="file") from error
    items: list[Item] = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            items += items_of_line(f"{file}:{number}", line)
    is_memory = work.place.config.is_memory_path
    foreign = {item.name for item in items if not is_memory(owner_of(item.path) or item.path)}
    reasons = dict.fromkeys(sorted(foreign), NOT_A_MEMORY_HERE)
    return take_in(work, [item for item in items if item.name not in foreign], reasons, origin)


def items_of_line(where: str, line: str) -> Iterator[Item]:
    """The memory and the attachments of one line of an export. Raises `BadInput` naming `where`."""
    try:
        path, data, attachments = _parts_of(parse_json(line))
    except ValueError as error:
        raise BadInput(f"{where}: not a line that 'gitmem export' wrote: {error}", field="file") from error
    for each, content in ((path, data), *((name, content) for name, content in attachments.items())):
        if reason := why_unsafe(each):
            raise BadInput(f"{where}: path {each!r} is refused: {reason}", field="path")
        if each is not path and owner_of(each) != path:
            raise BadInput(f"{where}: {each!r} is not a path of an attachment of {path!r}", field="path")
        yield Item(each, each, content)


def _parts_of(value: Json) -> tuple[str, bytes, dict[str, bytes]]:
    """Path, bytes and attachments of an exported memory. Raises `ValueError`, saying what is missing."""
    if not isinstance(value, dict):
        raise ValueError("it is no JSON object")
    if missing := [name for name in ("path", "raw") if value.get(name) is None]:
        raise ValueError(f"{missing[0]!r} is missing")
    path, raw, attachments = value["path"], value["raw"], value.get("attachments") or {}
    if not isinstance(path, str) or not isinstance(attachments, dict):
        raise ValueError("'path' is no text, or 'attachments' no map of names")
    data = raw.encode("utf-8") if isinstance(raw, str) else _decoded(raw, "raw")
    return path, data, {name: _decoded(text, "attachments") for name, text in attachments.items()}


def _decoded(value: Json, name: str) -> bytes:
    """The bytes of base64 as `export` writes it. Raises `ValueError`: what is left out would be lost."""
    text = value.get("base64") if isinstance(value, dict) else value if name == "attachments" else None
    if not isinstance(text, str):
        raise ValueError(f"{name!r} is neither text nor base64")
    return base64.b64decode(text, validate=True)


def take_in(
    work: Work, items: Sequence[Item], reasons: dict[str, str], origin: Origin, *, force: bool = False
) -> Imported:
    """Takes in all items, in one commit; `reasons` says why others of the source were skipped.

    With `force` also files whose text is known elsewhere.
    """
    taking = _TakingIn(work, items, reasons, origin, force=force)
    applied = apply_on(work, taking.plan)
    return Imported(applied.commit, taking.files, taking.said, (*told_of(taking.sightings), *applied.notices))


class _TakingIn:
    """One import: `files` has what becomes of each item, `said` why, as the plan made last has it."""

    def __init__(
        self, work: Work, items: Sequence[Item], reasons: dict[str, str], origin: Origin, *, force: bool
    ) -> None:
        self._work, self._origin, self._force = work, origin, force
        self._screening = Screening(work.place)
        forgotten = _forgotten(work, items)
        self._items = [item for item in items if item.name not in forgotten]
        self._left_out = dict.fromkeys(reasons, "skipped") | dict.fromkeys(forgotten, "gone")
        self._left_out_for = reasons | forgotten
        is_of_notes = work.branch == work.place.config.branches["working"]
        self._notes = set() if is_of_notes else _notes(self._items)
        self.files: dict[str, str] = {}
        self.said: dict[str, str] = {}
        self.sightings: list[Sighting] = []

    def plan(self, snapshot: Snapshot) -> Plan:
        """The commit that takes in what is new on the branch as `snapshot` has it."""
        self.files, self.said, self.sightings = dict(self._left_out), dict(self._left_out_for), []
        bodies, ids = bodies_of(snapshot)
        known = Known(
            bases_of(self._work, snapshot, OPERATION),
            ids,
            Bodies() if self._force else bodies,
            {name_key(path): path for path, _ in snapshot.files()},
            {owner_of(item.path) for item in self._items},
        )
        writes = [write for item in self._items if (write := self._taken(snapshot, known, item)) is not None]
        memory_ids = [
            read_memory(write.path, BlobId(""), write.data or b"").id
            for write in writes
            if owner_of(write.path) is None
        ]
        subject = f"{len(memory_ids)} memories"
        return Plan(OPERATION, subject, writes, memory_ids=memory_ids, origin=self._origin)

    def _taken(self, snapshot: Snapshot, known: Known, given: Item) -> FileWrite | None:
        """What writes an item, where that is to be done; notes what becomes of it."""
        item, redacted = _redacted(self._screening, snapshot, given)
        decision: Decision = ("skipped", None, NOTE_REASON)
        if snapshot.blob(item.path) is not None or (owner_of(item.path) or item.path) not in self._notes:
            decision = known.decided(self._work, snapshot, item, self._items)
        outcome, write, reason = decision
        self.files[item.name] = outcome
        if reason:
            self.said[item.name] = reason
        if write is not None:
            self.sightings += redacted
        return write


def _forgotten(work: Work, items: Sequence[Item]) -> dict[str, str]:
    """The names of what was forgotten here, with its attachments, each with what that is and the day."""
    checker = checker_of(work.place)
    if not checker:
        return {}
    found = {item.path: why_forgotten(work.place, checker, item.path, item.data) for item in items}
    told = ((item.name, found[item.path] or found.get(owner_of(item.path) or "")) for item in items)
    return {name: why for name, why in told if why is not None}


def _notes(items: Sequence[Item]) -> set[str]:
    """The paths of the working memories among `items`."""
    return {
        item.path
        for item in items
        if owner_of(item.path) is None
        and read_memory(item.path, BlobId(""), item.data).type is MemoryType.WORKING
    }


def _redacted(screening: Screening, snapshot: Snapshot, item: Item) -> tuple[Item, list[Sighting]]:
    """The item as it will be written, so that the next import finds what this one wrote; what was redacted.

    What is blocked or told is left to the gate that every write passes.
    """
    is_memory = owner_of(item.path) is None
    here = snapshot.blob(item.path)
    found = text_of(snapshot.data(item.path)) if here is not None else None
    judge = screening.judge(item.path, item.data)
    examined = examine_file(judge, item.data, [found.text] if found else [], screening, is_memory=is_memory)
    redacted = [each for each in examined.sightings if each.action is Action.REDACT]
    return replace(item, data=examined.data), redacted
