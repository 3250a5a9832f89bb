"""Writing many objects at once: as one pack with its index, on disk before anything names it.

Loose, ten thousand memories take as many files, each flushed by itself and each of 4 KB at least. Formats:
Documentation/gitformat-pack.txt, version 2 of both files.

pack:  "PACK" version count | objects: kind and size, then zlib data | SHA-1
index: magic version | 256 counts by first byte | ids | CRC-32 of each | offsets | SHA-1 of the pack | SHA-1
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Protocol

from pygit2.enums import ObjectType

from gitmem.errors import OutsideFailure
from gitmem.git.deltas import delta_of, offset_back
from gitmem.git.faults import point
from gitmem.git.objects import write_object
from gitmem.git.repository import Repository
from gitmem.platform import fsync_directory

FEWEST_PACKED = 32
"""So many files are worth a pack of their own. Fewer stay loose until the upkeep packs them."""
FEWEST_DELTA_BYTES, DEEPEST_DELTA = 512, 40
"""From what size on a tree may be kept as a delta, and how many may hang on each other, as for `git gc`."""
_HEADER = struct.Struct(">4sII")
_KINDS = {b"commit": 1, b"tree": 2, b"blob": 3, b"tag": 4}
_OFS_DELTA = 6
_MARK = 2**31
_LARGEST_PLAIN = 2**31 - 1
_BLOCK_BYTES = 2**20
_LEAST_WINDOW_BITS, _MOST_WINDOW_BITS = 10, 15


class ObjectWriter(Protocol):
    """Takes objects; all are on disk when the `with` block that gave it is left."""

    def blob(self, data: bytes) -> str:
        """The id of a blob."""

    def tree(self, data: bytes, like: bytes = b"") -> str:
        """The id of a tree, given as it is stored; it may be kept as what it changes in the tree `like`."""

    def commit(self, data: bytes) -> str:
        """The id of a commit, given as it is stored."""

    def tag(self, data: bytes) -> str:
        """The id of an annotated tag, given as it is stored."""


class LooseObjects:
    """Each object a file of its own, flushed at once."""

    def __init__(self, repo: Repository) -> None:
        self._repo = repo

    def blob(self, data: bytes) -> str:
        return write_object(self._repo.raw, ObjectType.BLOB, data)

    def tree(self, data: bytes, like: bytes = b"") -> str:  # noqa: ARG002
        return write_object(self._repo.raw, ObjectType.TREE, data)

    def commit(self, data: bytes) -> str:
        return write_object(self._repo.raw, ObjectType.COMMIT, data)

    def tag(self, data: bytes) -> str:
        return write_object(self._repo.raw, ObjectType.TAG, data)


@contextmanager
def writing_objects(repo: Repository, *, files: int) -> Iterator[ObjectWriter]:
    """A writer for the objects of a commit that changes so many `files`. Raises `OutsideFailure`."""
    if files < FEWEST_PACKED:
        yield LooseObjects(repo)
        return
    try:
        with PackWriter(repo.common_dir / "objects" / "pack") as pack:
            yield pack
    except OSError as error:
        raise OutsideFailure(f"cannot write to the object database: {error}") from error


class PackWriter:
    """A pack that is being written. Left by an exception, nothing of it stays."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        # Git removes old files of this name.
        self._beside = folder / f"tmp_pack_{secrets.token_hex(8)}"
        self._offsets: dict[bytes, tuple[int, int]] = {}
        self._depths: dict[bytes, int] = {}
        self._at = _HEADER.size
        self._file: BinaryIO

    def __enter__(self) -> PackWriter:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._file = _created(self._beside)
        self._file.write(_HEADER.pack(b"PACK", 2, 0))
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        index = self._beside.with_name(self._beside.name.replace("tmp_pack_", "tmp_idx_"))
        try:
            if kind is None and self._offsets:
                self._finish(index)
        finally:
            self._file.close()
            for file in (self._beside, index):
                with contextlib.suppress(OSError):
                    file.unlink(missing_ok=True)

    def blob(self, data: bytes) -> str:
        return self._write(b"blob", data)

    def tree(self, data: bytes, like: bytes = b"") -> str:
        return self._write(b"tree", data, like if len(data) >= FEWEST_DELTA_BYTES else b"")

    def commit(self, data: bytes) -> str:
        return self._write(b"commit", data)

    def tag(self, data: bytes) -> str:
        return self._write(b"tag", data)

    def _write(self, kind: bytes, data: bytes, like: bytes = b"") -> str:
        """The id of the object, which is written once however often it is given."""
        digest = hashlib.sha1(b"%b %d\0" % (kind, len(data)), usedforsecurity=False)
        digest.update(data)
        oid = digest.digest()
        if oid not in self._offsets:
            entry = self._delta(oid, data, like) if like else None
            if entry is None:
                # A tree is mostly ids, in which there is nothing to find.
                level = 1 if kind == b"tree" else -1
                entry = _entry_head(_KINDS[kind], len(data)) + _compressed(data, level)
            self._file.write(entry)
            self._offsets[oid] = (self._at, zlib.crc32(entry))
            self._at += len(entry)
        return oid.hex()

    def _delta(self, oid: bytes, data: bytes, like: bytes) -> bytes | None:
        """The entry of a tree as what it changes in another one of this pack; None where it is not there."""
        base = hashlib.sha1(b"tree %d\0%b" % (len(like), like), usedforsecurity=False).digest()
        depth = self._depths.get(base, 0) + 1
        if base not in self._offsets or depth > DEEPEST_DELTA:
            return None
        self._depths[oid] = depth
        delta = delta_of(like, data)
        back = offset_back(self._at - self._offsets[base][0])
        return _entry_head(_OFS_DELTA, len(delta)) + back + _compressed(delta, 1)

    def _finish(self, index: Path) -> None:
        """Completes both files, flushes them, and gives them their names, the index last."""
        self._file.seek(0)
        self._file.write(_HEADER.pack(b"PACK", 2, len(self._offsets)))
        self._file.flush()
        checksum = _sha1_of(self._beside)
        self._file.seek(0, os.SEEK_END)
        self._file.write(checksum)
        _flush(self._file)
        point("pack.written")
        with _created(index) as file:
            file.write(_index_of(self._offsets, checksum))
            _flush(file)
        name = self._folder / f"pack-{checksum.hex()}"
        self._file.close()
        self._beside.replace(name.with_suffix(".pack"))
        # Without its index git does not see a pack, so a death here leaves a file and no half objects.
        point("pack.half-placed")
        index.replace(name.with_suffix(".idx"))
        fsync_directory(self._folder)
        point("pack.placed")


