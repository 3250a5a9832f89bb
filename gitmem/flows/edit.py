"""Changing one memory: update, append, tag. One commit, refused over an edit that was not seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.errors import BadInput, Refused, StaleVersion
from gitmem.flows.proposals.proposing import apply_on
from gitmem.flows.reading.locate import get_editable
from gitmem.flows.reading.locked import refuse_locked
from gitmem.flows.remember import Written
from gitmem.flows.work import Work
from gitmem.flows.writing.anchoring import Noted, noted
from gitmem.flows.writing.drafting import check_share, refuse_bad_text, unique
from gitmem.flows.writing.given import check_date, expected_commit, refuse_lone_texts
from gitmem.index.keys import key
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.document import decode, encode, parse_document
from gitmem.model.header_edit import REMOVED, HeaderCannotChange, edit_header
from gitmem.model.ids import CommitId
from gitmem.model.memory import Json, Memory, Status, as_text
from gitmem.model.reading import MAX_MEMORY_BYTES, START_BYTES, TOO_LARGE, read_memory
from gitmem.model.visible import is_blank
from gitmem.versions.history import last_step
from gitmem.versions.snapshot import Snapshot

NOT_CHANGEABLE = frozenset({"id", "type"})


class Edited(Struct, frozen=True):
    """The text and place of a memory after an edit.

    `moves` are files that go along, old path to new; `also` are other files that the edit writes.
    """

    text: str
    path: str
    moves: Mapping[str, str] = field(default_factory=dict)
    also: Sequence[FileWrite] = ()


Change = Callable[[Snapshot, Memory, str], Edited]


def edit(
    work: Work,
    reference: str,
    change: Change,
    *,
    operation: str,
    expect: str | None,
    origin: Origin,
    replaces_text: bool = False,
) -> Written:
    """Applies `change` to the memory that `reference` names, in one commit.

    Raises `StaleVersion` where `expect` is given and the memory changed since, `Conflict` where
    its file holds an edit that is not committed, `Refused` where its header cannot be changed, and where
    the file is too large to be read, unless the change `replaces_text`.
    A change that changes nothing makes no commit and returns the version there is.
    """
    last: list[tuple[Memory, CommitId, str]] = []

    def plan(snapshot: Snapshot) -> Plan:
        memory = get_editable(work, snapshot, reference)
        refuse_locked(memory)
        version = _version(work, snapshot, memory)
        if expect is not None:
            check_expected(work, memory, expect, version)
        data = _data(work, memory, replaces_text=replaces_text)
        text, _ = decode(data)
        edited = _changed(change, snapshot, memory, text)
        last[:] = [(memory, version, edited.path)]
        return Plan(
            operation=operation,
            subject=read_memory(edited.path, memory.blob, encode(edited.text)).title,
            writes=_writes(snapshot, memory, data, edited),
            memory_ids=[memory.id],
            origin=origin,
        )

    applied = apply_on(work, plan)
    memory, replaced, path = last[0]
    commit = applied.commit or replaced
    title = work.place.snapshot(commit).memory(path)
    return Written(
        memory.id,
        path,
        title.title if title else memory.title,
        commit,
        work.branch,
        applied.notices,
        replaced=replaced if applied.commit else None,
    )


def _data(work: Work, memory: Memory, *, replaces_text: bool) -> bytes:
    """The bytes of the file; of one that is too large its beginning, which is all that a new text needs."""
    if not any(problem.code == TOO_LARGE for problem in memory.problems):
        return work.place.repository.read_blob(memory.blob)
    if not replaces_text:
        raise Refused(
            f"{memory.path} is larger than {MAX_MEMORY_BYTES // 2**20} MiB, so it is kept but not changed",
            hint="'gitmem update' can replace its text, 'gitmem archive' puts it out of the way",
        )
    return work.place.repository.read_start(memory.blob, START_BYTES)


def _changed(change: Change, snapshot: Snapshot, memory: Memory, text: str) -> Edited:
    try:
        edited = change(snapshot, memory, text)
    except HeaderCannotChange as error:
        raise Refused(
            f"{memory.path}: the header cannot be changed: {error}",
            hint="mend it by hand, then 'gitmem commit'",
        ) from error
    if len(edited.text) > MAX_MEMORY_BYTES - 2**16:
        raise BadInput(f"{memory.path} would be larger than {MAX_MEMORY_BYTES // 2**20} MiB", field="text")
    return edited


def _writes(snapshot: Snapshot, memory: Memory, data: bytes, edited: Edited) -> list[FileWrite]:
    new = encode(edited.text)
    if edited.path == memory.path:
        own = [] if new == data else [FileWrite(memory.path, memory.blob, new)]
        return [*own, *edited.also]
    is_executable = snapshot.is_executable(memory.path)
    writes = [
        FileWrite(memory.path, memory.blob, None),
        FileWrite(edited.path, None, new, is_executable=is_executable),
    ]
    for old_path, new_path in edited.moves.items():
        blob = snapshot.blob(old_path)
        if blob is not None:
            writes.append(FileWrite(old_path, blob, None))
            is_executable = snapshot.is_executable(old_path)
            writes.append(FileWrite(new_path, None, snapshot.data(old_path), is_executable=is_executable))
    return writes


def _version(work: Work, snapshot: Snapshot, memory: Memory) -> CommitId:
    assert snapshot.commit is not None, "a memory was found, so there is a commit"
    step = last_step(work.place, snapshot.commit, memory.path)
    return CommitId(step.commit.id) if step else snapshot.commit


def check_expected(work: Work, memory: Memory, expect: str, current: CommitId) -> None:
    """Raises `StaleVersion` unless the memory is what it was at commit `expect`; compared by blob."""
    commit = work.place.commit_named(expected_commit(expect))
    older = work.place.snapshot(commit)
    then = older.memory(memory.path) or next(iter(older.named(memory.id)), None)
    if then is not None and then.blob == memory.blob:
        return
    repository = work.place.repository

    def text(blob: str) -> str:
        return repository.read_start(blob, MAX_MEMORY_BYTES).decode("utf-8", "replace")

    raise StaleVersion(
        memory.path,
        expected=commit,
        expected_text=text(then.blob) if then else None,
        current=current,
        current_text=text(memory.blob),
    )


def update(
    work: Work,
    reference: str,
    text: str | None,
    fields: Mapping[str, Json | object],
    *,
    anchors: Sequence[str] = (),
    expect: str | None,
    origin: Origin,
) -> Written:
    """Replaces the text (None keeps it) and sets `fields`; every other line stays as it is.

    `anchors` take the place of those that are there.
    """
    refuse_lone_texts(anchors=anchors)
    found = noted(work, anchors) if anchors else Noted(())
    if found.anchors:
        fields = {**fields, "anchors": list(found.anchors), "anchor": REMOVED}
    check_update(text, fields)

    def change(_: Snapshot, memory: Memory, old: str) -> Edited:
        new = edit_header(old, fields) if fields else old
        if text is not None:
            document = parse_document(new)
            body = text if text.endswith(("\n", "\r")) else text + "\n"
            if document.newline == "\r\n":
                body = body.replace("\r\n", "\n").replace("\n", "\r\n")
            new = document.text[: len(document.text) - len(document.body)] + body
        return Edited(new, memory.path)

    written = edit(
        work,
        reference,
        change,
        operation="update",
        expect=expect,
        origin=origin,
        replaces_text=text is not None,
    )
    return replace(written, notices=(*written.notices, *found.notices))


def check_update(text: str | None, fields: Mapping[str, Json | object]) -> None:
    """Raises `BadInput` naming what cannot be written."""
    if text is None and not fields:
        raise BadInput("nothing to change: give a new text or a field", field="text")
    if text is not None:
        check_text(text)
    for name, value in fields.items():
        if name in NOT_CHANGEABLE:
            raise BadInput(f"--field: {name!r} cannot be changed", field=name)
        if name in ("importance", "confidence"):
            if isinstance(value, str):
                raise BadInput(f"--field: {name!r} is a number", field=name, hint=f"--{name} sets it")
            check_share(name, value)
        elif name in ("created", "valid_from", "valid_until") and isinstance(value, str):
            check_date(name, value)
        elif name == "status" and value not in list(Status):
            raise BadInput(f"--status: {value!r} is none of {', '.join(Status)}", field="status")
        elif isinstance(value, str):
            refuse_bad_text(name, value)


def check_text(text: str, name: str = "text") -> None:
    """Raises `BadInput` where `text`, which is the `name` of a memory, is empty or cannot be written."""
    if is_blank(text):
        raise BadInput(f"the {name} is empty", field=name)
    if "\x00" in text:
        raise BadInput(f"the {name} holds a NUL character", field=name)
    refuse_bad_text(name, text)


def append(work: Work, reference: str, text: str, *, expect: str | None, origin: Origin) -> Written:
    """Adds `text` as new lines at the end."""
    check_text(text)

    def change(_: Snapshot, memory: Memory, old: str) -> Edited:
        if any(problem.code in ("encoding", "binary") for problem in memory.problems):
            raise Refused(f"{memory.path}: is not UTF-8 text, so none can be added to it")
        newline = parse_document(old).newline
        added = text if text.endswith(("\n", "\r")) else text + "\n"
        if newline == "\r\n":
            added = added.replace("\r\n", "\n").replace("\n", "\r\n")
        between = "" if not old or old.endswith(("\n", "\r")) else newline
        return Edited(old + between + added, memory.path)

    return edit(work, reference, change, operation="append", expect=expect, origin=origin)


def tag(
    work: Work,
    reference: str,
    *,
    add: Sequence[str],
    remove: Sequence[str],
    expect: str | None,
    origin: Origin,
) -> Written:
    """Adds and removes tags; the order and style of those that stay is kept."""
    refuse_lone_texts(add=add, remove=remove)
    added, removed = unique(add), set(map(_tag_key, remove))
    if not added and not removed:
        raise BadInput("nothing to change: give --add or --remove", field="add")
    for name, values in (("add", add), ("remove", remove)):
        for value in values:
            if not value.strip() or not value.isprintable():
                raise BadInput(f"--{name}: {value!r} cannot be a tag", field=name)
            refuse_bad_text(name, value)

    def change(_: Snapshot, memory: Memory, old: str) -> Edited:
        present = memory.fields.get("tags")
        if isinstance(present, dict):
            raise HeaderCannotChange("tags: a mapping stands where a list belongs")
        # What is no tag, such as a list in the list, is kept as it is written.
        before: list[Json] = list(present) if isinstance(present, list) else list(memory.tags)
        kept = [item for item in before if _tag_key(as_text(item) or "") not in removed]
        have = set(map(_tag_key, memory.tags)) - removed
        kept += [value for value in added if _tag_key(value) not in have]
        if before == kept:
            return Edited(old, memory.path)
        return Edited(edit_header(old, {"tags": kept}), memory.path)

    return edit(work, reference, change, operation="tag", expect=expect, origin=origin)


def _tag_key(tag: str) -> str:
    """What makes two tags the same, as for a filter by them."""
    return key("tag", tag)
