"""Objects of a pack as what they change in another one. Format: Documentation/gitformat-pack.txt.

A delta here is what two versions of one tree need: the same beginning, another middle, the same end.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

_MOST_COPIED = 0xFFFFFF
_MOST_INSERTED = 127


def delta_of(base: bytes, data: bytes) -> bytes:
    """What makes `data` of `base`."""
    shorter = min(len(base), len(data))
    start = _common(shorter, lambda size: base[:size] == data[:size])
    end = _common(shorter - start, lambda size: not size or base[-size:] == data[-size:])
    parts = [_size(len(base)), _size(len(data)), _copies(0, start)]
    middle = data[start : len(data) - end]
    for at in range(0, len(middle), _MOST_INSERTED):
        piece = middle[at : at + _MOST_INSERTED]
        parts.append(bytes([len(piece)]) + piece)
    parts.append(_copies(len(base) - end, end))
    return b"".join(parts)


def offset_back(distance: int) -> bytes:
    """How far back the base begins, as it stands behind the head of an entry."""
    found = [distance & 127]
    while distance := distance >> 7:
        distance -= 1
        found.append(distance & 127 | 128)
    return bytes(reversed(found))


def _size(size: int) -> bytes:
    found = bytearray()
    while size > 127:
        found.append(size & 127 | 128)
        size >>= 7
    found.append(size)
    return bytes(found)


def _copies(start: int, size: int) -> bytes:
    """Instructions that copy a part of the base: which bytes of place and size follow, then those."""
    found = bytearray()
    while size:
        copied = min(size, _MOST_COPIED)
        bits, tail = 128, bytearray()
        for bit, byte in enumerate(start.to_bytes(4, "little")):
            if byte:
                bits |= 1 << bit
                tail.append(byte)
        for bit, byte in enumerate(copied.to_bytes(3, "little")):
            if byte:
                bits |= 16 << bit
                tail.append(byte)
        found += bytes([bits]) + tail
        start, size = start + copied, size - copied
    return bytes(found)


def _common(most: int, holds: Callable[[int], bool]) -> int:
    """The largest size up to `most` for which `holds`, which holds for all smaller ones."""
    return bisect_left(range(1, most + 1), True, key=lambda size: not holds(size))
