"""Where a new memory goes: a path that is free, in a folder that is not full."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from gitmem.model.ids import MemoryId
from gitmem.model.memory import MemoryType
from gitmem.model.place import file_name, folder_for, name_key, shard_of
from gitmem.versions.snapshot import Snapshot

MAX_FOLDER_ENTRIES = 1000


class Naming:
    """Hands out paths for new memories of one commit, beside those that `snapshot` has.

    `leaving` is a file that makes its place free. Only the folders that are asked about are looked into.
    """

    def __init__(self, snapshot: Snapshot, *, leaving: str | None = None) -> None:
        self._snapshot = snapshot
        self._leaving = leaving
        self._folders: dict[str, Mapping[str, list[str]]] = {}
        self._taken: set[str] = set()
        self._sizes: dict[str, int] = {}

    def is_taken(self, path: str) -> bool:
        """Whether something stands at `path`, on a file system that folds case or accents too."""
        key = name_key(path)
        if key in self._taken:
            return True
        folder, _, name = key.rpartition("/")
        return name in self._in_folder(folder)

    def take(self, path: str) -> None:
        """Marks `path` as used."""
        self._taken.add(name_key(path))
        folder = path.rpartition("/")[0]
        self._sizes[folder] = self._size(folder) + 1

    def _in_folder(self, key: str) -> Mapping[str, list[str]]:
        """What stands in all folders whose path has this key: paths by the keys of their names."""
        known = self._folders.get(key)
        if known is None:
            above, _, name = key.rpartition("/")
            folders = self._in_folder(above).get(name, []) if key else [""]
            found: dict[str, list[str]] = {}
            for folder in folders:
                for path in self._snapshot.listing(folder):
                    if path != self._leaving:
                        found.setdefault(name_key(path.rpartition("/")[2]), []).append(path)
            known = self._folders[key] = found
        return known

    def _size(self, folder: str) -> int:
        """How many memories stand directly in `folder`."""
        if folder not in self._sizes:
            self._sizes[folder] = sum(map(self._snapshot.is_memory_path, self._snapshot.listing(folder)))
        return self._sizes[folder]

    def path_for(
        self, *, memory_type: MemoryType, namespace: str, title: str, memory_id: MemoryId, created: datetime
    ) -> str:
        """A free path for the memory, which is taken from then on."""
        folder = folder_for(memory_type, namespace, created)
        is_shared = not namespace and memory_type is not MemoryType.EPISODIC
        if is_shared or self._size(folder) >= MAX_FOLDER_ENTRIES:
            folder = f"{folder}/{shard_of(memory_id)}"
        name = file_name(memory_type, title, memory_id, created)
        # A title and an id may join to the name that another title and id have: `a-b` and `c`, `a` and `b-c`.
        while self.is_taken(path := f"{folder}/{name}"):
            folder = f"{folder}/{shard_of(memory_id)}"
        self.take(path)
        return path
