"""What Whoosh is given to write the segments of gitmem: a codec, its segment, and a writer with its pool.

Whoosh's writer keeps the generations, the lock and what is deleted; each segment is one file in the format of
`segment_file.py`, in which a term takes the tenth part of what Whoosh's own format takes for it. Segments are
pickled with their classes, so the public classes of this module keep their names.
"""

from __future__ import annotations

import json
import zlib
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from whoosh.codec.base import Codec, FieldWriter, PerDocumentWriter, TermsReader
from whoosh.codec.whoosh3 import W3Segment
from whoosh.columns import Column
from whoosh.fields import Schema
from whoosh.filedb.filestore import Storage
from whoosh.util.numeric import length_to_byte
from whoosh.writing import SegmentWriter

from gitmem.index.columns import GROUP, NO_GROUP, ORDER
from gitmem.index.posting_bytes import encode
from gitmem.index.segment_file import (
    RECORDS_TOGETHER,
    Part,
    groups_part,
    numbers_part,
    segment_bytes,
)
from gitmem.index.term_table import table_bytes

_COMPRESSION = 6
Occurrences = tuple[list[int], list[int]]
"""The documents that have a term, rising, and its weight in each."""


class Numbers(Column):  # type: ignore[misc]
    """A column of numbers. The schema is pickled with it, so this class keeps its module and its name."""

    def __init__(self, code: str, default: int) -> None:
        self.code = code
        self.default = default

    def default_value(self, reverse: bool = False) -> int:
        del reverse
        return self.default


class Texts(Column):  # type: ignore[misc]
    """A column of bytes; the same goes for it."""

    def default_value(self, reverse: bool = False) -> bytes:
        del reverse
        return b""


class LeanCodec(Codec):  # type: ignore[misc]
    """Writes the parts of a segment, which are put into one file at the end."""

    length_stats = False

    def per_document_writer(self, storage: Storage, segment: LeanSegment) -> _Documents:
        del storage
        return _Documents(segment)

    def field_writer(self, storage: Storage, segment: LeanSegment) -> _Terms:
        del storage
        return _Terms(segment)

    def new_segment(self, storage: Storage, indexname: str) -> LeanSegment:
        del storage
        return LeanSegment(self, indexname)

    def terms_reader(self, storage: Storage, segment: LeanSegment) -> TermsReader:
        raise NotImplementedError("segments are read by gitmem.index.segment_file")


class LeanSegment(W3Segment):  # type: ignore[misc]
    """A segment whose file is written in one go."""

    parts: dict[str, Part]

    def __init__(self, codec: LeanCodec, indexname: str) -> None:
        super().__init__(codec, indexname)
        self.parts = {}

    def __getstate__(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "parts"}

    def create_compound_file(self, storage: Storage) -> None:
        """Writes the one file that the segment has."""
        with storage.create_file(self.make_filename(self.COMPOUND_EXT)) as file:
            file.write(segment_bytes(self.doc_count_all(), self.parts))
        self.compound = True
        self.parts = {}


