"""Notes follow the commits that they are on: in their trees, names are ids of commits."""

from __future__ import annotations

import re
from collections.abc import Mapping

from gitmem.git.modes import TREE_MODE
from gitmem.git.packs import ObjectWriter
from gitmem.git.repository import Repository
from gitmem.git.rewrite_trees import Files, TreeRewriter
from gitmem.git.trees import EMPTY_TREE, read_tree

_HEX = re.compile(rb"[0-9a-f]+")
_FANOUT = 2


class NoteTrees(TreeRewriter):
    """Trees of notes for rewritten commits; a note on a commit that is gone goes too.

    Git splits names into folders of two letters where there are many; a tree that was split is split once.
    """

    def __init__(
        self, repo: Repository, objects: ObjectWriter, files: Files, commits: Mapping[str, str | None]
    ) -> None:
        super().__init__(repo, objects, files)
        self._commits = commits
        self._roots: dict[str, str] = {}

    def root(self, oid: str) -> str:
        if oid not in self._roots:
            self._roots[oid] = self._renamed(oid)
        return self._roots[oid]

    def _renamed(self, oid: str) -> str:
        entries = self._flat(oid, b"", b"")
        kept = [
            (mode, new, made)
            for mode, name, blob, path in entries
            if (new := self._name(name)) is not None
            and (made := self._files.get(path, {}).get(blob, blob)) is not None
        ]
        if kept == [(mode, name, blob) for mode, name, blob, _ in entries]:
            return oid
        is_split = any(mode == TREE_MODE for _, mode, _ in read_tree(self._repo.raw, oid))
        return self._written(kept, is_split=is_split)

    def _flat(self, oid: str, folder: bytes, prefix: bytes) -> list[tuple[int, bytes, str, bytes]]:
        """Mode, whole name, blob and path of each entry."""
        if oid == EMPTY_TREE:
            return []
        found = []
        for name, mode, below in read_tree(self._repo.raw, oid):
            if mode == TREE_MODE and _HEX.fullmatch(name) and len(name) == _FANOUT:
                found += self._flat(below, folder + name + b"/", prefix + name)
            else:
                found.append((mode, prefix + name, below, folder + name))
        return found

    def _name(self, name: bytes) -> bytes | None:
        text = name.decode("ascii", "replace")
        if text not in self._commits:
            return name
        new = self._commits[text]
        return None if new is None else new.encode("ascii")

    def _written(self, entries: list[tuple[int, bytes, str]], *, is_split: bool) -> str:
        folders: dict[bytes, list[tuple[int, bytes, str]]] = {}
        top = []
        for mode, name, blob in {name: (mode, name, blob) for mode, name, blob in entries}.values():
            if is_split and len(name) == 40 and _HEX.fullmatch(name):
                folders.setdefault(name[:_FANOUT], []).append((mode, name[_FANOUT:], blob))
            else:
                top.append((mode, name, blob))
        top += [(TREE_MODE, name, self._tree_data(below)) for name, below in folders.items()]
        return self._tree_data(top)

    def _tree_data(self, entries: list[tuple[int, bytes, str]]) -> str:
        lines = sorted(
            (name + (b"/" if mode == TREE_MODE else b""), mode, name, oid) for mode, name, oid in entries
        )
        return self._objects.tree(
            b"".join(b"%o %b\0%b" % (mode, name, bytes.fromhex(oid)) for _, mode, name, oid in lines)
        )
