"""What is known beside a memory that is checked: which ids there are, and which memories are close to it.

Two ways to know it, with the same questions: all memories read, for the whole store, or the index, for a
change.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
from typing import Protocol

from gitmem.errors import Damaged
from gitmem.flows.work import Work
from gitmem.index.keys import key
from gitmem.index.record import Record
from gitmem.index.schema import KEYS, LINKS
from gitmem.index.view import IndexView
from gitmem.model.document import decode
from gitmem.model.ids import BlobId, id_key
from gitmem.model.memory import Memory
from gitmem.model.reading import MAX_MEMORY_BYTES, START_BYTES, read_memory
from gitmem.review.claims import Reading
from gitmem.review.closest import closest

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
    """The names by which a text may link to a memory, case apart."""
    stem = memory.path.rpartition("/")[2].removesuffix(".md")
    yield from (
        id_key(name) for name in (memory.id, memory.title, memory.path, memory.path.removesuffix(".md"), stem)
    )


class GatheredKnown:
    """The memories of a branch that were read so far; the texts of the last few thousand are kept."""

    def __init__(self, work: Work, archived: Iterable[str]) -> None:
        """`archived` are the ids on the archive branch."""
        self._names = {id_key(name) for name in archived}
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
        self._names.update(names_of(reading.memory))
        self._places.append((reading.memory.path, reading.memory.blob))

    def has(self, name: str) -> bool:
        return id_key(name) in self._names

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
            work.index_view(self._snapshot, [reading.memory for reading in changed], gone)
        )
        self._elsewhere: list[IndexView] = []
        for branch in dict.fromkeys(work.place.config.branches.values()):
            if branch != work.branch and work.place.tip(branch) is not None:
                other = work.on(branch)
                view = stack.enter_context(other.index_view(other.snapshot()))
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
        return self._is_in_index(name) or self.stands_elsewhere(name) or self._is_a_file(name)

    def _is_in_index(self, name: str) -> bool:
        if self._view is None:
            return False
        if self._view.by_id(name) or self._view.by_path(name) or self._view.by_path(f"{name}.md"):
            return True
        return self._view.read(lambda content: bool(content.documents_with(KEYS, key("title", name))))

    def _is_a_file(self, name: str) -> bool:
        wanted = id_key(name)
        paths = [*self._snapshot.names_ending_in(wanted), *(path for path, _ in self._changed)]
        return any(id_key(path.rpartition("/")[2].removesuffix(".md")) == wanted for path in paths)

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
