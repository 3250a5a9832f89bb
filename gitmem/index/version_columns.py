"""What the index of versions keeps of each beside a memory: its key, and the lengths of its fields."""

from __future__ import annotations

from collections.abc import Collection
from itertools import compress
from operator import not_

from whoosh import fields
from whoosh.columns import NumericColumn
from whoosh.reading import SegmentReader

from gitmem.index.columns import read_numbers
from gitmem.index.content import IndexContent
from gitmem.index.schema import LENGTHS, SCORED_FIELDS, document_of, schema
from gitmem.index.stamp import Totals
from gitmem.model.memory import Memory

VERSION = "version"
_KEY_KIND = ("q", 0)
_LENGTH_KIND = ("i", 0)
_LENGTH_COLUMNS = tuple(f"length_{name}" for name in SCORED_FIELDS)


def version_schema() -> fields.Schema:
    """The fields of every index and the columns of this module."""
    found = schema()
    found.add(VERSION, fields.COLUMN(NumericColumn(_KEY_KIND[0], default=_KEY_KIND[1])))
    for name in _LENGTH_COLUMNS:
        found.add(name, fields.COLUMN(NumericColumn(_LENGTH_KIND[0], default=_LENGTH_KIND[1])))
    return found


def version_document(key: int, memory: Memory) -> tuple[dict[str, object], tuple[int, ...]]:
    """What Whoosh is given for a version, and the lengths of its scored fields."""
    document = document_of(memory)
    lengths = document[LENGTHS]
    assert isinstance(lengths, tuple)
    columns = {name: length for name, length in zip(_LENGTH_COLUMNS, lengths, strict=True) if length}
    return {**document, **columns, VERSION: key}, lengths


def keys_in(reader: SegmentReader) -> list[int]:
    """The key of each document of one segment."""
    return list(read_numbers(reader, VERSION, _KEY_KIND))


def show_versions(content: IndexContent, live: Collection[int]) -> set[int]:
    """Makes `content`, in which every document is a version, show those with the keys `live` alone.

    Returns the keys that it does not have.
    """
    missing = set(live)
    hidden: dict[int, frozenset[int]] = {}
    totals = Totals()
    for leaf in content.leaves:
        keys = keys_in(leaf.reader)
        shown = [key in missing for key in keys]
        for own in leaf.dead:
            shown[own] = False
        found = list(compress(keys, shown))
        missing.difference_update(found)
        if len(set(found)) < len(found):
            raise ValueError("a version is in the index twice")
        hidden[leaf.base] = frozenset(compress(range(len(keys)), map(not_, shown)))
        totals = totals.plus(_lengths(leaf.reader, shown), documents=len(found))
    content.show_only(hidden, totals)
    return missing


def _lengths(reader: SegmentReader, shown: list[bool]) -> list[int]:
    """How long each scored field is over the documents that are shown."""
    return [
        sum(compress(read_numbers(reader, name, _LENGTH_KIND), shown)) if reader.has_column(name) else 0
        for name in _LENGTH_COLUMNS
    ]
