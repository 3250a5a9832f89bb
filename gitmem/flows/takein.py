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
from gitmem.flows.reading.imported import bases_of
from gitmem.flows.reading.source_folder import NOT_A_MEMORY, Item, files_below
from gitmem.flows.screening.gate import examine_file, told_of
from gitmem.flows.screening.rules import Screening, text_of
from gitmem.flows.work import Work
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import BlobId, CommitId, MemoryId, id_key
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
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{file}: cannot be read: {error}", field="file") from error
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
    files: dict[str, str] = {}
    said: dict[str, str] = {}
    sightings: list[Sighting] = []
    screening = Screening(work.place)
    forgotten = _forgotten(work, items)
    left_out = dict.fromkeys(reasons, "skipped") | dict.fromkeys(forgotten, "gone")
    items = [item for item in items if item.name not in forgotten]
    notes = set() if work.branch == work.place.config.branches["working"] else _notes(items)

    def plan(snapshot: Snapshot) -> Plan:
        files.clear()
        sightings.clear()
        said.clear()
        files.update(left_out)
        said.update(reasons | forgotten)
        bases = bases_of(work, snapshot, OPERATION)
        bodies, ids = bodies_of(snapshot)
        bodies = Bodies() if force else bodies
        names = {name_key(path): path for path, _ in snapshot.files()}
        owners = {owner_of(item.path) for item in items}
        writes = []
        memory_ids: list[MemoryId] = []
        for given in items:
            item, redacted = _redacted(screening, snapshot, given)
            if snapshot.blob(item.path) is None and (owner_of(item.path) or item.path) in notes:
                files[item.name], said[item.name] = "skipped", NOTE_REASON
                continue
            outcome, write, reason = _decide(work, snapshot, item, bases, ids, items)
            if outcome == "new" and item.path not in owners and (holder := _holder(bodies, item)):
                outcome, write, reason = "known", None, f"{holder} says this already"
            if (
                write is not None
                and (twin := names.setdefault(name_key(write.path), write.path)) != write.path
            ):
                outcome, write, reason = "occupied", None, f"some systems take its name for that of {twin}"
            files[item.name] = outcome
            if reason:
                said[item.name] = reason
            if write is not None:
                sightings.extend(redacted)
                writes.append(write)
                if owner_of(write.path) is None:
                    memory_ids.append(read_memory(write.path, BlobId(""), item.data).id)
        subject = f"{len(memory_ids)} memories"
        return Plan(OPERATION, subject, writes, memory_ids=memory_ids, origin=origin)

    applied = apply_on(work, plan)
    return Imported(applied.commit, files, said, (*told_of(sightings), *applied.notices))


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


def _holder(bodies: Bodies, item: Item) -> str | None:
    if owner_of(item.path) is not None:
        return None
    return bodies.holder_of(read_memory(item.path, BlobId(""), item.data))


def _decide(
    work: Work,
    snapshot: Snapshot,
    item: Item,
    bases: Mapping[str, str],
    ids: dict[str, str],
    items: Sequence[Item],
) -> tuple[str, FileWrite | None, str | None]:
    new = work.place.repository.blob_id_of(item.data)
    path = item.path
    if owner_of(path) is None:
        memory = read_memory(path, BlobId(new), item.data)
        # What was renamed here has the id that it had by its path.
        is_named = memory.has_own_id or snapshot.blob(path) is None
        holder = ids.get(id_key(memory.id)) if is_named else None
        if holder is not None and holder != path:
            is_known = path in bases or (holder in bases and holder.startswith(item.top))
            is_moved = is_known and all(each.path != holder for each in items)
            if not is_moved and snapshot.blob(holder) != new:
                return "occupied", None, f"its id {memory.id} is that of {holder}"
            path = holder
        ids[id_key(memory.id)] = path
    now, base = snapshot.blob(path), bases.get(path) or bases.get(item.path)
    if now == new:
        return "same", None, None
    if now is None:
        if base is not None:
            return "gone", None, "was imported before and taken out of the store since"
        return "new", FileWrite(path, None, item.data), None
    if base is None:
        return "occupied", None, f"{path} holds another text that was not imported"
    if base == new:
        return "kept", None, None
    if base == now:
        return "changed", FileWrite(path, now, item.data), None
    return "conflict", None, f"{path} was changed here and in the source; the text here stays"
