"""The terms of one field with their postings: sorted, in blocks that are searched without a loop in Python.

    postings   those of all terms, one behind the other
    blocks     of 32 terms: the width of the lengths, the terms between bytes of 255, the lengths of postings
    firsts     the first term of each block, with bytes of 255 between them
    places     for each block, where it begins among the blocks, and where its postings begin
    end        how many terms there are, and how long each part is but the last

No UTF-8 text has a byte of 255. Numbers are little-endian.
"""

from __future__ import annotations

import struct
import sys
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence

_BLOCK_TERMS = 32
_BETWEEN = b"\xff"
_END = struct.Struct("<5I")
_CODES = {1: "B", 4: "I"}


class DamagedTable(ValueError):
    """The bytes are no table of terms."""


def table_bytes(terms: Sequence[tuple[bytes, bytes]]) -> bytes:
    """The table of `terms`, which are sorted, each with its postings. Raises ValueError for a byte of 255."""
    blocks, firsts, places = bytearray(), [], array("I")
    start = 0
    for begin in range(0, len(terms), _BLOCK_TERMS):
        some = terms[begin : begin + _BLOCK_TERMS]
        lengths = [len(postings) for _, postings in some]
        width = 1 if max(lengths) < 256 else 4
        names = _BETWEEN.join([b"", *(term for term, _ in some), b""])
        if names.count(_BETWEEN) != len(some) + 1:
            raise ValueError("a term has a byte of 255")
        places.extend((len(blocks), start))
        firsts.append(some[0][0])
        blocks += bytes((width,)) + names + _to_bytes(array(_CODES[width], lengths))
        start += sum(lengths)
    first = _BETWEEN.join(firsts)
    sizes = (len(terms), start, len(blocks), len(first), len(places))
    postings = b"".join([postings for _, postings in terms])
    return b"".join((postings, blocks, first, _to_bytes(places), _END.pack(*sizes)))


class TermTable:
    """A table that lies somewhere in `data`, a mapped file or bytes."""

    def __init__(self, data: bytes, begin: int, length: int) -> None:
        """Raises `DamagedTable`, or `struct.error` where it is cut off."""
        end = begin + length
        count, postings, blocks, firsts, places = _END.unpack(data[end - _END.size : end])
        if postings + blocks + firsts + 4 * places + _END.size != length:
            raise DamagedTable("a table of terms has another length")
        self._data = data
        self._count = count
        self._postings = begin
        self._blocks = begin + postings
        self._blocks_end = self._blocks + blocks
        at = self._blocks_end
        self._firsts = data[at : at + firsts].split(_BETWEEN)
        self._places = _from_bytes("I", data[at + firsts : end - _END.size])
        if len(self._places) != 2 * len(self._firsts):
            raise DamagedTable("a table of terms has blocks without a first term")

    def find(self, term: bytes) -> bytes | None:
        """The postings of `term`; None where the field does not have it."""
        number = bisect_right(self._firsts, term) - 1
        if number < 0:
            return None
        names, lengths = self._block(number)
        at = names.find(b"\xff%b\xff" % term)
        if at < 0:
            return None
        own = names.count(_BETWEEN, 0, at)
        begin = self._postings + self._places[2 * number + 1] + sum(lengths[:own])
        return self._data[begin : begin + lengths[own]]

    def terms_from(self, prefix: bytes) -> Iterator[bytes]:
        """Its terms that are not before `prefix`, sorted."""
        for number in range(max(0, bisect_right(self._firsts, prefix) - 1), len(self._firsts)):
            for term in self._block(number)[0].split(_BETWEEN)[1:-1]:
                if term >= prefix:
                    yield term

    def _block(self, number: int) -> tuple[bytes, Sequence[int]]:
        """Its terms, with a byte of 255 before and behind each, and the lengths of their postings."""
        places = self._places
        begin = self._blocks + places[2 * number]
        is_last = number + 1 == len(self._firsts)
        end = self._blocks_end if is_last else self._blocks + places[2 * number + 2]
        count = self._count - number * _BLOCK_TERMS if is_last else _BLOCK_TERMS
        block = self._data[begin:end]
        width = block[0]
        names_end = len(block) - width * count
        return block[1:names_end], _from_bytes(_CODES[width], block[names_end:])


def _to_bytes(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tobytes()


def _from_bytes(code: str, data: bytes) -> Sequence[int]:
    if code == "B":
        return data
    found = array(code)
    found.frombytes(data)
    if sys.byteorder == "big":
        found.byteswap()
    return found
