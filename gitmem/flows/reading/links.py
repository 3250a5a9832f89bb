"""What a memory corrects and disputes, and what corrects and disputes it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from gitmem.flows.reading.indexed import index_view
from gitmem.flows.work import Work
from gitmem.index.content import IndexContent
from gitmem.index.record import Record
from gitmem.index.schema import ID_KEY, LINKS, SUPERSEDES
from gitmem.model.ids import id_key
from gitmem.model.memory import Memory
from gitmem.model.others import relations_in

DISPUTES = frozenset(("contradicts", "disputes", "disputed"))
"""The relations in `related` that say that two memories cannot both hold."""


class Linked(Struct, frozen=True):
    """Another memory and how it stands to this one.

    `how` is `supersedes`, `superseded_by`, `disputes` or `disputed_by`; `title` is None where no memory
    of the branch has the id.
    """

    how: str
    id: str
    title: str | None


def links_of(work: Work, memory: Memory) -> list[Linked]:
    """The corrections and disputes of `memory`, its own first."""
    with index_view(work, work.snapshot()) as view:
        if view is None:
            return []
        return view.read(lambda content: list(_links(content, memory)))


def _links(content: IndexContent, memory: Memory) -> Iterator[Linked]:
    own = id_key(memory.id)
    for superseded in memory.supersedes:
        yield _linked(content, "supersedes", superseded)
    for record in _records(content, SUPERSEDES, own):
        yield Linked("superseded_by", record.id, record.title)
    for relation in memory.related:
        if relation.relation.casefold() in DISPUTES:
            yield _linked(content, "disputes", relation.to)
    for record in _records(content, LINKS, own):
        if own in _disputed(record):
            yield Linked("disputed_by", record.id, record.title)


def _linked(content: IndexContent, how: str, memory_id: str) -> Linked:
    found = _records(content, ID_KEY, id_key(memory_id))
    return Linked(how, memory_id, found[0].title if found else None)


def _records(content: IndexContent, field: str, name: str) -> list[Record]:
    found = [content.record(document) for document in content.documents_with(field, name)]
    return sorted(found, key=lambda record: record.path)


def _disputed(record: Record) -> set[str]:
    """The ids that `record` says it disputes."""
    relations, _ = relations_in(record.fields.get("related"))
    return {id_key(each.to) for each in relations if each.relation.casefold() in DISPUTES}