class LeanWriter(SegmentWriter):  # type: ignore[misc]
    """Whoosh's writer, with postings kept by term until they are written."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, codec=LeanCodec(), **settings)
        self.pool = _Pool()


class _Pool:
    """The postings of a segment that is being written, by field and term. Documents come in rising order."""

    def __init__(self) -> None:
        self._fields: dict[str, dict[bytes, Occurrences]] = {}

    def add(self, posting: tuple[str, bytes, int, float, bytes]) -> None:
        """Takes field, term, document, weight, and a value that no field of gitmem has."""
        field, term, document, weight, _ = posting
        whole = int(weight)
        if whole != weight or whole < 1:
            raise ValueError("weights are whole numbers from 1 on")
        terms = self._fields.get(field)
        if terms is None:
            terms = self._fields[field] = {}
        found = terms.get(term)
        if found is None:
            terms[term] = ([document], [whole])
        else:
            found[0].append(document)
            found[1].append(whole)

    def iter_postings(self) -> Iterator[tuple[str, dict[bytes, Occurrences]]]:
        """Each field with its terms."""
        return iter(sorted(self._fields.items()))

    def cleanup(self) -> None:
        self._fields = {}


class _Terms(FieldWriter):  # type: ignore[misc]
    """Writes the tables of terms; its postings come from `_Pool`."""

    def __init__(self, segment: LeanSegment) -> None:
        self._segment = segment
        self.is_closed = False

    def add_postings(
        self, schema: Schema, lengths: object, items: Iterable[tuple[str, Mapping[bytes, Occurrences]]]
    ) -> None:
        del schema, lengths
        for field, terms in items:
            table = table_bytes([(term, encode(*terms[term])) for term in sorted(terms)])
            self._segment.parts[f"terms/{field}"] = table, ""

    def close(self) -> None:
        self.is_closed = True


class _Documents(PerDocumentWriter):  # type: ignore[misc]
    """Writes what is kept by document."""

    def __init__(self, segment: LeanSegment) -> None:
        self._segment = segment
        self._document = -1
        self._stored: dict[str, object] = {}
        self._lines: list[bytes] = []
        self._records = bytearray()
        self._record_places = array("I", [0])
        self._lengths: dict[str, bytearray] = {}
        self._numbers: dict[str, array[int]] = {}
        self._orders = bytearray()
        self._order_places = array("I", [0])
        self.is_closed = False

    def start_doc(self, docnum: int) -> None:
        self._document = docnum
        self._stored = {}

    def add_field(self, fieldname: str, fieldobj: object, value: object, length: int) -> None:
        del fieldobj
        if value is not None:
            self._stored[fieldname] = value
        if length:
            lengths = self._lengths.setdefault(fieldname, bytearray())
            lengths.extend(bytes(self._document - len(lengths)))
            lengths.append(length_to_byte(length))

    def add_column_value(self, fieldname: str, columnobj: Column, value: Any) -> None:
        if fieldname == ORDER:
            self._fill_orders(self._document)
            self._orders += value
            self._order_places.append(len(self._orders))
            return
        numbers = self._numbers.get(fieldname)
        if numbers is None:
            numbers = self._numbers[fieldname] = array(columnobj.code)
        numbers.extend([columnobj.default] * (self._document - len(numbers)))
        numbers.append(value)

    def finish_doc(self) -> None:
        stored = [self._stored[name] for name in sorted(self._stored)]
        line = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
        self._lines.append(line.encode("utf-8", "surrogatepass"))
        if len(self._lines) == RECORDS_TOGETHER:
            self._flush_lines()

    def close(self) -> None:
        self.is_closed = True
        if self._lines:
            self._flush_lines()
        count = self._document + 1
        parts = self._segment.parts
        parts["records"] = bytes(self._records), ""
        parts["record-places"] = numbers_part(self._record_places)
        for name, numbers in self._numbers.items():
            parts[f"numbers/{name}"] = numbers_part(numbers)
        for name, lengths in self._lengths.items():
            parts[f"lengths/{name}"] = bytes(lengths), ""
        if self._orders:
            self._fill_orders(count)
            parts["order"] = bytes(self._orders), ""
            parts["order-places"] = numbers_part(self._order_places)
        parts["groups"] = groups_part(self._groups())

    def _flush_lines(self) -> None:
        self._records += zlib.compress(b"\n".join(self._lines), _COMPRESSION)
        self._record_places.append(len(self._records))
        self._lines.clear()

    def _fill_orders(self, count: int) -> None:
        missing = count + 1 - len(self._order_places)
        self._order_places.extend([len(self._orders)] * missing)

    def _groups(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for document, group in enumerate(self._numbers.get(GROUP, ())):
            if group != NO_GROUP:
                found.setdefault(group, []).append(document)
        return found
