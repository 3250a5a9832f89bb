"""Folders that differ between two trees, each with what differs in it: for whoever follows many commits.

From one commit to the next a folder of a thousand files changes in one line. Its tree is not parsed
for that: what both versions have in common, at the beginning and at the end, is found by comparing
bytes, and only what lies between is taken apart.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec import Struct
from pygit2.enums import ObjectType

from gitmem.errors import Damaged
from gitmem.git.deltas import common_end, common_start
from gitmem.git.modes import TREE_MODE
from gitmem.git.objects import read_raw
from gitmem.git.repository import Repository
from gitmem.git.trees import EMPTY_TREE

_ENTRY = re.compile(rb"([0-7]{1,7}) ([^\0]+)\0(.{20})", re.DOTALL)
_TREE_MODES = frozenset((f"{TREE_MODE:o}".encode(), f"{TREE_MODE:06o}".encode()))
_MOST_KEPT_BYTES = 32 * 1024 * 1024


class Held(NamedTuple):
    """What stands under a name: its mode, as it is written in the tree, and the 20 bytes of its id."""

    mode: bytes
    oid: bytes

    @property
    def is_folder(self) -> bool:
        return self.mode in _TREE_MODES


class Tree(Struct, frozen=True):
    """A tree as it lies in the object database, and where each of its entries begins."""

    data: bytes
    starts: array[int]

    def entries(self, start: int = 0, end: int | None = None) -> dict[bytes, Held]:
        """The entries between two places where one begins or the tree ends."""
        found = _ENTRY.findall(self.data, start, len(self.data) if end is None else end)
        return {name: Held(mode, oid) for mode, name, oid in found}

    def entry(self, name: bytes) -> Held | None:
        """What stands under `name`."""
        span = self.span(name)
        if span is None:
            return None
        start, end = span
        return Held(self.data[start : end - 22 - len(name)], self.data[end - 20 : end])

    def span(self, name: bytes) -> tuple[int, int] | None:
        """Where the entry of `name` begins and ends."""
        wanted = b" %b\0" % name
        place = self.data.find(wanted)
        while place >= 0:
            start = self.starts[bisect_right(self.starts, place) - 1]
            # The same bytes may stand in a longer name or in an id.
            if self.data.index(b" ", start) == place:
                return start, place + len(wanted) + 20
            place = self.data.find(wanted, place + 1)
        return None


_NO_TREE = Tree(b"", array("L"))


class FolderDifference(NamedTuple):
    """One folder that differs: its path with a slash at the end, and by name what was and what is there."""

    path: bytes
    old: Mapping[bytes, Held]
    new: Mapping[bytes, Held]
    trees: tuple[Tree, Tree]

    def names(self) -> set[bytes]:
        """The names that are new, gone, or stand for something else."""
        return {name for name, _ in self.old.items() ^ self.new.items()}


class FolderReader:
    """Compares trees of one repository, keeping those that it read lately."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._kept: dict[bytes, Tree] = {}
        self._kept_bytes = 0

    def differences(self, old: str | None, new: str | None) -> Iterator[FolderDifference]:
        """The folders that differ between two trees; equal ones are not read. Raises `Damaged`."""
        stack = [(b"", *(b"" if side is None else bytes.fromhex(side) for side in (old, new)))]
        while stack:
            path, left, right = stack.pop()
            if left == right:
                continue
            found = self._difference(path, left, right)
            yield found
            for name in found.names():
                sides = [_folder_id(side.get(name)) for side in (found.old, found.new)]
                if sides[0] != sides[1]:
                    stack.append((path + name + b"/", sides[0], sides[1]))

    def find(self, tree: str, path: bytes) -> Held | None:
        """What stands at `path`, a folder included, or None. Raises `Damaged`."""
        oid = bytes.fromhex(tree)
        found: Held | None = None
        for name in path.split(b"/"):
            found = self._tree(oid).entry(name) if oid else None
            oid = _folder_id(found)
        return found

    def find_older(self, old: str, new: str, path: bytes, there: Held) -> Held | None:
        """What stands at `path` in the tree `old`, given that it is `there` in the tree `new`."""
        left, right = bytes.fromhex(old), bytes.fromhex(new)
        older: Held | None = there
        for name in path.split(b"/"):
            if left == right:
                return there
            found = self._difference(b"", left, right)
            if name in found.new:
                older = found.old.get(name)
            elif name not in found.old:
                return there
            left, right = _folder_id(older), _folder_id(found.new.get(name))
        return older

    def tree_beside(self, base: Tree | None, oid: str, data: bytes) -> Tree:
        """The tree `oid`, whose bytes are `data`, read by where it differs from `base`. Raises `Damaged`."""
        if base is None or not base.data or not data:
            return Tree(data, _starts(data, 0, len(data), bytes.fromhex(oid)))
        return Tree(data, _spliced(base, data, *_window(base, data), bytes.fromhex(oid)))

    def _difference(self, path: bytes, left: bytes, right: bytes) -> FolderDifference:
        if left in self._kept or right not in self._kept:
            old = self._tree(left)
            new, window = self._beside(old, right)
        else:
            new = self._tree(right)
            old, (first, new_end, old_end) = self._beside(new, left)
            window = first, old_end, new_end
        first, old_end, new_end = window
        return FolderDifference(path, old.entries(first, old_end), new.entries(first, new_end), (old, new))

    def _beside(self, base: Tree, oid: bytes) -> tuple[Tree, tuple[int, int, int]]:
        """The tree `oid`, and where it differs from `base`; read as far as it does."""
        if oid in self._kept or not base.data:
            found = self._tree(oid)
            return found, _window(base, found.data)
        data = self._data(oid)
        window = _window(base, data)
        if not data:
            return _NO_TREE, window
        return self._keep(oid, Tree(data, _spliced(base, data, *window, oid))), window

    def _tree(self, oid: bytes) -> Tree:
        found = self._kept.get(oid)
        if found is None:
            data = self._data(oid)
            found = self._keep(oid, Tree(data, _starts(data, 0, len(data), oid))) if data else _NO_TREE
        return found

    def _data(self, oid: bytes) -> bytes:
        if not oid or oid.hex() == EMPTY_TREE:
            return b""
        return read_raw(self._repository.raw, oid.hex(), ObjectType.TREE)

    def _keep(self, oid: bytes, tree: Tree) -> Tree:
        self._kept_bytes += len(tree.data)
        if self._kept_bytes > _MOST_KEPT_BYTES:
            self._kept.clear()
            self._kept_bytes = len(tree.data)
        self._kept[oid] = tree
        return tree


