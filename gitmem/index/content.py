"""One state of the index opened for reading: disk segments, and what memory adds to or masks of them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice, takewhile
from typing import Any, NamedTuple, TypeVar

from gitmem.index.columns import NUMBERS
from gitmem.index.leaf import Leaf, Segment
from gitmem.index.length_bytes import length_of
from gitmem.index.postings import Postings, PostingsReader
from gitmem.index.record import Record
from gitmem.index.schema import PATH, encode_term
from gitmem.index.segment_file import SegmentFile
from gitmem.index.stamp import Totals

T = TypeVar("T")
M = TypeVar("M", bound=Mapping[int, float])
MOST_RECORDS_KEPT = 20_000
MOST_DOCUMENTS_KEPT = 1_000_000
MOST_FREQUENCIES_KEPT = 100_000
"""How many records, documents in sets, and frequencies of words a content holds on to between questions."""
BYTE_LENGTHS = tuple(length_of(value) for value in range(256))


class Shown(NamedTuple):
    """Which documents a content shows."""

    leaves: list[Leaf]
    totals: Totals


class IndexContent:
    """The documents of one commit. Numbers of documents hold only within one content."""

    def __init__(self, segments: Iterable[Segment], totals: Totals) -> None:
        """Takes over `segments`; `totals` are those of the live documents."""
        self._files: list[SegmentFile] = []
        self.totals = totals
        self._records: dict[int, Record] = {}
        self._leaves: list[Leaf] = []
        self._size = 0
        self._numbers: dict[str, array[int]] = {}
        self._lengths: dict[tuple[int, str], Sequence[int]] = {}
        self._facts: dict[Hashable, Any] = {}
        self._cache: dict[Hashable, Any] = {}
        self._sets: dict[Hashable, Any] = {}
        self._set_sizes = 0
        self._frequencies: dict[Hashable, Any] = {}
        self._frequency_count = 0
        self._add_leaves(segments)

    def _add_leaves(self, segments: Iterable[Segment]) -> None:
        for file, deleted in segments:
            self._files.append(file)
            if file.size:
                leaf = Leaf(file, self._size, None, PostingsReader(file), file.size)
                self._leaves.append(leaf.without(deleted) if deleted else leaf)
            self._size += file.size

    def extend(self, segments: Iterable[Segment], totals: Totals) -> None:
        """Adds the documents of `segments`, which have `totals`; those that are here keep their numbers."""
        self._add_leaves(segments)
        self._facts = {}
        self._forget()
        self.totals = self.totals.plus(totals.lengths, documents=totals.documents)

    @property
    def documents(self) -> int:
        """How many documents are live."""
        return self.totals.documents

    @property
    def leaves(self) -> list[Leaf]:
        """The segments, in the order of their document numbers."""
        return self._leaves

    def counted(self) -> int:
        """How many documents the segments hold live, which must be what the totals say."""
        return sum(leaf.size if leaf.living is None else leaf.living.count(1) for leaf in self._leaves)

    def mask(self, paths: Iterable[str]) -> None:
        """Takes the documents at `paths` out."""
        self.mask_documents(document for path in paths for document in self.documents_with(PATH, path))

    def mask_documents(self, documents: Iterable[int]) -> None:
        """Takes some documents out."""
        self._forget()
        gone: dict[int, set[int]] = {}
        for document in documents:
            leaf = self._leaf(document)
            gone.setdefault(leaf.base, set()).add(document - leaf.base)
            self.totals = self.totals.minus(self.lengths(document))
        self._leaves = [leaf.without(gone[leaf.base]) if leaf.base in gone else leaf for leaf in self._leaves]

    @property
    def shown(self) -> Shown:
        """What is shown now, to be shown again."""
        return Shown(self._leaves, self.totals)

    def show(self, shown: Shown) -> None:
        """Turns to what else its segments have, or had before some of it was taken out."""
        if shown.leaves is not self._leaves:
            self._forget()
            self._leaves, self.totals = shown

    def postings(self, field: str, term: str) -> Iterator[tuple[Leaf, Postings]]:
        """For each segment that has the term: its live documents (own numbers) with their weights."""
        encoded = encode_term(term)
        for leaf in self._leaves:
            found = leaf.postings.read(field, encoded)
            living = leaf.living
            if living is not None:
                found = {own: weight for own, weight in found.items() if living[own]}
            if found:
                yield leaf, found

    def documents_with(self, field: str, term: str) -> list[int]:
        """The live documents that have `term` in an exact field."""
        return [leaf.base + own for leaf, found in self.postings(field, term) for own in found]

    def having(self, field: str, term: str) -> frozenset[int]:
        """The live documents that have `term` in an exact field, kept once it was asked for."""
        found = self._sets.get((field, term))
        if found is None:
            found = self._sets[field, term] = frozenset(self.documents_with(field, term))
            self._set_sizes += len(found) + 1
        return found

    def known(self, terms: tuple[str, ...], fields: tuple[str, ...]) -> tuple[str, ...]:
        """Those of `terms` that a live document has in one of `fields`, kept once they were asked for."""

        def look() -> tuple[str, ...]:
            return tuple(
                term for term in terms if any(True for name in fields for _ in self.postings(name, term))
            )

        return self.cached_set(("known", terms, fields), look, len(terms))

    def has_terms(self, field: str, prefix: str = "") -> bool:
        """Whether any document, live or dead, has a term that begins with `prefix` in an exact field."""

        def look() -> bool:
            encoded = encode_term(prefix)
            firsts = (islice(leaf.file.terms_from(field, encoded), 1) for leaf in self._leaves)
            return any(term.startswith(encoded) for first in firsts for term in first)

        return self.fact(("has terms", field, prefix), look)

    def all_documents(self) -> Iterator[int]:
        """Every live document."""
        return chain.from_iterable(leaf.live_documents() for leaf in self._leaves)

    def terms(self, field: str, prefix: str) -> list[str]:
        """The distinct terms of an exact field that begin with `prefix`; some may have no live document."""
        encoded = encode_term(prefix)
        found: set[bytes] = set()
        for leaf in self._leaves:
            some = leaf.file.terms_from(field, encoded)
            found.update(takewhile(lambda term: term.startswith(encoded), some))
        return [term.decode("utf-8", "surrogatepass") for term in sorted(found)]

    @property
    def size(self) -> int:
        """One more than the highest number of a document."""
        return self._size

    def numbers(self, name: str) -> Sequence[int]:
        """A column of numbers over all segments, read once; it has values for dead documents too."""
        found = self._numbers.get(name)
        if found is None or len(found) != self._size:
            code, default = NUMBERS[name]
            found = self._numbers[name] = array(code)
            for leaf in self._leaves:
                some = leaf.file.numbers(name, code, default)
                found.extend(some if some.typecode == code else array(code, some))
        return found

    def length_bytes(self, leaf: Leaf, field: str) -> Sequence[int]:
        """The length byte of a scored field for each document of a segment, read once."""
        found = self._lengths.get((leaf.base, field))
        if found is None:
            found = self._lengths[leaf.base, field] = leaf.file.lengths(field)
        return found

    def order_key(self, document: int) -> bytes:
        """What sorts a document among those of its session that were created together."""
        leaf = self._leaf(document)
        return leaf.file.order(document - leaf.base)

    def fact(self, name: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made once for all documents, live and dead, whichever are shown."""
        if name not in self._facts:
            self._facts[name] = make()
        found: T = self._facts[name]
        return found

    def cached(self, name: Hashable, make: Callable[[], T]) -> T:
        """What `make` gives, made once for this content as it stands."""
        if name not in self._cache:
            self._cache[name] = make()
        found: T = self._cache[name]
        return found

    def cached_set(self, name: Hashable, make: Callable[[], T], size: int) -> T:
        """The same for what a filter lets through, at most `size` documents: there may be many filters."""
        if name not in self._sets:
            self._sets[name] = make()
            self._set_sizes += size
        found: T = self._sets[name]
        return found

    def kept_frequencies(self, name: Hashable, make: Callable[[], M]) -> M:
        """What `make` gives for the words that `name` says, kept for questions that have them too."""
        found: M | None = self._frequencies.get(name)
        if found is None:
            if self._frequency_count > MOST_FREQUENCIES_KEPT:
                self._frequencies.clear()
                self._frequency_count = 0
            found = self._frequencies[name] = make()
            self._frequency_count += len(found) + 1
        return found

    def trim(self) -> None:
        """Lets go of records and sets where there are many: an opened index may live for long."""
        if len(self._records) > MOST_RECORDS_KEPT:
            self._records.clear()
        if self._set_sizes > MOST_DOCUMENTS_KEPT:
            self._sets.clear()
            self._set_sizes = 0

    def _forget(self) -> None:
        self._cache.clear()
        self._sets.clear()
        self._frequencies.clear()
        self._set_sizes = self._frequency_count = 0

    def lengths(self, document: int) -> Sequence[int]:
        """The exact length of each scored field of a document."""
        return self._stored(document)[0]

    def record(self, document: int) -> Record:
        """The record of a document, read once."""
        record = self._records.get(document)
        if record is None:
            record = self._records[document] = Record.from_stored(self._stored(document)[1])
        return record

    def close(self) -> None:
        """Gives the files back."""
        self._leaves = []
        self._forget()
        for file in self._files:
            file.close()
        self._files = []

    def _stored(self, document: int) -> tuple[list[int], list[object]]:
        leaf = self._leaf(document)
        return leaf.file.stored(document - leaf.base)

    def _leaf(self, document: int) -> Leaf:
        leaf: Leaf
        for leaf in reversed(self._leaves):
            if document >= leaf.base:
                return leaf
        raise IndexError(f"no document {document}")
