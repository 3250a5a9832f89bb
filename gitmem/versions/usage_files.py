"""The files of uses, read again only where they changed; see `usage_log.py`. Several threads may ask."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path
from threading import Lock

from msgspec import Struct, field

from gitmem.git.beneath import open_regular, read_regular
from gitmem.model.usage import Counts, Uses, add_events

_MOST_LOGS_KEPT, _HEAD_BYTES = 32, 128


def size_of(log: Path) -> int:
    """In bytes; 0 where another process has just made it an older one."""
    try:
        return log.stat().st_size
    except FileNotFoundError:
        return 0


def inode_of(file: Path) -> int:
    """0 where there is none."""
    try:
        return file.lstat().st_ino
    except OSError:
        return 0


def text_of(file: Path) -> str:
    return bytes_of(file).decode("utf-8", "replace")


def bytes_of(file: Path) -> bytes:
    """The bytes of a small file, kept while it is the same; nothing where there is none."""
    try:
        state = file.lstat()
    except OSError:
        return b""
    return _kept(file, state.st_mtime_ns, state.st_size, state.st_ino)


@lru_cache(maxsize=16)
def _kept(file: Path, _mtime_ns: int, _size: int, _inode: int) -> bytes:
    try:
        return read_regular(file) or b""
    except OSError:
        return b""


class _Read(Struct):
    """How far a log was read, and what it added up to. `head` tells a new file that got the old inode."""

    inode: int
    head: bytes = b""
    offset: int = 0
    counts: dict[str, Uses] = field(default_factory=dict)


_reads: dict[Path, _Read] = {}
_reading = Lock()


def events_in(log: Path) -> Counts:
    """What a log adds up to. Of one that was read before only what came since is read."""
    with _reading:
        try:
            state = log.lstat()
            read = _reads.get(log)
            if read is None or read.inode != state.st_ino or read.offset > state.st_size:
                if len(_reads) >= _MOST_LOGS_KEPT:
                    _reads.clear()
                read = _reads[log] = _Read(state.st_ino)
            if read.offset < state.st_size:
                _read_on(log, read)
        except OSError:
            return {}
        return read.counts


def _read_on(log: Path, read: _Read) -> None:
    """Reads what was appended; a line whose end is not there yet is left for the next time."""
    with os.fdopen(open_regular(log), "rb") as file:
        if os.fstat(file.fileno()).st_ino != read.inode:
            return
        head = file.read(_HEAD_BYTES)
        if not head.startswith(read.head):
            read.offset, read.counts = 0, {}
        read.head = head
        file.seek(read.offset)
        data = file.read()
    end = data.rfind(b" .")
    if end >= 0:
        # Other threads may be going through what was given out before.
        counts = dict(read.counts)
        add_events(counts, data[: end + 2].decode("utf-8", "replace"))
        read.counts = counts
        read.offset += end + 2