def _folder_id(entry: Held | None) -> bytes:
    return entry.oid if entry is not None and entry.is_folder else b""


def _window(old: Tree, data: bytes) -> tuple[int, int, int]:
    """Where the two trees begin to differ, and where each ceases to, at the borders of entries of both.

    What is alike at their ends may begin in the middle of an entry of `data`: a name may hold what looks like
    the head of another entry, as `b 100644 a` does.
    """
    prefix = common_start(old.data, data)
    first = old.starts[bisect_right(old.starts, prefix) - 1] if old.starts else 0
    suffix = common_end(old.data, data, first)
    longer = len(data) - len(old.data)
    reached = first
    for place in range(bisect_left(old.starts, len(old.data) - suffix), len(old.starts)):
        end = old.starts[place]
        reached = _border(data, reached, end + longer)
        if reached == end + longer:
            return first, end, reached
    return first, len(old.data), len(data)


def _border(data: bytes, start: int, least: int) -> int:
    """Where the first entry at or after `least` begins, given that one begins at `start`; else the end."""
    while start < least and (match := _ENTRY.match(data, start)):
        start = match.end()
    return start if start >= least else len(data)


def _spliced(old: Tree, data: bytes, first: int, old_end: int, new_end: int, oid: bytes) -> array[int]:
    """Where the entries of `data` begin, which differs from `old` in one window only."""
    low, high = bisect_left(old.starts, first), bisect_left(old.starts, old_end)
    shift = new_end - old_end
    behind = old.starts[high:]
    if shift:
        behind = array("L", [start + shift for start in behind])
    return old.starts[:low] + _starts(data, first, new_end, oid) + behind


def _starts(data: bytes, first: int, end: int, oid: bytes) -> array[int]:
    """Where the entries between two places begin. Raises `Damaged`."""
    starts = array("L")
    place = first
    for match in _ENTRY.finditer(data, first, end):
        if match.start() != place:
            break
        starts.append(place)
        place = match.end()
    if place != end:
        raise Damaged(f"tree {oid.hex()} is damaged")
    return starts
