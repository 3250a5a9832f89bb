"""What ranking must know of every memory: numbers in columns, one value a document, read in bulk."""

from __future__ import annotations

import hashlib
import re
import sys
from array import array
from collections.abc import Mapping, Sequence

from whoosh.codec.whoosh3 import LENGTHS_COLUMN
from whoosh.columns import ColumnReader, NumericColumn, VarBytesColumn
from whoosh.reading import SegmentReader

from gitmem.index.moments import LAST_MOMENT, NO_MOMENT, micros_of, parse_moment, span_of
from gitmem.model.ids import blob_key
from gitmem.model.memory import Memory

CREATED, GROUP, ORDER, IMPORTANCE, CONFIDENCE = "created", "group", "order", "importance", "confidence"
VALID_FROM, VALID_UNTIL = "valid_from", "valid_until"
BLOB = "blob"
"""By the first 64 bits of its blob id a memory is looked up where vectors are kept."""
SHARE_UNITS = 10_000
"""Importance and confidence are kept in ten-thousandths."""
NO_GROUP = 0

NUMBERS: Mapping[str, tuple[str, int]] = {
    CREATED: ("q", NO_MOMENT),
    GROUP: ("q", NO_GROUP),
    IMPORTANCE: ("q", SHARE_UNITS // 2),
    CONFIDENCE: ("q", SHARE_UNITS),
    VALID_FROM: ("q", NO_MOMENT),
    VALID_UNTIL: ("q", LAST_MOMENT),
    BLOB: ("q", 0),
}
"""Type code and default of each column of numbers; only values other than the default are written."""

_DIGITS = re.compile(r"\d+")
_MAX_ORDER_CHARACTERS = 400


def column_types() -> dict[str, NumericColumn | VarBytesColumn]:
    """The Whoosh columns of a segment."""
    numbers = {name: NumericColumn(code, default=default) for name, (code, default) in NUMBERS.items()}
    return {**numbers, ORDER: VarBytesColumn()}


def column_values(memory: Memory) -> dict[str, int | bytes]:
    """What `memory` has in each column, defaults left out."""
    values: dict[str, int | bytes] = {
        CREATED: micros_of(parse_moment(memory.created)),
        IMPORTANCE: share_units(memory.importance),
        CONFIDENCE: share_units(memory.confidence),
        VALID_FROM: (span_of(memory.valid_from) or (NO_MOMENT, 0))[0],
        VALID_UNTIL: (span_of(memory.valid_until) or (0, LAST_MOMENT))[1],
        BLOB: blob_key(memory.blob),
    }
    values = {name: value for name, value in values.items() if value != NUMBERS[name][1]}
    if memory.session is not None:
        values[GROUP] = _group_number(memory.namespace, memory.session)
        values[ORDER] = _order_key(memory)
    return values


def share_units(share: float) -> int:
    """A share from 0 to 1 in ten-thousandths; what lies outside is cut off."""
    return round(SHARE_UNITS * min(1.0, max(0.0, share)))


def _group_number(namespace: str, session: str) -> int:
    """The number of a session in a namespace; two share one by chance once in 10^19."""
    text = f"{namespace}\x00{session}".casefold()
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True) or 1


def _order_key(memory: Memory) -> bytes:
    """Sorts the memories of one session that were created together: `D1:2` before `D1:10`."""
    text = f"{memory.id}\x00{memory.path}" if memory.has_own_id else memory.path
    natural = _DIGITS.sub(lambda match: f"{len(match[0].lstrip('0')):03}{match[0].lstrip('0')}", text)
    return natural[:_MAX_ORDER_CHARACTERS].encode("utf-8", "surrogatepass")


def read_numbers(reader: SegmentReader, name: str, kind: tuple[str, int] | None = None) -> array[int]:
    """A column of numbers of one segment, a value for each document; of the type and default of `kind`."""
    code, default = kind or NUMBERS[name]
    count: int = reader.doc_count_all()
    missing: array[int] = array(code, [default])
    if not reader.has_column(name):
        return missing * count
    column = reader.column_reader(name, translate=False)
    found = _in_bulk(column, code)
    if found is None or not _agrees(found, column):
        return array(code, [column[number] for number in range(count)])
    return found + missing * (count - len(found))


def read_lengths(reader: SegmentReader, field: str) -> Sequence[int]:
    """The length byte that Whoosh keeps of a scored field, for each document of one segment."""
    count, name = reader.doc_count_all(), f"_{field}_len"
    columns = reader.codec().per_document_reader(reader.storage(), reader.segment())
    if not columns.has_column(name):
        return bytes(count)
    column = columns.column_reader(name, LENGTHS_COLUMN)
    found = _in_bulk(column, "B")
    if found is None or not _agrees(found, column):
        return [column[number] for number in range(count)]
    return bytes(found).ljust(count, b"\0")


def read_order(reader: SegmentReader) -> Sequence[bytes]:
    """The order keys of one segment, looked up one by one."""
    if not reader.has_column(ORDER):
        return [b""] * reader.doc_count_all()
    column: Sequence[bytes] = reader.column_reader(ORDER, translate=False)
    return column


def _in_bulk(column: ColumnReader, code: str) -> array[int] | None:
    """The values as they lie in the file, big-endian; None where Whoosh keeps them another way."""
    found = array(code)
    try:
        found.frombytes(bytes(column._dbfile.get(column._basepos, column._count * found.itemsize)))
    except (AttributeError, TypeError, ValueError):
        return None
    if sys.byteorder == "little":
        found.byteswap()
    return found


def _agrees(found: Sequence[int], column: ColumnReader) -> bool:
    """Whether Whoosh itself reads the same at the beginning, in the middle and at the end."""
    count = len(found)
    places = {0, count // 2, count - 1} if count else set()
    return all(found[place] == column[place] for place in places)
