"""Trees made anew without, or with other, files. A tree is made once for each place where it stands."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from pygit2.enums import ObjectType

from gitmem.git.folders import FolderReader, Tree
from gitmem.git.objects import read_raw
from gitmem.git.packs import ObjectWriter
from gitmem.git.repository import Repository
from gitmem.git.trees import EMPTY_TREE

Files = Mapping[bytes, Mapping[str, str | None]]
"""By path and blob: the blob that stands there instead, or None for none."""

_ENTRY = re.compile(rb"([0-7]{1,7}) ([^\0]+)\0(.{20})", re.DOTALL)
_TREE_MODES = (b"40000", b"040000")
_FEW_NAMES, _SMALL_BYTES = 8, 2048


class TreeRewriter:
    """Trees without, or with other, files."""

    def __init__(
        self, repo: Repository, objects: ObjectWriter, files: Files, paths: Collection[bytes] = ()
    ) -> None:
        """`files` may still grow while commits are made anew, at `paths`."""
        self._repo = repo
        self._objects = objects
        self._files = files
        self._made: dict[tuple[bytes, str], str | None] = {}
        self._reader = FolderReader(repo)
        self._read: dict[bytes, Tree] = {}
        self._last: dict[bytes, bytes] = {}
        """By folder, the tree that was made last: the next one is much like it."""
        self._interest: dict[bytes, set[bytes]] = {}
        for path in {*files, *paths}:
            parts = path.split(b"/")
            for depth, name in enumerate(parts):
                folder = b"".join(part + b"/" for part in parts[:depth])
                self._interest.setdefault(folder, set()).add(name)

    def tree(self, oid: str, folder: bytes = b"") -> str | None:
        """The tree `oid`, which stands at `folder`, made anew; None where nothing is left in it."""
        names = self._interest.get(folder)
        if names is None:
            return oid
        key = (folder, oid)
        if key not in self._made:
            self._made[key] = self._tree(oid, folder, names)
        return self._made[key]

    def root(self, oid: str) -> str:
        """The tree `oid` of a commit made anew."""
        return self.tree(oid) or self._objects.tree(b"")

    def _tree(self, oid: str, folder: bytes, names: Collection[bytes]) -> str | None:
        if oid == EMPTY_TREE:
            return None if folder else oid
        data = read_raw(self._repo.raw, oid, ObjectType.TREE)
        pieces: list[bytes] = []
        copied = 0
        for start, mode, name, end in self._entries(data, folder, oid, names):
            was = data[end - 20 : end].hex()
            now = self._entry(folder + name, mode, was)
            if now == was:
                continue
            pieces.append(data[copied:start])
            if now is not None:
                pieces.append(data[start : end - 20] + bytes.fromhex(now))
            copied = end
        if not copied:
            return oid
        made = b"".join([*pieces, data[copied:]])
        if folder and not made:
            return None
        like, self._last[folder] = self._last.get(folder, b""), made
        return self._objects.tree(made, like)

    def _entries(
        self, data: bytes, folder: bytes, oid: str, names: Collection[bytes]
    ) -> Iterator[tuple[int, bytes, bytes, int]]:
        """The entries of those names: where each begins, its mode and name, and where it ends."""
        if len(names) > _FEW_NAMES or len(data) < _SMALL_BYTES:
            for match in _ENTRY.finditer(data):
                if match[2] in names:
                    yield match.start(), match[1], match[2], match.end()
            return
        # Its versions differ in a line: where entries begin is known from the version before.
        tree = self._read[folder] = self._reader.tree_beside(self._read.get(folder), oid, data)
        spans = [(span, name) for name in names if (span := tree.span(name)) is not None]
        for (start, end), name in sorted(spans):
            yield start, data[start : end - 22 - len(name)], name, end

    def _entry(self, path: bytes, mode: bytes, oid: str) -> str | None:
        if mode in _TREE_MODES:
            return self.tree(oid, path + b"/")
        return self._files.get(path, {}).get(oid, oid)
