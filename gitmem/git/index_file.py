"""Git's index as bytes: what stands in it at some paths, and the same index with those paths changed.

Layout (Documentation/gitformat-index.txt), versions 2 and 3:

    "DIRC" version count | entries, sorted by path and stage | extensions | SHA-1 of all before
    entry: ctime mtime dev ino mode uid gid size (10 x 4 bytes) | id (20) | flags (2) | [more flags (2)]
           | path | 1 to 8 NULs, so that the length divides by 8
"""

from __future__ import annotations

import hashlib
import os
import struct
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gitmem.errors import Damaged
from gitmem.git.cache_tree import invalidated

_HEADER = struct.Struct(">4sII")
_ENTRY = struct.Struct(">10I20sH")
_FIXED_SIZE = _ENTRY.size
_EXTENDED = 0x4000
_SKIP_WORKTREE = 0x4000
_INTENT_TO_ADD = 0x2000
_LONGEST_LENGTH = 0xFFF
_REMEDY = "'gitmem doctor --fix' makes it anew from HEAD"
_NO_STAT = (0,) * 10
# Written for every entry or for speed alone; git makes them anew where its config asks for them.
_DROPPED = (b"EOIE", b"IEOT", b"FSMN", b"UNTR")


class UnusualIndex(Exception):
    """The index is of a kind that only git itself can rewrite: version 4, split, or sparse."""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """An entry without conflict: id, mode, and whether git keeps its file out of the worktree."""

    oid: str
    mode: int
    is_skipped: bool = False
    is_intent_to_add: bool = False


@dataclass(frozen=True, slots=True)
class Put:
    """What is to stand at a path: id, mode, `os.stat` of its file where there is one, and `skip`."""

    oid: str
    mode: int
    stat: os.stat_result | None = None
    is_skipped: bool = False


def empty_index() -> bytes:
    """An index without entries."""
    body = _HEADER.pack(b"DIRC", 2, 0)
    return body + hashlib.sha1(body, usedforsecurity=False).digest()


