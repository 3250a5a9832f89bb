"""From what a person typed to one memory: path, id, or a unique beginning of an id."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.errors import Ambiguous, BadInput, Damaged, NotFound
from gitmem.flows.reading.indexed import index_view
from gitmem.flows.reading.unreadable import unreadable_notes
from gitmem.flows.work import Work
from gitmem.index.record import Record
from gitmem.index.view import IndexView
from gitmem.model.ids import ends_inside_number, id_key
from gitmem.model.lazily import Lazy
from gitmem.model.memory import Memory
from gitmem.versions.snapshot import Snapshot, name_ends_in_id

SHORTEST_PREFIX = 2
_IN_NO_NAME = Lazy("[\ud800-\udc7f\udd00-\udfff]")
"""Half a character, but for those that stand for the bytes of a name which is no UTF-8."""


def get_memory(work: Work, snapshot: Snapshot, reference: str) -> Memory:
    """The memory that `reference` names in `snapshot`.

    Tried in order: a path (`.md` may be left out where that is the id of no other memory), an id by
    file name, an id by the index, a beginning of an id that is no other id. Raises `NotFound`, or
    `Ambiguous` naming the candidates.
    """
    text = reference.strip()
    if not text:
        raise BadInput("the id is empty", field="id")
    if _IN_NO_NAME.search(text):
        raise _not_found(work, snapshot, text)
    found = _by_path(work, snapshot, text) or _only(text, snapshot.named(text))
    if found is not None:
        return found
    with index_view(work, snapshot) as view:
        if view is not None:
            exact = view.by_id(text)
            records = exact or _beginning_with(work, snapshot, view, text)
            if len(records) == 1:
                return snapshot.read(records[0].path, records[0].blob)
            if records:
                raise Ambiguous(text, [record.path if exact else record.id for record in records])
            if unread := view.unreadable():
                # It may be one of these, whose ids nobody knows.
                notes = unreadable_notes(work, snapshot, unread)
                raise Damaged(f"no memory {text!r} is found, but {notes[0]}")
    raise _not_found(work, snapshot, text)


def _not_found(work: Work, snapshot: Snapshot, text: str) -> NotFound:
    return NotFound(
        f"no memory {text!r} on {_where(work, snapshot)}",
        name=text,
        hint="'gitmem list' shows ids and paths, 'gitmem recall' searches",
    )


def _beginning_with(work: Work, snapshot: Snapshot, view: IndexView, text: str) -> list[Record]:
    """The memories whose ids begin with `text`; none where it is the whole id of a memory that is not here.

    Who names that one by its id must not be given another, let alone change it.
    """
    found = view.ids_with_prefix(text) if len(text) >= SHORTEST_PREFIX else []
    if len(found) == 1 and ends_inside_number(text, found[0].id):
        raise NotFound(
            f"no memory {text!r} on {_where(work, snapshot)}; {found[0].id} is another one",
            name=text,
            hint="give the whole id, or the path",
        )
    is_other = bool(found) and not work.is_past and taken_ids(work, snapshot, [text], is_seen=True)
    return [] if is_other else found


def taken_ids(
    work: Work, snapshot: Snapshot, memory_ids: Iterable[str], *, is_seen: bool = False
) -> set[str]:
    """Those of `memory_ids` that memories have, in `snapshot` or on another branch of the store.

    As keys (`id_key`), so case apart, whatever their files are called. The index is asked only
    where ids are given. With `is_seen`, of memories that whoever acts may read.
    """
    keys = {id_key(memory_id) for memory_id in memory_ids}
    if not keys:
        return set()
    if work.place.veil is not None and not is_seen:
        # An id that nobody here can see is in use all the same.
        work = work.whole
        snapshot = work.place.snapshot(snapshot.commit)
    taken = _in_index(work, snapshot, keys)
    others = [work.place.main, *work.place.config.branches.values()]
    for branch in others:
        if branch != work.branch and work.place.tip(branch) is not None:
            elsewhere = work.on(branch)
            taken |= _in_index(elsewhere, elsewhere.snapshot(), keys - taken)
    return taken


def memories_with(work: Work, snapshot: Snapshot, keys: Iterable[str]) -> dict[str, list[Memory]]:
    """The memories of `snapshot` that have each of these ids (as `id_key` gives them), by the index."""
    with index_view(work, snapshot) as view:
        if view is None:
            return {}
        return {key: [snapshot.read(found.path, found.blob) for found in view.by_id(key)] for key in keys}


def _in_index(work: Work, snapshot: Snapshot, keys: set[str]) -> set[str]:
    with index_view(work, snapshot) as view:
        if view is None:
            return set()
        unread = [record.path for record in view.unreadable()]
        return {key for key in keys if view.by_id(key) or any(name_ends_in_id(path, key) for path in unread)}


def _by_path(work: Work, snapshot: Snapshot, text: str) -> Memory | None:
    path = text.removeprefix("./")
    whole = snapshot.memory(path)
    if whole is not None or path.endswith(".md"):
        return whole
    found = snapshot.memory(path + ".md")
    if found is not None and id_key(found.id) != id_key(path):
        refuse_id_of_another(work, snapshot, path)
    return found


def refuse_id_of_another(work: Work, snapshot: Snapshot, name: str) -> None:
    """Raises `Ambiguous` where `name` is the id of a memory, and the file called so is one with another id.

    Also of one that is not here, such as an archived one: who names it must not be given another.
    """
    if "/" in name:
        return
    holders = memories_with(work, snapshot, [id_key(name)]).get(id_key(name), [])
    if holders or (not work.is_past and taken_ids(work, snapshot, [name], is_seen=True)):
        there = holders[0].path if holders else f"the memory {name}, which is not here"
        raise Ambiguous(name, [f"{name}.md", there], hint=f"'{name}.md' means the file")


def _only(text: str, found: list[Memory]) -> Memory | None:
    if len(found) > 1:
        raise Ambiguous(text, [memory.path for memory in found], hint="give the path")
    return found[0] if found and id_key(found[0].id) == id_key(text) else None


def _where(work: Work, snapshot: Snapshot) -> str:
    return f"commit {snapshot.commit[:10]}" if work.is_past and snapshot.commit else work.branch
