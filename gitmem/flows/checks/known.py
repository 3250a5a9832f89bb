"""What is known beside a memory that is checked: which ids there are, and which memories are close to it.

Two ways to know it, with the same questions: all memories read, for the whole store, or the index, for a
change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from typing import Protocol

from gitmem.errors import Damaged
from gitmem.evolve.claims import Reading
from gitmem.evolve.closest import closest
from gitmem.flows.reading.indexed import index_view
from gitmem.flows.work import Work
from gitmem.index.content import IndexContent
from gitmem.index.keys import key
from gitmem.index.names import ALIAS, FILE, file_name
from gitmem.index.record import Record
from gitmem.index.schema import ID_KEY, KEYS, LINKS, NAMES
from gitmem.index.view import IndexView
from gitmem.model.document import decode
from gitmem.model.ids import BlobId, id_key
from gitmem.model.memory import Memory
from gitmem.model.reading import MAX_MEMORY_BYTES, START_BYTES, read_memory
from gitmem.model.wiki_links import aliases_in

MOST_KEPT = 5_000
"""How many memories are kept with what they claim, when all of a store are compared."""


class Known(Protocol):
    """What is known of a store while one memory of it is checked."""

    def has(self, name: str) -> bool:
        """Whether a memory of the branch or the archive has the id, path, title or file name `name`."""

    def near(self, reading: Reading) -> Iterator[Reading]:
        """The memories that may say the same as `reading`, or the contrary. Not itself."""


def reading_of(work: Work, path: str, blob: BlobId) -> Reading:
    """The memory in `blob` with the text of its file. Raises `Damaged`; of a large one the start is read."""
    repository = work.place.repository
    if repository.blob_size(blob) > MAX_MEMORY_BYTES:
        data = repository.read_start(blob, START_BYTES)
        return Reading(read_memory(path, blob, data, is_start=True), decode(data)[0])
    data = repository.load_blob(blob)
    return Reading(read_memory(path, blob, data), decode(data)[0])


def names_of(memory: Memory | Record) -> Iterator[str]:
    """The names by which a text may link to a memory, as `is_named` looks for them.

    Id, title, path and each end of it, aliases: what `related` takes a link for too.
    """
    plain = memory.path.removesuffix(".md")
    places = (number for number, character in enumerate(plain) if character == "/")
    ends = (plain[place + 1 :] for place in places)
    yield from map(id_key, (memory.id, memory.title, plain, *ends, *aliases_in(memory.fields)))


def is_named(name: str, names: Container[str]) -> bool:
    """Whether `name`, as it stands in a link, is one of `names`, which `names_of` gave."""
    return id_key(name.strip()) in names or id_key(plain_name(name)) in names


def plain_name(name: str) -> str:
    """The name in a link without what says that it is a path: `.md` behind it, `/`, `./` or `../` before."""
    return name.strip().removesuffix(".md").strip("/").removeprefix("./").removeprefix("../")


class GatheredKnown:
    """The memories of a branch that were read so far; the texts of the last few thousand are kept."""

    def __init__(self, work: Work, archived: Iterable[Memory]) -> None:
        """`archived` are the memories on the archive branch."""
        self._ids: set[str] = set()
        self._names: set[str] = set()
        for memory in archived:
            self._know(memory)
        self._holders: dict[str, list[int]] = defaultdict(list)
        self._places: list[tuple[str, BlobId]] = []
        self._read = lru_cache(MOST_KEPT)(lambda path, blob: reading_of(work, path, blob))

    def read(self, path: str, blob: BlobId) -> Reading:
        """The memory in `blob`, as `reading_of` gives it."""
        return self._read(path, blob)

    def add(self, reading: Reading, *, is_compared: bool) -> None:
        """Makes the names of a memory known, and, where others are compared with it, its words."""
        for term in reading.terms if is_compared else ():
            self._holders[term].append(len(self._places))
        self._know(reading.memory)
        self._places.append((reading.memory.path, reading.memory.blob))

    def _know(self, memory: Memory) -> None:
        self._ids.add(id_key(memory.id))
        self._names.update(names_of(memory))

    def has_id(self, memory_id: str) -> bool:
        """Whether a memory of the branch or the archive has this id."""
        return id_key(memory_id) in self._ids

    def has(self, name: str) -> bool:
        return is_named(name, self._names)

    def near(self, reading: Reading) -> Iterator[Reading]:
        for number in closest(reading, lambda term: self._holders.get(term, ()), len(self._places)):
            yield self._read(*self._places[number])


class IndexedKnown:
    """The memories of main with a change applied, by the index; only what comes close is read."""

    def __init__(self, work: Work, stack: ExitStack, changed: Sequence[Reading], gone: Sequence[str]) -> None:
        """`changed` are the memories that the change brings, `gone` the paths that it takes away.

        The views are closed with `stack`.
        """
        self._work = work
        self._changed = {(reading.memory.path, reading.memory.blob): reading for reading in changed}
        self._snapshot = work.snapshot()
        self._view = stack.enter_context(
            index_view(work, self._snapshot, [reading.memory for reading in changed], gone)
        )
        self._elsewhere: list[IndexView] = []
        for branch in dict.fromkeys(work.place.config.branches.values()):
            if branch != work.branch and work.place.tip(branch) is not None:
                other = work.on(branch)
                view = stack.enter_context(index_view(other, other.snapshot()))
                self._elsewhere += [] if view is None else [view]

    def with_id(self, memory_id: str) -> list[Record]:
        """The memories of main that have this id."""
        return self._view.by_id(memory_id) if self._view else []

    def stands_elsewhere(self, memory_id: str) -> bool:
        """Whether archive, working or quarantine has a memory with this id."""
        return any(view.by_id(memory_id) for view in self._elsewhere)

    def linking_to(self, memory_id: str) -> list[Record]:
        """The memories of main whose header links to this id."""
        if self._view is None:
            return []
        return self._view.read(
            lambda content: [
                content.record(document)
                for field in (LINKS, "supersedes")
                for document in content.documents_with(field, id_key(memory_id))
            ]
        )

    def has_id(self, memory_id: str) -> bool:
        """Whether a memory of main or of another branch of the store has this id."""
        return bool(self.with_id(memory_id)) or self.stands_elsewhere(memory_id)

    def has(self, name: str) -> bool:
        return any(_has(view, name) for view in (self._view, *self._elsewhere) if view is not None)

    def near(self, reading: Reading) -> Iterator[Reading]:
        if self._view is None:
            return
        records = self._view.read(
            lambda content: [
                content.record(number)
                for number in closest(
                    reading,
                    lambda term: {
                        *content.documents_with("text", term),
                        *content.documents_with("title", term),
                    },
                    content.documents,
                )
            ]
        )
        for record in records:
            if record.path == reading.memory.path:
                continue
            known = self._changed.get((record.path, record.blob))
            try:
                yield known or reading_of(self._work, record.path, record.blob)
            except Damaged:
                continue


def _has(view: IndexView, name: str) -> bool:
    """Whether a memory of the view is named so; the same as `is_named` says of the names of all of them."""
    plain = plain_name(name)
    file = file_name(plain)
    terms = {
        *((ID_KEY, id_key(each)) for each in (name.strip(), plain) if each),
        *((KEYS, key("title", each)) for each in (name.strip(), plain) if each),
        *((NAMES, key(ALIAS, each)) for each in (name.strip(), plain) if each),
        *([(NAMES, key(FILE, file))] if file else []),
    }

    def is_there(content: IndexContent) -> bool:
        records = (
            content.record(document)
            for field, term in terms
            for document in content.documents_with(field, term)
        )
        return any(is_named(name, set(names_of(record))) for record in records)

    return view.read(is_there)
