"""Whoosh's own segment format, written leaner and read where it lies.

Whoosh copies each segment into memory whenever it is opened: 95 ms at 100,000 memories. Here the
parts are windows on the mapped file. Segments are pickled with their classes, so the public
classes of this module keep their names.
"""

from __future__ import annotations

import os

from whoosh.codec.whoosh3 import W3Codec, W3PostingsWriter, W3Segment, W3TermInfo
from whoosh.filedb.compound import CompoundStorage
from whoosh.filedb.filestore import Storage
from whoosh.filedb.structfile import BufferFile, StructFile

_MOST_WITH_TERM = 3
"""So few postings stand with their term: a block takes seventy bytes before the first of them."""


class LeanCodec(W3Codec):  # type: ignore[misc]
    """No compressed blocks, no lengths beside the postings, and weights as whole numbers."""

    length_stats = False

    def __init__(self) -> None:
        super().__init__(blocklimit=512, compression=0)

    def postings_writer(self, dbfile: StructFile, byteids: bool = False) -> W3PostingsWriter:
        return _LeanPostings(dbfile, self._blocklimit, byteids=byteids, compression=0)

    def new_segment(self, storage: Storage, indexname: str) -> LeanSegment:
        del storage
        return LeanSegment(self, indexname)


class _LeanPostings(W3PostingsWriter):  # type: ignore[misc]
    """Pickled, a small whole number takes two bytes, and any other number nine."""

    _terminfo: W3TermInfo | None

    def finish_postings(self) -> W3TermInfo:
        if self.written() or len(self) > _MOST_WITH_TERM:
            return super().finish_postings()
        # Whoosh reads postings that stand with their term; where it would write them so, it fails.
        info, self._terminfo = self._terminfo, None
        assert info is not None
        info.add_block(self)
        info.set_inlined(self._ids, map(_whole, self._weights), ())
        return info

    def _mini_weights(self) -> object:
        weights = super()._mini_weights()
        return tuple(map(_whole, weights)) if isinstance(weights, tuple) else weights


def _whole(weight: float) -> float:
    return int(weight) if weight.is_integer() else weight


class LeanSegment(W3Segment):  # type: ignore[misc]
    """A segment whose compound file is read in place."""

    def open_compound_file(self, storage: Storage) -> CompoundStorage:
        file = storage.open_file(self.make_filename(self.COMPOUND_EXT))
        return _MappedParts(file, use_mmap=storage.supports_mmap)


class _MappedParts(CompoundStorage):  # type: ignore[misc]
    """The parts of a compound file, as windows on its mapping where there is one."""

    def open_file(self, name: str, *args: object, **kwargs: object) -> StructFile:
        if self.is_closed or not self._source:
            return super().open_file(name, *args, **kwargs)
        offset, length = self.range(name)
        window = memoryview(self._source)[offset : offset + length]
        if len(window) != length:
            raise EOFError(f"{name} is cut off")
        return _Window(window, name)


class _Window(BufferFile):  # type: ignore[misc]
    """A part of a mapped file; the parent class would copy it."""

    def __init__(self, buffer: memoryview, name: str | None = None) -> None:
        super().__init__(b"", name=name)
        self._buf = buffer
        self.file = _Reader(buffer)

    def subset(self, position: int, length: int, name: str | None = None) -> _Window:
        return _Window(self._buf[position : position + length], name or self._name)


class _Reader:
    """The reading half of a binary file, over a buffer."""

    def __init__(self, buffer: memoryview) -> None:
        self._buffer = buffer
        self._position = 0

    def read(self, size: int = -1) -> bytes:
        start = self._position
        end = len(self._buffer) if size is None or size < 0 else min(start + size, len(self._buffer))
        self._position = max(start, end)
        return bytes(self._buffer[start:end])

    def readline(self) -> bytes:
        start = self._position
        found = bytes(self._buffer[start:]).find(b"\n")
        return self.read(-1 if found < 0 else found + 1)

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._position, os.SEEK_END: len(self._buffer)}[whence]
        self._position = max(0, base + offset)
        return self._position

    def tell(self) -> int:
        return self._position

    def close(self) -> None:
        self._buffer = memoryview(b"")
