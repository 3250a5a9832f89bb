"""What the index of versions keeps of each beside a memory: its key, and the lengths of its fields."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import compress
from operator import and_
from typing import TYPE_CHECKING

from gitmem.index.content import IndexContent, Shown
from gitmem.index.leaf import Leaf
from gitmem.index.schema import LENGTHS, SCORED_FIELDS, document_of
from gitmem.index.segment_file import SegmentFile
from gitmem.index.stamp import Totals
from gitmem.model.memory import Memory

if TYPE_CHECKING:
    from whoosh.fields import Schema

VERSION = "version"
_KEY_KIND = ("q", 0)
_LENGTH_KIND = ("i", 0)
_LENGTH_COLUMNS = tuple(f"length_{name}" for name in SCORED_FIELDS)


def version_schema() -> Schema:
    """The fields of every index and the columns of this module."""
    from whoosh import fields

    from gitmem.index.segments import Numbers
    from gitmem.index.whoosh_schema import schema

    found = schema()
    found.add(VERSION, fields.COLUMN(Numbers(*_KEY_KIND)))
    for name in _LENGTH_COLUMNS:
        found.add(name, fields.COLUMN(Numbers(*_LENGTH_KIND)))
    return found


def version_document(key: int, memory: Memory) -> tuple[dict[str, object], tuple[int, ...]]:
    """What Whoosh is given for a version, and the lengths of its scored fields."""
    document = document_of(memory)
    lengths = document[LENGTHS]
    assert isinstance(lengths, tuple)
    columns = {name: length for name, length in zip(_LENGTH_COLUMNS, lengths, strict=True) if length}
    return {**document, **columns, VERSION: key}, lengths


def keys_in(file: SegmentFile) -> Sequence[int]:
    """The key of each document of one segment."""
    return file.numbers(VERSION, *_KEY_KIND)


def show_versions(content: IndexContent, live: Collection[int]) -> set[int]:
    """Makes `content`, in which every document is a version, show those with the keys `live` alone.

    Returns the keys that it does not have.
    """
    missing = set(live)
    leaves: list[Leaf] = []
    totals = Totals()
    for leaf in content.leaves:
        keys = keys_in(leaf.file)
        living = bytes(map(missing.__contains__, keys))
        if leaf.living is not None:
            living = bytes(map(and_, living, leaf.living))
        before, found = len(missing), living.count(1)
        missing.difference_update(compress(keys, living))
        if before - len(missing) < found:
            raise ValueError("a version is in the index twice")
        leaves.append(leaf._replace(living=living))
        totals = totals.plus(_lengths(leaf.file, living), documents=found)
    content.show(Shown(leaves, totals))
    return missing


def _lengths(file: SegmentFile, living: bytes) -> list[int]:
    """How long each scored field is over the documents that live."""
    return [
        sum(compress(file.numbers(name, *_LENGTH_KIND), living)) if file.has_column(name) else 0
        for name in _LENGTH_COLUMNS
    ]