def _created(path: Path) -> BinaryIO:
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return os.fdopen(os.open(path, flags, 0o444), "w+b")


def _flush(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def _compressed(data: bytes, level: int) -> bytes:
    """`data` in the format of zlib, with a window no larger than it needs.

    To lay out a full one, 256 KB of memory, takes ten times as long as a commit takes to go through it.
    """
    bits = min(_MOST_WINDOW_BITS, max(_LEAST_WINDOW_BITS, len(data).bit_length()))
    packer = zlib.compressobj(level, zlib.DEFLATED, bits, bits - 7)
    return packer.compress(data) + packer.flush()


def _entry_head(kind: int, size: int) -> bytes:
    """Kind and size of an object: 4 bits of the size, then 7 in each byte that follows."""
    byte, size = kind << 4 | size & 15, size >> 4
    head = bytearray()
    while size:
        head.append(byte | 128)
        byte, size = size & 127, size >> 7
    head.append(byte)
    return bytes(head)


def _sha1_of(path: Path) -> bytes:
    digest = hashlib.sha1(usedforsecurity=False)
    with open(path, "rb") as file:
        while block := file.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.digest()


def _index_of(offsets: dict[bytes, tuple[int, int]], checksum: bytes) -> bytes:
    """The index of a pack; `offsets` has for each id its place and its CRC-32."""
    ids = sorted(offsets)
    counts = [0] * 256
    for oid in ids:
        counts[oid[0]] += 1
    totals, total = [], 0
    for count in counts:
        total += count
        totals.append(total)
    places, large = [], []
    for oid in ids:
        at = offsets[oid][0]
        if at > _LARGEST_PLAIN:
            large.append(at)
            at = _MARK | len(large) - 1
        places.append(at)
    body = b"".join(
        [
            struct.pack(">4sI256I", b"\xfftOc", 2, *totals),
            *ids,
            struct.pack(f">{len(ids)}I", *(offsets[oid][1] for oid in ids)),
            struct.pack(f">{len(ids)}I", *places),
            struct.pack(f">{len(large)}Q", *large),
            checksum,
        ]
    )
    return body + hashlib.sha1(body, usedforsecurity=False).digest()
