"""Standard input that was read and must be read again."""

from __future__ import annotations

import io
import sys


class _Refilled(io.RawIOBase):
    """Bytes that were read already, then what is left of a stream."""

    def __init__(self, data: bytes, rest: io.BufferedIOBase) -> None:
        self._data = memoryview(data)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._data:
            return self._rest.readinto(buffer)
        count = min(len(buffer), len(self._data))
        buffer[:count] = self._data[:count]
        self._data = self._data[count:]
        return count


def refill(data: bytes) -> None:
    """Lets `sys.stdin` begin with `data` again."""
    stream = sys.stdin
    assert isinstance(stream, io.TextIOWrapper), "it was just read"
    buffered = io.BufferedReader(_Refilled(data, stream.detach()))
    sys.stdin = io.TextIOWrapper(buffered, encoding="utf-8", errors="surrogateescape")
