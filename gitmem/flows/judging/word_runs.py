"""Which of many texts have which words: sorted, and packed so that one look finds the texts of a word.

A pair of a word (32 bits) and the number of a text is one number of 53 bits, which a float holds exactly:
Python sorts floats quickest. A run holds the pairs of at most 2²¹ texts, cut into buckets by the first bits
of the words.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from collections.abc import Collection, Iterator

MOST_TEXTS = 2**21
"""More numbers than a run may have, from its first on."""
MOST_PAIRS = 1_000_000
"""A run with so many is closed, so that they need not all be held at once."""
_BUCKET_PAIRS = 1_000
_WORD_BITS = 32
_STEP = float(MOST_TEXTS)


class RunWriter:
    """The pairs of the texts from number `first` on."""

    def __init__(self, first: int) -> None:
        self.first = first
        self._pairs: list[float] = []

    def add(self, words: Collection[int], number: int) -> None:
        """Takes in the words of a text."""
        at = float(number - self.first)
        self._pairs += [word * _STEP + at for word in words]

    def is_full(self, number: int) -> bool:
        """Whether the text of this number belongs into another run."""
        return len(self._pairs) >= MOST_PAIRS or number - self.first >= MOST_TEXTS

    def packed(self) -> tuple[int, Iterator[tuple[int, bytes]]]:
        """How many bits of a word tell its bucket, and the buckets that hold anything."""
        self._pairs.sort()
        bits = (len(self._pairs) // _BUCKET_PAIRS).bit_length()
        return bits, self._buckets(bits)

    def _buckets(self, bits: int) -> Iterator[tuple[int, bytes]]:
        start = 0
        for bucket in range(2**bits):
            end = bisect_left(self._pairs, ((bucket + 1) << (_WORD_BITS - bits)) * _STEP, start)
            if end > start:
                yield bucket, _to_bytes(self._pairs[start:end])
            start = end


def bucket_of(word: int, bits: int) -> int:
    """The bucket that the pairs of a word are in."""
    return word >> (_WORD_BITS - bits)


def numbers_in(bucket: bytes, word: int, first: int, most: int) -> list[int]:
    """The numbers of the texts that have a word, by its bucket of the run from `first` on; ascending."""
    pairs = _from_bytes(bucket)
    least = word * _STEP
    start = bisect_left(pairs, least)
    end = bisect_left(pairs, least + _STEP, start)
    return [first + int(pair - least) for pair in pairs[start : min(end, start + most)]]


def _to_bytes(pairs: list[float]) -> bytes:
    packed = array("d", pairs)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _from_bytes(data: bytes) -> array[float]:
    pairs = array("d")
    pairs.frombytes(data)
    if sys.byteorder == "big":
        pairs.byteswap()
    return pairs
