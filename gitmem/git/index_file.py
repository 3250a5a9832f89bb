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
from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from gitmem.errors import Damaged
from gitmem.git.cache_tree import NodePlaces, find_nodes, invalidated
from gitmem.git.index_map import IndexMap, moved

_HEADER = struct.Struct(">4sII")
_ENTRY = struct.Struct(">10I20sH")
_FIXED_SIZE = _ENTRY.size
_EXTENDED = 0x4000
_SKIP_WORKTREE, _INTENT_TO_ADD = 0x4000, 0x2000
_LONGEST_LENGTH = 0xFFF
_ANCHOR_EVERY = 8
_REMEDY = "'gitmem doctor --fix' makes it anew from HEAD"
_NO_STAT = (0,) * 10


class UnusualIndex(Exception):
    """The index is of a kind that only git itself can rewrite: version 4, split, or sparse."""


class IndexEntry(Struct, frozen=True):
    """An entry without conflict: id, mode, and whether git keeps its file out of the worktree."""

    oid: str
    mode: int
    is_skipped: bool = False
    is_intent_to_add: bool = False


class Put(Struct, frozen=True):
    """What is to stand at a path: id, mode, `os.stat` of its file where there is one, and `skip`."""

    oid: str
    mode: int
    stat: os.stat_result | None = None
    is_skipped: bool = False


def empty_index() -> bytes:
    """An index without entries."""
    body = _HEADER.pack(b"DIRC", 2, 0)
    return body + _sha1(body)


