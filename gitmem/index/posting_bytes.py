"""The postings of one term as bytes, written so that loops inside the interpreter read them.

    kind       one byte: the width of the gaps, and four times that of the weights
    count      four bytes, only where weights follow gaps of width 0
    gaps       from one document to the next, the first from document 0
    weights    none where all are 1

Gaps of width 0 are bytes; one of 255 and more is written as so many bytes of 255, then the rest. A running
sum over all bytes, without the places of those of 255, gives the documents. Other widths are bytes for each
number, little-endian.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Sequence
from itertools import accumulate, chain, compress
from operator import sub

_WIDTHS = {0: "B", 2: "H", 3: "I"}
"""Type codes by width as it is written: bytes, two bytes, four bytes."""
_ITEM_BYTES = {0: 1, 2: 2, 3: 4}
_NO_WEIGHTS = 1
_SHIFT = 2
_ENDS = bytes([1] * 255 + [0])
"""By its byte, whether a gap ends there."""
MOST = 1 << 32
"""Numbers of documents and weights are below this."""


class DamagedPostings(ValueError):
    """The bytes are no postings of a segment of this size."""


def encode(documents: Sequence[int], weights: Sequence[int]) -> bytes:
    """The postings of one term: its documents, rising, with a weight for each, from 1 on."""
    gaps = list(map(sub, documents, chain((0,), documents)))
    gap_width, written = _encoded_gaps(gaps)
    most = max(weights)
    if most == 1:
        return bytes((gap_width + (_NO_WEIGHTS << _SHIFT),)) + written
    weight_width = 0 if most < 256 else 3
    count = len(gaps).to_bytes(4, "little") if gap_width == 0 else b""
    kind = bytes((gap_width + (weight_width << _SHIFT),))
    return kind + count + written + _to_bytes(weights, weight_width)


def _encoded_gaps(gaps: list[int]) -> tuple[int, bytes]:
    largest = max(gaps)
    if largest < 255:
        return 0, bytes(gaps)
    wide = 2 if largest < 1 << 16 else 3
    if len(gaps) + sum([gap // 255 for gap in gaps]) > len(gaps) * _ITEM_BYTES[wide]:
        return wide, _to_bytes(gaps, wide)
    return 0, b"".join([b"\xff" * (gap // 255) + bytes((gap % 255,)) for gap in gaps])


def decode(data: bytes, size: int) -> tuple[list[int], Sequence[int] | None]:
    """The documents, rising, and their weights, None where all are 1. Raises `DamagedPostings`.

    `size` is how many documents there are to point at.
    """
    gap_width, weight_width = data[0] & 3, data[0] >> _SHIFT
    weights: Sequence[int] | None = None
    begin, end = 1, len(data)
    if weight_width != _NO_WEIGHTS:
        item = _ITEM_BYTES[weight_width]
        if gap_width == 0:
            count, begin = int.from_bytes(data[1:5], "little"), 5
        else:
            count = (end - 1) // (_ITEM_BYTES[gap_width] + item)
        end -= count * item
        weights = _from_bytes(data[end:], weight_width)
    gaps = _from_bytes(data[begin:end], gap_width)
    documents = list(accumulate(gaps))
    if gap_width == 0 and 255 in gaps:
        documents = list(compress(documents, data[begin:end].translate(_ENDS)))
    if not documents or documents[-1] >= size or (weights is not None and len(weights) != len(documents)):
        raise DamagedPostings("postings of documents that are not there")
    return documents, weights


def _to_bytes(numbers: Sequence[int], width: int) -> bytes:
    if width == 0:
        return bytes(numbers)
    found = array(_WIDTHS[width], numbers)
    if sys.byteorder == "big":
        found.byteswap()
    return found.tobytes()


def _from_bytes(data: bytes, width: int) -> Sequence[int]:
    if width == 0:
        return data
    found = array(_WIDTHS[width])
    found.frombytes(data)
    if sys.byteorder == "big":
        found.byteswap()
    return found