class IndexFile:
    """One state of the index. Raises `UnusualIndex`, or `Damaged` where the bytes are no index."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._end = len(data) - 20
        if len(data) < 32 or data[:4] != b"DIRC":
            raise Damaged("git's index is damaged", hint=_REMEDY)
        _, self._version, self._count = _HEADER.unpack_from(data)
        if self._version not in (2, 3):
            raise UnusualIndex(f"version {self._version}")
        # With index.skipHash git writes zeros, which claim nothing.
        if (
            any(data[self._end :])
            and hashlib.sha1(memoryview(data)[: self._end], usedforsecurity=False).digest()
            != data[self._end :]
        ):
            raise Damaged("git's index is damaged: wrong checksum", hint=_REMEDY)
        try:
            self._offsets = self._locate()
            self._extensions = list(self._read_extensions())
        except (IndexError, struct.error, ValueError) as error:
            raise Damaged("git's index is damaged: cut off", hint=_REMEDY) from error

    def _locate(self) -> list[int]:
        """Where each entry begins, and at last where they end."""
        data, at = self._data, 12
        offsets: list[int] = []
        append = offsets.append
        for _ in range(self._count):
            append(at)
            high = data[at + 60]
            length = (high & 0x0F) << 8 | data[at + 61]
            if high & 0x40:
                at += 2
            if length == _LONGEST_LENGTH:
                length = data.index(b"\0", at + 62) - at - 62
                at = offsets[-1] + ((length + (72 if high & 0x40 else 70)) & -8)
            elif high & 0x40:
                at = offsets[-1] + ((length + 72) & -8)
            else:
                at += (length + 70) & -8
        append(at)
        if at > self._end:
            raise ValueError
        return offsets

    def _read_extensions(self) -> Iterator[tuple[bytes, bytes]]:
        at = self._offsets[-1]
        while at < self._end:
            name, size = struct.unpack_from(">4sI", self._data, at)
            if name in (b"link", b"sdir"):
                raise UnusualIndex(name.decode())
            if at + 8 + size > self._end or not name[:1].isupper():
                raise ValueError
            yield name, self._data[at + 8 : at + 8 + size]
            at += 8 + size

    def _name(self, number: int) -> bytes:
        at = self._offsets[number]
        flags = self._data[at + 60] << 8 | self._data[at + 61]
        start = at + (_FIXED_SIZE + 2 if flags & _EXTENDED else _FIXED_SIZE)
        length = flags & _LONGEST_LENGTH
        if length == _LONGEST_LENGTH:
            length = self._data.index(b"\0", start) - start
        return self._data[start : start + length]

    def _position(self, path: bytes) -> int:
        return bisect_left(range(self._count), path, key=self._name)

    def _stage(self, number: int) -> int:
        return self._data[self._offsets[number] + 60] >> 4 & 3

    def is_conflicted(self, path: bytes) -> bool:
        """Whether a merge left several versions of `path` to choose from."""
        number = self._position(path)
        return number < self._count and self._name(number) == path and self._stage(number) != 0

    def find(self, path: bytes) -> IndexEntry | None:
        """What is staged at `path`, or None; also None where it is in conflict."""
        number = self._position(path)
        if number == self._count or self._name(number) != path or self._stage(number):
            return None
        return self._entry(number)

    def _entry(self, number: int) -> IndexEntry:
        at = self._offsets[number]
        more = 0
        if self._data[at + 60] & 0x40:
            (more,) = struct.unpack_from(">H", self._data, at + _FIXED_SIZE)
        (mode,) = struct.unpack_from(">I", self._data, at + 24)
        return IndexEntry(
            self._data[at + 40 : at + 60].hex(),
            mode,
            bool(more & _SKIP_WORKTREE),
            bool(more & _INTENT_TO_ADD),
        )

    def below(self, folder: bytes) -> Iterator[bytes]:
        """The paths that are staged below `folder`."""
        prefix = folder + b"/"
        for number in range(self._position(prefix), self._count):
            name = self._name(number)
            if not name.startswith(prefix):
                return
            yield name

    def racy(self, written_ns: int) -> list[tuple[bytes, IndexEntry, tuple[int, int]]]:
        """The entries whose file may have changed unseen: (path, entry, (size, mtime seconds)).

        A file changed in the second in which the index was written looks unchanged by its times. Git
        compares such files by content, as long as the index is no younger than they are; an index written
        later must have settled the question (Documentation/technical/racy-git.txt).
        """
        second = struct.pack(">I", max(0, written_ns // 10**9) & 0xFFFFFFFF)
        data, found = self._data, []
        for number, at in enumerate(self._offsets[:-1]):
            if data[at + 8 : at + 12] >= second and data[at + 36 : at + 40] != b"\0\0\0\0":
                mtime, size = (struct.unpack_from(">I", data, at + place)[0] for place in (8, 36))
                if not self._stage(number):
                    found.append((self._name(number), self._entry(number), (size, mtime)))
        return found

    def changed(self, changes: Mapping[bytes, Put | None], smudged: frozenset[bytes] = frozenset()) -> bytes:
        """The bytes of this index with each path put or taken out, and each of `smudged` to be looked at.

        Every other entry stays byte for byte. The flags of an entry that is put anew stay, except for
        intent-to-add.
        """
        pieces: list[bytes | memoryview] = []
        view, done, count, version = memoryview(self._data), 12, self._count, self._version
        for path in sorted(changes.keys() | smudged):
            number = self._position(path)
            start = end = self._offsets[number]
            stages = 0
            while number + stages < self._count and self._name(number + stages) == path:
                stages += 1
                end = self._offsets[number + stages]
            pieces.append(view[done:start])
            done = end
            if path not in changes:
                pieces += [view[start : start + 36], b"\0\0\0\0", view[start + 40 : end]]
                continue
            count -= stages
            put = changes[path]
            if put is not None:
                packed = _packed(path, put, self._data[start + 60] & 0x80 if stages else 0)
                version = max(version, 3 if put.is_skipped else 2)
                pieces.append(packed)
                count += 1
        pieces.append(view[done : self._offsets[-1]])
        for name, content in self._extensions:
            if name == b"TREE":
                tree = invalidated(content, list(changes))
                if tree is not None:
                    pieces += [name, struct.pack(">I", len(tree)), tree]
            elif name == b"REUC":
                pieces += [name, struct.pack(">I", len(content)), content]
        body = b"".join([_HEADER.pack(b"DIRC", version, count), *pieces])
        return body + hashlib.sha1(body, usedforsecurity=False).digest()


def _packed(path: bytes, put: Put, assume_unchanged: int) -> bytes:
    flags = min(len(path), _LONGEST_LENGTH) | assume_unchanged << 8 | (_EXTENDED if put.is_skipped else 0)
    fields = _NO_STAT if put.stat is None else _stat_fields(put.stat)
    entry = _ENTRY.pack(*fields[:6], put.mode, *fields[7:], bytes.fromhex(put.oid), flags)
    if put.is_skipped:
        entry += struct.pack(">H", _SKIP_WORKTREE)
    entry += path
    return entry + b"\0" * (8 - len(entry) % 8)


def _stat_fields(stat: os.stat_result) -> tuple[int, ...]:
    changed, modified = divmod(stat.st_ctime_ns, 10**9), divmod(stat.st_mtime_ns, 10**9)
    fields = (*changed, *modified, stat.st_dev, stat.st_ino, 0, stat.st_uid, stat.st_gid, stat.st_size)
    return tuple(field & 0xFFFFFFFF for field in fields)