class IndexFile:
    """One state of the index. Raises `UnusualIndex`, or `Damaged` where the bytes are no index.

    With `known`, a map of this very state, no entry is read but those that are asked for. Who only looks,
    and writes nothing of it, may leave out the sum of all bytes (`is_summed`).
    """

    def __init__(self, data: bytes, known: IndexMap | None = None, *, is_summed: bool = True) -> None:
        self._data = data
        self._end = len(data) - 20
        if len(data) < 32 or data[:4] != b"DIRC":
            raise Damaged("git's index is damaged", hint=_REMEDY)
        self._version, self._count = _HEADER.unpack_from(data)[1:]
        if self._version not in (2, 3):
            raise UnusualIndex(f"version {self._version}")
        self._found: dict[bytes, int] = {}
        checksum = data[self._end :]
        # With index.skipHash git writes zeros, which claim nothing.
        if is_summed and any(checksum) and _sha1(memoryview(data)[: self._end]) != checksum:
            raise Damaged("git's index is damaged: wrong checksum", hint=_REMEDY)
        self._known = known if any(checksum) and known and known.checksum == checksum else None
        try:
            if self._known:
                self._anchors, self._entries_end = self._known.anchors, self._known.end
            else:
                self._anchors, self._entries_end = self._locate()
            if self._entries_end > self._end:
                raise ValueError
            self._extensions = list(self._read_extensions())
        except (IndexError, struct.error, ValueError) as error:
            raise Damaged("git's index is damaged: cut off", hint=_REMEDY) from error

    def _locate(self) -> tuple[array[int], int]:
        """Where every 8th entry begins, and where the entries end."""
        *places, end = _places(self._data, self._count)
        return array("I", places[::_ANCHOR_EVERY]), end

    def _behind(self, at: int) -> int:
        """Where the entry ends that begins at `at`."""
        flags = self._data[at + 60]
        fixed = _FIXED_SIZE + 2 if flags & 0x40 else _FIXED_SIZE
        return at + ((fixed + len(self._name(at)) + 8) & -8)

    def _read_extensions(self) -> Iterator[tuple[bytes, bytes]]:
        at = self._entries_end
        while at < self._end:
            name, size = struct.unpack_from(">4sI", self._data, at)
            if name in (b"link", b"sdir"):
                raise UnusualIndex(name.decode())
            if at + 8 + size > self._end or not name[:1].isupper():
                raise ValueError
            yield name, self._data[at + 8 : at + 8 + size]
            at += 8 + size

    def _name(self, at: int) -> bytes:
        flags = self._data[at + 60] << 8 | self._data[at + 61]
        start = at + (_FIXED_SIZE + 2 if flags & _EXTENDED else _FIXED_SIZE)
        length = flags & _LONGEST_LENGTH
        if length == _LONGEST_LENGTH:
            length = self._data.find(b"\0", start) - start
        return self._data[start : start + length]

    def _position(self, path: bytes) -> int:
        """Where the first entry begins whose path is not before `path`; the end where all are."""
        at = self._found.get(path)
        if at is None:
            number = bisect_left(self._anchors, path, key=self._name) - 1
            at = self._anchors[number] if number >= 0 else _HEADER.size
            while at < self._entries_end and self._name(at) < path:
                at = self._behind(at)
            self._found[path] = at
        return at

    def _stage(self, at: int) -> int:
        return self._data[at + 60] >> 4 & 3

    def _has(self, at: int, path: bytes) -> bool:
        return at < self._entries_end and self._name(at) == path

    def is_conflicted(self, path: bytes) -> bool:
        """Whether a merge left several versions of `path` to choose from."""
        at = self._position(path)
        return self._has(at, path) and self._stage(at) != 0

    def find(self, path: bytes) -> IndexEntry | None:
        """What is staged at `path`, or None; also None where it is in conflict."""
        at = self._position(path)
        return self._entry(at) if self._has(at, path) and not self._stage(at) else None

    def _entry(self, at: int) -> IndexEntry:
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
        at = self._position(prefix)
        while at < self._entries_end:
            name = self._name(at)
            if not name.startswith(prefix):
                return
            yield name
            at = self._behind(at)

    def racy(self, written_ns: int) -> list[tuple[bytes, IndexEntry, tuple[int, int]]]:
        """The entries whose file may have changed unseen: (path, entry, (size, mtime seconds)).

        A file changed in the second in which the index was written looks unchanged by its times. Git
        compares such files by content, as long as the index is no younger than they are; an index written
        later must have settled the question (Documentation/technical/racy-git.txt).
        """
        second = written_ns // 10**9
        lowest = struct.pack(">I", max(0, second) & 0xFFFFFFFF)
        data, found = self._data, []
        for at in self._recent(second):
            if data[at + 8 : at + 12] >= lowest and data[at + 36 : at + 40] != b"\0\0\0\0":
                mtime, size = (struct.unpack_from(">I", data, at + place)[0] for place in (8, 36))
                if not self._stage(at):
                    found.append((self._name(at), self._entry(at), (size, mtime)))
        return found

    def _recent(self, second: int) -> Iterator[int]:
        """Where the entries begin that may be of that second or later."""
        if self._known and self._known.since <= second:
            for path in self._known.recent:
                at = self._position(path)
                if self._has(at, path):
                    yield at
            return
        for at in _places(self._data, self._count):
            if at < self._entries_end:
                yield at

    def changed(self, changes: Mapping[bytes, Put | None], smudged: frozenset[bytes] = frozenset()) -> bytes:
        """The bytes of this index with each path put or taken out, and each of `smudged` to be looked at.

        Every other entry stays byte for byte. The flags of an entry that is put anew stay, except for
        intent-to-add.
        """
        return b"".join(self.spliced(changes, smudged)[0])

    def spliced(
        self,
        changes: Mapping[bytes, Put | None],
        smudged: frozenset[bytes] = frozenset(),
        recent: Sequence[bytes] = (),
        since: int = 0,
    ) -> tuple[list[bytes | memoryview], IndexMap]:
        """The pieces of what `changed` gives, and its map, which says `recent` and `since` of the times."""
        pieces: list[bytes | memoryview] = []
        view, done, count, version = memoryview(self._data), _HEADER.size, self._count, self._version
        edits: list[tuple[int, int, int]] = []
        for path in sorted(changes.keys() | smudged):
            start = end = self._position(path)
            stages = 0
            while self._has(end, path):
                stages += 1
                end = self._behind(end)
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
            edits.append((start, end, 0 if put is None else len(packed)))
        pieces.append(view[done : self._entries_end])
        more, nodes = self._extensions_after(list(changes))
        pieces = [_HEADER.pack(b"DIRC", version, count), *pieces, *more]
        checksum = _sha1(*pieces)
        places = moved(self._anchors, edits, self._entries_end)
        return [*pieces, checksum], IndexMap(checksum, *places, nodes, recent, since)

    def _extensions_after(self, paths: Sequence[bytes]) -> tuple[list[bytes], NodePlaces | None]:
        """Those that stay true. Others are for speed alone, and git makes them anew."""
        pieces: list[bytes] = []
        nodes = None
        for name, content in self._extensions:
            if name == b"TREE":
                known = self._known.nodes if self._known else find_nodes(content)
                marked = invalidated(content, paths, known)
                if marked is not None:
                    content, nodes = marked
                    pieces += [name, struct.pack(">I", len(content)), content]
            elif name == b"REUC":
                pieces += [name, struct.pack(">I", len(content)), content]
        return pieces, nodes


def _places(data: bytes, count: int) -> Iterator[int]:
    """Where each of `count` entries begins, and at last where they end."""
    at = _HEADER.size
    for _ in range(count):
        yield at
        high = data[at + 60]
        length = (high & 0x0F) << 8 | data[at + 61]
        if length == _LONGEST_LENGTH:
            start = at + (64 if high & 0x40 else 62)
            length = data.index(b"\0", start) - start
        at += (length + (72 if high & 0x40 else 70)) & -8
    yield at


def _sha1(*pieces: bytes | memoryview) -> bytes:
    digest = hashlib.sha1(usedforsecurity=False)
    for piece in pieces:
        digest.update(piece)
    return digest.digest()


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
