"""Postings read a block at a time, straight from the layout of Whoosh's third codec.

Whoosh's matchers take a method call for each number and each weight. Here a block of up to 512
postings is unpickled at once, and a term is looked up without a call for each number of the table
of terms. Each reader proves itself on the first terms that it is asked for: where it and the matcher
disagree, or the layout is another one, the matcher is used from then on.
"""

from __future__ import annotations

import struct
from io import BytesIO
from itertools import accumulate, repeat
from pickle import load, loads

from whoosh.filedb.filetables import HashReader
from whoosh.reading import SegmentReader, TermNotFound

from gitmem.index.storage import DAMAGE

Postings = dict[int, float]
"""Numbers of documents, rising, each with its weight."""

_CHECKED_TERMS = 3
_MOST_KEPT_POSTINGS = 200_000
_MAGIC_BYTES = 4
_BLOCK_LENGTH = struct.Struct("!i")
_INFO = struct.Struct("!BfIBBfII")
_EXTENT = struct.Struct("!qi")
_SLOT = struct.Struct("!Iq")
_SIZES = struct.Struct("!ii")


class PostingsReader:
    """The postings of the terms of one segment."""

    def __init__(self, reader: SegmentReader) -> None:
        self._reader = reader
        self._checks_left = _CHECKED_TERMS
        self._is_direct = True
        self._recent: dict[tuple[str, bytes], Postings] = {}
        self._recent_count = 0

    def read(self, field: str, term: bytes) -> Postings:
        """The postings of a term; empty where the segment does not have it. To be left as they are."""
        found = self._recent.get((field, term))
        if found is None:
            found = self._read(field, term)
            self._recent_count += len(found) + 1
            if self._recent_count > _MOST_KEPT_POSTINGS:
                self._recent.clear()
                self._recent_count = len(found) + 1
            self._recent[field, term] = found
        return found

    def _read(self, field: str, term: bytes) -> Postings:
        if not self._is_direct:
            return self._from_matcher(field, term)
        try:
            found = self._directly(field, term)
        except DAMAGE:
            self._is_direct = False
            return self._from_matcher(field, term)
        if self._checks_left:
            # A term that is not there proves nothing, and is not trusted before others have.
            expected = self._from_matcher(field, term)
            self._checks_left -= bool(found)
            self._is_direct = found == expected
            return expected
        return found

    def _from_matcher(self, field: str, term: bytes) -> Postings:
        try:
            matcher = self._reader.postings(field, term)
        except TermNotFound:
            return {}
        found: Postings = {}
        while matcher.is_active():
            found[matcher.id()] = matcher.weight()
            matcher.next()
        return found

    def _directly(self, field: str, term: bytes) -> Postings:
        terms = self._reader._terms
        number = terms._fieldmap.get(field)
        if number is None:
            return {}
        info = _looked_up(terms._tindex, number.to_bytes(2, "big") + term)
        if info is None:
            return {}
        if info[0]:
            numbers, weights, _ = loads(info[_INFO.size :])
            return dict(zip(numbers, weights, strict=True))
        offset, length = _EXTENT.unpack_from(info, _INFO.size)
        return _blocks(bytes(terms._postfile.get(offset, length)))


class _OtherLayout(Exception):
    """The bytes are not laid out as expected."""


def _looked_up(table: HashReader, key: bytes) -> bytes | None:
    """What a hash file has for `key`: slots of a hash and a place, there the sizes, the key and its value."""
    hashed, data = table.hashfn(key), table.dbfile._buf
    start, slots = table.tables[hashed & 0xFF]
    for turn in range(slots):
        slot = ((hashed >> 8) + turn) % slots
        hashed_there, place = _SLOT.unpack_from(data, start + slot * _SLOT.size)
        if not place:
            return None
        if hashed_there == hashed:
            key_size, value_size = _SIZES.unpack_from(data, place)
            begin = place + _SIZES.size
            end = begin + key_size
            if data[begin:end] == key:
                return bytes(data[end : end + value_size])
    return None


def _blocks(data: bytes) -> Postings:
    """The postings of one term: blocks of a length, their info and their contents, both pickled."""
    found: Postings = {}
    stream = BytesIO(data)
    stream.seek(_MAGIC_BYTES)
    is_last = False
    while not is_last:
        (length,) = _BLOCK_LENGTH.unpack(stream.read(_BLOCK_LENGTH.size))
        is_last = length < 0
        count, _, _, compression, _, _ = load(stream)
        if compression:
            raise _OtherLayout
        gaps, weights, _ = load(stream)
        if weights is None or isinstance(weights, float):
            weights = repeat(1.0 if weights is None else weights, count)
        found.update(zip(accumulate(gaps), weights, strict=True))
    return found
