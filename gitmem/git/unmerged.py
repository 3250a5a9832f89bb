"""Files of which git's index keeps several versions, until somebody settles a merge."""

from __future__ import annotations

import mmap
import os
import re
import struct
from collections.abc import Collection
from pathlib import Path
from typing import cast

from gitmem.errors import Damaged
from gitmem.git.beneath import open_regular
from gitmem.git.environment import run_git
from gitmem.git.index_file import IndexFile, UnusualIndex
from gitmem.git.index_map import read_map

_MOST_SOUGHT = 8
"""For more paths than these git is asked: each is sought in the whole index."""
_SPLIT = b"link\0\0\0"
_CHECKSUM_BYTES = 20
_ROOT = re.compile(rb"TREE(.{4})\0([0-9]+) [0-9]+\n", re.DOTALL)
"""The TREE extension with the tree that all entries together are; git knows none while one is unmerged."""


def unmerged_paths(top: Path) -> set[bytes]:
    """The files of the worktree at `top` of which git keeps several versions."""
    entries = run_git(["ls-files", "--unmerged", "-z"], cwd=top).split(b"\0")
    return {path for entry in entries if (path := entry.partition(b"\t")[2])}


def may_be_unmerged(git_dir: Path, map_file: Path, paths: Collection[bytes]) -> bool:
    """Whether the index may hold one of `paths` in several versions; git alone knows every kind of index.

    `map_file` is where a map of the index is kept (see `index_map`), which spares looking through all of it.
    """
    try:
        with os.fdopen(open_regular(git_dir / "index"), "rb") as file:
            if not os.fstat(file.fileno()).st_size:
                return False
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return not _is_one_tree(data) and _may_hold(data, map_file, paths)
    except FileNotFoundError:
        return False


def _is_one_tree(data: mmap.mmap) -> bool:
    """Whether git wrote down which tree the index is."""
    at = data.rfind(b"TREE")
    found = _ROOT.match(data, at) if at >= 0 else None
    if found is None:
        return False
    end = len(data) - _CHECKSUM_BYTES
    # What looks like it within an entry is not followed by extensions up to the end.
    while at < end - 8:
        at += 8 + int(struct.unpack_from(">I", data, at + 4)[0])
    return at == end


def _may_hold(data: mmap.mmap, map_file: Path, paths: Collection[bytes]) -> bool:
    if len(paths) > _MOST_SOUGHT:
        return True
    known = read_map(map_file, data[-_CHECKSUM_BYTES:])
    if known is not None:
        try:
            index = IndexFile(cast(bytes, data), known, is_summed=False)
        except (UnusualIndex, Damaged):
            return True
        return any(map(index.is_conflicted, paths))
    is_plain = data[4:8] != b"\0\0\0\4" and data.find(_SPLIT) < 0
    return not is_plain or any(_is_staged_twice(data, path) for path in paths)


def _is_staged_twice(data: mmap.mmap, path: bytes) -> bool:
    """Whether an entry of the name has the flags of a version that waits to be merged."""
    length = min(len(path), 0xFFF)
    flags = (struct.pack(">H", stage << 12 | length) for stage in (1, 2, 3))
    return any(data.find(flag + path + b"\0") >= 0 for flag in flags)
