"""rename, link and unlink: a memory gets another place, or a relation to another memory, or loses one."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from pathlib import PurePosixPath

from gitmem.errors import Ambiguous, BadInput, Conflict, NotFound, Refused
from gitmem.flows.edit import Edited, check_text, edit
from gitmem.flows.reading.locate import get_editable
from gitmem.flows.remember import Written
from gitmem.flows.screening.rules import Screening
from gitmem.flows.work import Work
from gitmem.flows.writing.sealing import is_told_in_name
from gitmem.model.change import FileWrite, Origin
from gitmem.model.document import decode, encode
from gitmem.model.header_edit import REMOVED, edit_header
from gitmem.model.ids import id_key
from gitmem.model.memory import Json, Memory
from gitmem.model.others import entries_in, relations_in
from gitmem.model.place import attachment_folder, file_name, parse_memory_path, parse_namespace
from gitmem.versions.attachments import attachments_of
from gitmem.versions.naming import Naming
from gitmem.versions.snapshot import Snapshot


def link(
    work: Work, reference: str, to: str, *, relation: str, expect: str | None, origin: Origin
) -> Written:
    """Records that the memory `reference` stands in `relation` to the memory `to`."""
    if not relation.strip() or not relation.isprintable():
        raise BadInput(f"--as: {relation!r} cannot be a relation", field="as")

    def change(snapshot: Snapshot, memory: Memory, old: str) -> Edited:
        other = get_editable(work, snapshot, to)
        if id_key(other.id) == id_key(memory.id):
            raise BadInput("a memory cannot be linked to itself", field="to")
        entry: Json = {"to": other.id, "relation": relation.strip()}
        stands = ((id_key(each.to), each.relation) for each in memory.related)
        if (id_key(other.id), relation.strip()) in stands:
            return Edited(old, memory.path)
        entries = entries_in(memory.fields.get("related"))
        fields: dict[str, Json] = {} if memory.has_own_id else {"id": memory.id}
        also = [] if other.has_own_id else [_with_id(work, other)]
        return Edited(edit_header(old, {**fields, "related": [*entries, entry]}), memory.path, also=also)

    return edit(work, reference, change, operation="link", expect=expect, origin=origin)


def unlink(
    work: Work, reference: str, to: str, *, relation: str | None, expect: str | None, origin: Origin
) -> Written:
    """Takes the links to `to` out of the memory `reference`: those in `relation`, or in any where it is None.

    What they name may be gone. Raises `NotFound` where the header has no such link.
    """

    def change(snapshot: Snapshot, memory: Memory, old: str) -> Edited:
        names = _names_of(work, snapshot, to)

        def is_meant(entry: Json) -> bool:
            return any(
                id_key(each.to) in names and relation in (None, each.relation)
                for each in relations_in([entry])[0]
            )

        entries = entries_in(memory.fields.get("related"))
        kept = [entry for entry in entries if not is_meant(entry)]
        if kept == entries:
            how = "" if relation is None else f" as {relation}"
            raise NotFound(
                f"{memory.path} has no link to {to}{how} under 'related'",
                name=to,
                hint=f"'gitmem show {memory.id} --raw' shows its header",
            )
        return Edited(edit_header(old, {"related": kept or REMOVED}), memory.path)

    return edit(work, reference, change, operation="unlink", expect=expect, origin=origin)


def _names_of(work: Work, snapshot: Snapshot, reference: str) -> set[str]:
    """What links to the memory at `reference` may name; the reference alone where there is none."""
    names = {reference}
    with suppress(NotFound, Ambiguous):
        other = get_editable(work, snapshot, reference)
        names |= {
            other.id,
            other.title,
            other.path,
            other.path.removesuffix(".md"),
            PurePosixPath(other.path).stem,
        }
    return {id_key(name) for name in names}


def _with_id(work: Work, memory: Memory) -> FileWrite:
    """Writes the id that a memory has by its path into its header, so that it keeps it for life."""
    text, _ = decode(work.place.repository.read_blob(memory.blob))
    return FileWrite(memory.path, memory.blob, encode(edit_header(text, {"id": memory.id})))


def rename(
    work: Work,
    reference: str,
    *,
    title: str | None,
    namespace: str | None,
    path: str | None,
    expect: str | None,
    origin: Origin,
) -> Written:
    """Gives a memory another title, namespace or path; its file, attachments and history follow."""
    if title is None and namespace is None and path is None:
        raise BadInput("nothing to change: give a title, --in or --path", field="title")
    if title is not None:
        check_text(title, "title")
    if path is not None:
        parse_memory_path(path)
    place = parse_namespace(namespace) if namespace else None

    def change(snapshot: Snapshot, memory: Memory, old: str) -> Edited:
        fields: dict[str, Json] = {} if memory.has_own_id else {"id": memory.id}
        if title is not None:
            fields["title"] = title
        is_named = is_told_in_name(work.place, memory.type, place or memory.namespace)
        name = (title or memory.title) if is_named else ""
        target = path or _new_path(work, snapshot, memory, name, place)
        others = Naming(snapshot, leaving=memory.path)
        if target != memory.path and (snapshot.occupied(target) or others.is_taken(target)):
            raise Conflict(f"{target} exists already", hint="choose another title or --path")
        if not work.place.config.is_memory_path(target):
            raise Refused(f"--path: {target!r} is excluded, a file there is not a memory")
        moves = {
            old_path: attachment_folder(target) + old_path.removeprefix(attachment_folder(memory.path))
            for old_path, _ in attachments_of(snapshot, memory.path)
        }
        return Edited(edit_header(old, fields) if fields else old, target, moves)

    return edit(work, reference, change, operation="rename", expect=expect, origin=origin)


def _new_path(work: Work, snapshot: Snapshot, memory: Memory, title: str, namespace: str | None) -> str:
    """Where the memory stands under its new title: in the same folder unless a namespace is given."""
    try:
        created = datetime.fromisoformat(memory.created or "")
    except ValueError:
        created = work.clock.now()
    title = Screening(work.place).title(title, memory.path)
    name = file_name(memory.type, title, memory.id, created)
    if namespace is None:
        folder = memory.path.rpartition("/")[0]
        return f"{folder}/{name}" if folder else name
    naming = Naming(snapshot)
    return naming.path_for(
        memory_type=memory.type, namespace=namespace, title=title, memory_id=memory.id, created=created
    )
