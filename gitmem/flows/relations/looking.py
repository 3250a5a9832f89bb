"""The links between the memories of a branch and its archive, by the index, for whoever asks.

What may not be read is not found, as if it were not there: a link to it leads nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import TypeVar

from msgspec import Struct

from gitmem.errors import NotFound
from gitmem.evolve.relations import (
    Dangling,
    Link,
    Resolver,
    Standing,
    entity_key,
    names_of,
    names_of_entity,
    outgoing,
)
from gitmem.flows.reading.indexed import index_view
from gitmem.flows.reading.locate import locate
from gitmem.flows.reading.locked import locked_notes, refuse_locked
from gitmem.flows.reading.seen import seen
from gitmem.flows.reading.unreadable import unreadable_notes
from gitmem.flows.work import Work
from gitmem.index.content import IndexContent
from gitmem.index.keys import key
from gitmem.index.names import ABOUT, called, link_keys
from gitmem.index.record import Record
from gitmem.index.schema import ID_KEY, KEYS, LINKS, NAMES, PATH, SUPERSEDES
from gitmem.index.view import IndexView
from gitmem.model.ids import id_key
from gitmem.model.memory import Memory
from gitmem.versions.snapshot import Snapshot

T = TypeVar("T")


class Opened(Struct, frozen=True):
    """The index of a branch, whether that is the archive, and how its memories are read whole."""

    content: IndexContent
    is_archived: bool
    read: Callable[[Record], Memory]


class Entity(Struct, frozen=True):
    """An entity that memories name and that no memory is of."""

    key: str
    name: str


class Relations:
    """The links among memories; each question to the index is asked once."""

    def __init__(self, opened: Sequence[Opened]) -> None:
        """`opened` are the branch and the archive."""
        self._opened = opened
        self.resolver = Resolver(self.find)
        self._found: dict[tuple[str, str], list[Standing]] = {}
        self._outgoing: dict[str, tuple[list[Link], list[Dangling]]] = {}
        self._around: dict[str, list[Link]] = {}
        self._nodes: dict[str, Standing | Entity] = {}

    def find(self, kind: str, name: str) -> list[Standing]:
        """The memories that have the name; those of the archive only where the branch has none."""
        asked = (kind, name)
        if asked not in self._found:
            term = _term(kind, name)
            found: list[Standing] = []
            if term is not None:
                each_found = (list(self._with(opened, *term)) for opened in self._opened)
                found = next(filter(None, each_found), [])
            self._found[asked] = found
        return self._found[asked]

    def _with(self, opened: Opened, name: str, term: str) -> Iterator[Standing]:
        for document in opened.content.documents_with(name, term):
            yield self._known(Standing(opened.content.record(document), opened.is_archived))

    def _known(self, standing: Standing) -> Standing:
        known = self._nodes.setdefault(standing.key, standing)
        if isinstance(known, Standing) and _first(standing) < _first(known):
            # Of two that have one id, the same one stands for both whoever is asked for first.
            self._nodes[standing.key] = standing
        return standing

    def node(self, node_key: str) -> Standing | Entity:
        """The memory or entity of a key that a link gave."""
        return self._nodes[node_key]

    def everything(self, *, with_archive: bool) -> Iterator[Standing]:
        """Every memory, in the order of paths, the archive last; each id once."""
        for opened in self._opened:
            if opened.is_archived and not with_archive and len(self._opened) > 1:
                continue
            content = opened.content
            for record in sorted(map(content.record, content.all_documents()), key=lambda each: each.path):
                standing = Standing(record, opened.is_archived)
                known = self._known(standing)
                if self._nodes[known.key] == standing:
                    yield standing

    def key_of_entity(self, name: str) -> str:
        """The key of the node that a header means by the name of an entity."""
        found = self.resolver.entity(name)
        if found is not None:
            return found.key
        return self._nodes.setdefault(entity_key(name), Entity(entity_key(name), name)).key

    def read(self, standing: Standing) -> Memory:
        """The memory whole, with its text."""
        opened = next(each for each in self._opened if each.is_archived == standing.is_archived)
        return opened.read(standing.record)

    def outgoing(self, standing: Standing) -> tuple[list[Link], list[Dangling]]:
        """What a memory says of others."""
        if standing.key not in self._outgoing:
            self._outgoing[standing.key] = outgoing(standing.record, self.resolver)
            for name in standing.record.entities:
                self.key_of_entity(name)
        return self._outgoing[standing.key]

    def around(self, node_key: str) -> list[Link]:
        """The links of a node in both directions."""
        if node_key not in self._around:
            node = self.node(node_key)
            own = self.outgoing(node)[0] if isinstance(node, Standing) else []
            links = dict.fromkeys(own)
            for other in self._pointing_at(node):
                links.update((link, None) for link in self.outgoing(other)[0] if link.target == node_key)
            self._around[node_key] = list(links)
        return self._around[node_key]

    def named_entity(self, name: str) -> str | None:
        """The key of an entity without a memory, if any memory names it so."""
        asked = Entity(entity_key(name), name.strip())
        for each in self._pointing_at(asked):
            if any(link.target == asked.key for link in self.outgoing(each)[0]):
                return asked.key
        return None

    def _pointing_at(self, node: Standing | Entity) -> list[Standing]:
        """The memories that may link to a node, by the index; they are asked whether they do."""
        terms = _terms_of_entity(node.name) if isinstance(node, Entity) else _terms_of_links_to(node.record)
        found: dict[tuple[str, bool], Standing] = {}
        for opened in self._opened:
            for name, term in terms:
                for each in self._with(opened, name, term):
                    found[each.record.path, each.is_archived] = each
        shown = [each for each in found.values() if self._nodes[each.key] == each]
        return sorted(shown, key=_first)


def _first(standing: Standing) -> tuple[bool, str]:
    return standing.is_archived, standing.record.path


def _term(kind: str, name: str) -> tuple[str, str] | None:
    """The field and term of the index under which a name of one kind is found."""
    if not name:
        return None
    exact = {"id": (ID_KEY, id_key(name)), "path": (PATH, name), "title": (KEYS, key("title", name))}
    return exact.get(kind) or (NAMES, key(kind, name))


def _terms_of_links_to(record: Record) -> list[tuple[str, str]]:
    found = [(SUPERSEDES, id_key(record.id))]
    for name in names_of(record):
        found += [(LINKS, id_key(name)), *((NAMES, term) for term in link_keys(name))]
    found += [(NAMES, key(ABOUT, name)) for name in names_of_entity(record)]
    return list(dict.fromkeys(found))


def _terms_of_entity(name: str) -> list[tuple[str, str]]:
    return [(NAMES, key(ABOUT, called(name)))]


def ask(work: Work, question: Callable[[Relations | None], T]) -> tuple[T, tuple[str, ...]]:
    """The answer to `question`, asked of the relations as the branch stands, and notes to it.

    None is handed in where the branch has no commit yet. Hand edits are seen as every read sees them.
    """
    with ExitStack() as stack:
        views: list[tuple[IndexView, bool]] = []
        notes: list[str] = []
        for place, snapshot, is_archived in _places(work):
            sight = seen(place)
            view = stack.enter_context(index_view(place, snapshot, sight.memories, sight.gone))
            if view is not None:
                views.append((view, is_archived))
                notes += unreadable_notes(place, snapshot, view.unreadable())
                notes += [*sight.notes, *locked_notes(place, snapshot)]
        answer = _read(views, [], question)
    return answer, tuple(dict.fromkeys(notes))


def _places(work: Work) -> list[tuple[Work, Snapshot, bool]]:
    """The branch, and the archive beside it, as they stood at one moment."""
    archive = work.place.config.branches["archive"]
    beside = None if work.branch == archive else work.beside(archive)
    if beside is None:
        return [(work, work.snapshot(), work.branch == archive)]
    if work.is_past:
        here, there = work.snapshot(), beside.snapshot()
    else:
        here, there = work.place.snapshots_of(work.branch, archive)
    return [(work, here, False), (beside, there, True)]


def _read(
    views: Sequence[tuple[IndexView, bool]],
    opened: list[Opened],
    question: Callable[[Relations | None], T],
) -> T:
    """Opens view after view, so that damage in any of them is healed and the question asked again."""
    if len(opened) == len(views):
        return question(Relations(opened) if opened else None)
    view, is_archived = views[len(opened)]
    return view.read(
        lambda content: _read(views, [*opened, Opened(content, is_archived, view.memory)], question)
    )


def start_of(work: Work, relations: Relations | None, reference: str) -> str:
    """The key of what a person names: a memory as every verb finds it, else by a name as links give it.

    An entity that memories name without being one is found too. Raises `NotFound`, `Ambiguous`, `Refused`
    where the memory is encrypted and its key is not here.
    """
    try:
        found = locate(work, reference)
    except NotFound:
        by_name = None if relations is None else _by_name(relations, reference)
        if by_name is None:
            raise
        return by_name
    refuse_locked(found.memory)
    same = [] if relations is None else relations.find("path", found.memory.path)
    if relations is None or not same:
        # It is there, and the answer would leave it out: what is shown is not what was found.
        raise NotFound(f"{found.memory.id} is not shown", name=reference)
    return same[0].key


def _by_name(relations: Relations, name: str) -> str | None:
    found = relations.resolver.memory(name) or relations.resolver.entity(name)
    if found is not None:
        return found.key
    return relations.named_entity(name)
