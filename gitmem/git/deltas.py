"""Objects of a pack as what they change in another one. Format: Documentation/gitformat-pack.txt.

A delta here is what two versions of one tree need: the same beginning, another middle, the same end.
"""

from __future__ import annotations

_MOST_COPIED = 0xFFFFFF
_MOST_INSERTED = 127
_FEW_BYTES = 32
"""So few are compared as one number."""


def delta_of(base: bytes, data: bytes) -> bytes:
    """What makes `data` of `base`."""
    start = common_start(base, data)
    end = common_end(base, data, start)
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


def common_start(one: bytes, other: bytes) -> int:
    """How many bytes are the same from the beginning on."""
    low, high = 0, min(len(one), len(other))
    while high - low > _FEW_BYTES:
        middle = (low + high) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle
    differing = int.from_bytes(one[low:high], "big") ^ int.from_bytes(other[low:high], "big")
    return high - (differing.bit_length() + 7) // 8


def common_end(one: bytes, other: bytes, start: int) -> int:
    """How many bytes are the same at the end, where those before `start` do not count."""
    longer = len(other) - len(one)
    low, high = start + max(0, -longer), len(one)
    last = high
    while high - low > _FEW_BYTES:
        middle = (low + high) // 2
        if one[middle:high] == other[middle + longer : high + longer]:
            high = middle
        else:
            low = middle
    differing = int.from_bytes(one[low:high], "little") ^ int.from_bytes(
        other[low + longer : high + longer], "little"
    )
    return last - low - (differing.bit_length() + 7) // 8
