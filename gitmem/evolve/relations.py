"""How memories relate: what each says of others, and which memory the name in a link means.

    related      entries of the header, with the relation they give
    supersedes   what it corrects
    mentions     a `[[link]]` in its text; one in another header field has the name of that field
    about        an entity that its header names: the memory of it, or, where there is none, its bare name

A name in a link means, tried in this order: an id, a path, a title, the name of a file, the end of a path, an
alias. Of several memories that it may mean, the one in the same folder, else the one with the shortest path.
What is on the branch goes before what is archived. Nothing is said of what the caller's `find` does not find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct

from gitmem.index.names import called, file_name, is_entity, without_kind
from gitmem.index.record import Record
from gitmem.model.ids import id_key
from gitmem.model.others import relations_in
from gitmem.model.wiki_links import aliases_in

ABOUT, SUPERSEDES = "about", "supersedes"
ENTITY = "entity"
"""Stands where a memory has its type, for an entity that no memory is of."""


class Standing(Struct, frozen=True):
    """A memory, and whether it is archived."""

    record: Record
    is_archived: bool = False

    @property
    def key(self) -> str:
        return id_key(self.record.id)


class Link(Struct, frozen=True, order=True):
    """The node `source` says that it stands in `relation` to the node `target`, by their keys."""

    source: str
    target: str
    relation: str

    def other(self, key: str) -> str:
        """The end that is not `key`."""
        return self.target if key == self.source else self.source


class Dangling(Struct, frozen=True, order=True):
    """A link of the node `source` to what is not there: the name as it is written, and the relation."""

    source: str
    name: str
    relation: str


Find = Callable[[str, str], Sequence[Standing]]
"""The memories that have a name of one kind: `id`, `path`, `title`, `file`, `alias` or `called`."""


class Resolver:
    """Tells which memory a name means, by what `find` finds."""

    def __init__(self, find: Find) -> None:
        self._find = find
        self._entities: dict[str, Standing | None] = {}

    def memory(self, name: str, folder: str = "") -> Standing | None:
        """The memory that a link in a file of `folder` means by `name`."""
        plain = name.strip().removesuffix(".md").strip("/")
        for kind, value in (
            ("id", plain),
            ("path", f"{plain}.md"),
            ("path", name.strip()),
            ("title", name.strip()),
            ("file", plain),
        ):
            if found := self._best(self._find(kind, value), folder):
                return found
        if "/" in plain:
            ending = f"/{plain.casefold().removeprefix('./').removeprefix('../')}.md"
            same = self._find("file", file_name(plain))
            if found := self._best([each for each in same if _ends(each.record, ending)], folder):
                return found
        return self._best(self._find("alias", name.strip()), folder)

    def entity(self, name: str) -> Standing | None:
        """The memory of an entity that a header names `person:alice`; None for none, and for several."""
        if name not in self._entities:
            found = self._find("called", called(name)) or self._find("called", called(without_kind(name)))
            self._entities[name] = found[0] if len(found) == 1 else None
        return self._entities[name]

    @staticmethod
    def _best(found: Sequence[Standing], folder: str) -> Standing | None:
        def rank(each: Standing) -> tuple[bool, bool, int, str]:
            path = each.record.path
            return (each.is_archived, path.rpartition("/")[0] != folder, len(path), path)

        return min(found, key=rank, default=None)


def _ends(record: Record, ending: str) -> bool:
    return f"/{record.path.casefold()}".endswith(ending)


def outgoing(record: Record, resolver: Resolver) -> tuple[list[Link], list[Dangling]]:
    """What a memory says of others, each once: its links, and those that lead nowhere."""
    own, folder = id_key(record.id), record.path.rpartition("/")[0]
    links: dict[Link, None] = {}
    dangling: dict[Dangling, None] = {}
    for name, relation in _named(record):
        found = resolver.memory(name, folder)
        if found is None:
            dangling[Dangling(own, name, relation)] = None
        elif found.key != own:
            links[Link(own, found.key, relation)] = None
    for name in record.entities:
        entity = resolver.entity(name)
        target = entity_key(name) if entity is None else entity.key
        if target != own:
            links[Link(own, target, ABOUT)] = None
    return list(links), list(dangling)


def _named(record: Record) -> Iterator[tuple[str, str]]:
    """The names of other memories that a record gives, each with the relation."""
    relations, _ = relations_in(record.fields.get("related"))
    yield from ((each.to, each.relation.strip() or "related") for each in relations)
    yield from ((name, SUPERSEDES) for name in record.supersedes)
    yield from record.mentions


def entity_key(name: str) -> str:
    """The key of an entity that no memory is of. No id has a colon."""
    return f"{ENTITY}:{called(name)}"


def names_of(record: Record) -> list[str]:
    """All names by which a link may mean this memory, but for ends of its path."""
    return [
        record.id,
        record.path,
        record.path.removesuffix(".md"),
        record.title,
        file_name(record.path),
        *aliases_in(record.fields),
    ]


def names_of_entity(record: Record) -> list[str]:
    """The names by which headers may mean this memory as an entity, in the form that is compared."""
    if not is_entity(record.namespace):
        return []
    names = [called(name) for name in (record.title, *aliases_in(record.fields))]
    return list(dict.fromkeys(name for name in names if name))
