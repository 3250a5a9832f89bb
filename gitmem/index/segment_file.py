"""A segment of the index: one file that is read where it lies, by nothing but this module.

    magic       16 bytes, which count the formats
    parts       one behind the other
    directory   JSON: how many documents; where each part begins, how long it is, its type of numbers
    end         the length of the directory (4 bytes), magic

| part | what |
| --- | --- |
| `terms/FIELD` | a table of terms, see `term_table.py` |
| `numbers/COLUMN` | a number for each document, those of the default at the end left out |
| `lengths/FIELD` | a byte for each document that says how many words the field has |
| `records`, `record-places` | a line of JSON for each document, sixteen packed together; where those begin |
| `order`, `order-places` | for each document what sorts it in its session; where each begins |
| `groups` | the documents of each session |
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import zlib
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec

from gitmem.git.beneath import open_regular
from gitmem.index.posting_bytes import decode
from gitmem.index.term_table import TermTable

MAGIC = b"gitmem segment 1"
_DECODER = msgspec.json.Decoder()
RECORDS_TOGETHER = 16
_LENGTH_BYTES = 4
Part = tuple[bytes, str]
"""What a part holds, and the type code of its numbers."""


class DamagedSegment(ValueError):
    """The file is no segment, or not a whole one."""


def segment_bytes(documents: int, parts: Mapping[str, Part]) -> bytes:
    """A segment of so many documents, made of `parts`."""
    pieces, places, at = [MAGIC], {}, len(MAGIC)
    for name, (data, code) in parts.items():
        places[name] = (at, len(data), code)
        pieces.append(data)
        at += len(data)
    directory = json.dumps({"documents": documents, "parts": places}, separators=(",", ":")).encode("ascii")
    return b"".join((*pieces, directory, len(directory).to_bytes(_LENGTH_BYTES, "little"), MAGIC))


def numbers_part(values: array[int]) -> Part:
    """The part of numbers, in the fewest bytes that all of them fit into."""
    most = max(max(values, default=0), -1 - min(values, default=0))
    code = next(code for code in "bhiq" if most < 1 << (8 * array(code).itemsize - 1))
    return _little(array(code, values)).tobytes(), code


class SegmentFile:
    """An open segment. What it raises over damage is any exception."""

    def __init__(self, data: bytes, name: str = "") -> None:
        """Reads `data`, a whole file, where it lies. Raises `DamagedSegment`."""
        self.name = name
        self._data = data
        tail = len(data) - len(MAGIC)
        if tail < len(MAGIC) + _LENGTH_BYTES or data[:16] != MAGIC or data[tail:] != MAGIC:
            raise DamagedSegment(f"{name} is no whole segment")
        end = tail - _LENGTH_BYTES
        begin = end - int.from_bytes(data[end:tail], "little")
        directory = json.loads(data[begin:end])
        self.size = int(directory["documents"])
        self._parts: dict[str, tuple[int, int, str]] = directory["parts"]
        self._tables: dict[str, TermTable | None] = {}
        self._lines: tuple[int, list[bytes]] = (-1, [])
        self._places: dict[str, Sequence[int]] = {}

    @classmethod
    def open(cls, file: Path) -> SegmentFile:
        """The segment in `file`, mapped into memory. Raises `OSError`, or `DamagedSegment`."""
        descriptor = open_regular(file)
        try:
            if not os.fstat(descriptor).st_size:
                raise DamagedSegment(f"{file} is empty")
            data = mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        finally:
            os.close(descriptor)
        return cls(cast(bytes, data), file.name)

    def close(self) -> None:
        """Lets go of the file; may be repeated."""
        data, self._data = self._data, b""
        self._tables.clear()
        if isinstance(data, mmap.mmap):
            data.close()

    def postings(self, field: str, term: bytes) -> tuple[list[int], Sequence[int] | None] | None:
        """The documents that have `term`, rising, with their weights (None: all 1); None without any."""
        table = self._table(field)
        found = None if table is None else table.find(term)
        return None if found is None else decode(found, self.size)

    def terms_from(self, field: str, prefix: bytes) -> Iterator[bytes]:
        """The terms of `field` that are not before `prefix`, sorted."""
        table = self._table(field)
        return iter(()) if table is None else table.terms_from(prefix)

    def has_column(self, name: str) -> bool:
        """Whether any document has another value than the default."""
        return f"numbers/{name}" in self._parts

    def numbers(self, name: str, code: str, default: int) -> array[int]:
        """A number for each document, as an array of type `code` or of a smaller one."""
        found = self._numbers(f"numbers/{name}")
        if found is None:
            return array(code, [default]) * self.size
        if len(found) < self.size:
            found = array(code, found) if found.typecode != code else found
            found.extend(array(code, [default]) * (self.size - len(found)))
        return found

    def lengths(self, field: str) -> bytes:
        """The length byte of `field` for each document."""
        return (self._part(f"lengths/{field}") or b"").ljust(self.size, b"\0")

    def order(self, document: int) -> bytes:
        """What sorts a document among those of its session."""
        places = self._places_of("order-places")
        if document + 1 >= len(places):
            return b""
        begin = self._parts["order"][0]
        return self._data[begin + places[document] : begin + places[document + 1]]

    def stored(self, document: int) -> tuple[list[int], list[object]]:
        """What is kept of a document to be shown: the lengths of its fields, and its record."""
        if not 0 <= document < self.size:
            raise IndexError(f"no document {document}")
        number, own = divmod(document, RECORDS_TOGETHER)
        if self._lines[0] != number:
            places, begin = self._places_of("record-places"), self._parts["records"][0]
            block = self._data[begin + places[number] : begin + places[number + 1]]
            self._lines = number, zlib.decompress(block).split(b"\n")
        lengths, record = _plain_values(self._lines[1][own])
        return lengths, record

    def groups(self) -> Groups:
        """The sessions of its documents."""
        return Groups(self._part("groups") or b"")

    def _table(self, field: str) -> TermTable | None:
        if field not in self._tables:
            part = self._parts.get(f"terms/{field}")
            self._tables[field] = None if part is None else TermTable(self._data, part[0], part[1])
        return self._tables[field]

    def _part(self, name: str) -> bytes | None:
        part = self._parts.get(name)
        return None if part is None else self._data[part[0] : part[0] + part[1]]

    def _numbers(self, name: str) -> array[int] | None:
        data = self._part(name)
        if data is None:
            return None
        found = array(self._parts[name][2])
        found.frombytes(data)
        return _little(found)

    def _places_of(self, name: str) -> Sequence[int]:
        found = self._places.get(name)
        if found is None:
            found = self._places[name] = self._numbers(name) or ()
        return found


def _plain_values(line: bytes) -> Any:
    """What a line of JSON holds. Raises `ValueError`."""
    try:
        return _DECODER.decode(line)
    except ValueError:
        # A number beyond all floats, half of a pair of surrogates, or damage.
        return json.loads(line.decode("utf-8", "surrogatepass"))


class Groups:
    """The documents of each session of a segment: numbers of sessions, where each begins, the documents."""

    def __init__(self, data: bytes) -> None:
        count = int.from_bytes(data[:4], "little")
        starts_begin = 4 + 8 * count
        documents_begin = starts_begin + 4 * (count + 1)
        self.numbers = _read("q", data[4:starts_begin])
        """The numbers of the sessions, rising."""
        self._starts = _read("I", data[starts_begin:documents_begin])
        self._documents = _read("I", data[documents_begin:])

    def members(self, group: int) -> Sequence[int]:
        """The documents of a session, rising."""
        place = bisect_left(self.numbers, group)
        if place == len(self.numbers) or self.numbers[place] != group:
            return ()
        return self._documents[self._starts[place] : self._starts[place + 1]]

    @property
    def total(self) -> int:
        """How many documents are in any session."""
        return len(self._documents)


def groups_part(groups: Mapping[int, Sequence[int]]) -> Part:
    """The part of `groups`: by its number the documents of each session, rising."""
    numbers, starts, documents = array("q", sorted(groups)), array("I", [0]), array("I")
    for number in numbers:
        documents.extend(groups[number])
        starts.append(len(documents))
    arrays = b"".join(_little(each).tobytes() for each in (numbers, starts, documents))
    return len(groups).to_bytes(4, "little") + arrays, ""


def _read(code: str, data: bytes) -> array[int]:
    found = array(code)
    found.frombytes(data)
    return _little(found)


def _little(numbers: array[int]) -> array[int]:
    """`numbers` in little-endian where they were of this machine, and the other way round."""
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers
