"""Folders that differ between two trees, each with what it holds: for whoever follows many commits.

Trees are parsed at once by a regular expression and kept for the next step, since one side of a
step is the other side of the one before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pygit2.enums import ObjectType

from gitmem.errors import Damaged
from gitmem.git.objects import read_raw
from gitmem.git.repository import Repository
from gitmem.git.trees import EMPTY_TREE, TREE_MODE

Held = tuple[bytes, bytes]
"""Mode, as it stands in the tree, and the 20 bytes of the id."""
Folder = Mapping[bytes, Held]

TREE = f"{TREE_MODE:o}".encode()
_ENTRY = re.compile(rb"([0-7]{1,7}) ([^\0]+)\0(.{20})", re.DOTALL)
_MOST_KEPT_ENTRIES = 200_000


class FolderDifference(NamedTuple):
    """One folder that differs: its path with a slash at the end, what it held, what it holds."""

    path: bytes
    old: Folder
    new: Folder

    def names(self) -> set[bytes]:
        """The names that are new, gone, or stand for something else."""
        return {name for name, _ in self.old.items() ^ self.new.items()}


class FolderReader:
    """Compares trees of one repository, keeping those that it read lately."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._kept: dict[bytes, Folder] = {}
        self._kept_entries = 0

    def differences(self, old: str | None, new: str | None) -> Iterator[FolderDifference]:
        """The folders that differ between two trees; equal ones are not read. Raises `Damaged`."""
        stack = [(b"", *(b"" if side is None else bytes.fromhex(side) for side in (old, new)))]
        while stack:
            path, left, right = stack.pop()
            if left == right:
                continue
            found = FolderDifference(path, self._read(left), self._read(right))
            yield found
            for name in found.names():
                sides = [_tree_id(side.get(name)) for side in (found.old, found.new)]
                if sides[0] != sides[1]:
                    stack.append((path + name + b"/", sides[0], sides[1]))

    def _read(self, oid: bytes) -> Folder:
        if not oid or oid.hex() == EMPTY_TREE:
            return {}
        found = self._kept.get(oid)
        if found is None:
            found = _parse(read_raw(self._repository.raw, oid.hex(), ObjectType.TREE), oid)
            self._kept_entries += len(found) + 1
            if self._kept_entries > _MOST_KEPT_ENTRIES:
                self._kept.clear()
                self._kept_entries = len(found) + 1
            self._kept[oid] = found
        return found


def _parse(data: bytes, oid: bytes) -> Folder:
    found = {name: (mode, held) for mode, name, held in _ENTRY.findall(data)}
    if sum(len(name) + len(mode) + 22 for name, (mode, _) in found.items()) != len(data):
        raise Damaged(f"tree {oid.hex()} is damaged")
    return found


def _tree_id(entry: Held | None) -> bytes:
    return entry[1] if entry is not None and entry[0] in (TREE, b"0" + TREE) else b""
