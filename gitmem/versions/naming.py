"""Where a new memory goes: a path that is free, in a folder that is not full."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from gitmem.git.modes import TREE_MODE
from gitmem.git.trees import decode_path
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
        self._folders: dict[str, list[str]] = {"": [""]}
        self._joined: dict[str, str] = {}
        self._by_key: dict[str, dict[str, list[str]]] = {}
        self._memories: dict[str, int] = {}
        self._taken: set[str] = set()
        self._sizes: dict[str, int] = {}

    def is_taken(self, path: str) -> bool:
        """Whether something stands at `path`, on a file system that folds case or accents too."""
        key = name_key(path)
        return key in self._taken or any(found != self._leaving for found in self._alike(key))

    def take(self, path: str) -> None:
        """Marks `path` as used, and the folders above it: no file can have their names."""
        key = name_key(path)
        while key and key not in self._taken:
            self._taken.add(key)
            key = key.rpartition("/")[0]
        folder = path.rpartition("/")[0]
        self._sizes[folder] = self._sizes.get(folder, 0) + 1

    def _alike(self, key: str) -> Iterator[str]:
        """The paths that have this key."""
        above, _, name = key.rpartition("/")
        if above not in self._folders:
            self._folders[above] = list(self._alike(above))
        for folder in self._folders[above]:
            for found in self._with_key(folder, name):
                yield f"{folder}/{found}" if folder else found

    def _with_key(self, folder: str, key: str) -> list[str]:
        """The names in `folder` that have this key."""
        names = self._snapshot.listing(folder)
        if folder not in self._joined:
            # A slash joins with no character beside it, so the keys of all names are the key of all of them.
            self._joined[folder] = f"/{name_key(decode_path(b'/'.join(names)))}/"
        # Nearly always there is none, and this is the fastest way to see it.
        if f"/{key}/" not in self._joined[folder]:
            return []
        by_key = self._by_key.get(folder)
        if by_key is None:
            by_key = self._by_key[folder] = {}
            for text in map(decode_path, names):
                by_key.setdefault(name_key(text), []).append(text)
        return by_key.get(key, [])

    def _is_full(self, folder: str) -> bool:
        """Whether so many memories stand directly in `folder` that no more should."""
        names = self._snapshot.listing(folder)
        own = self._sizes.get(folder, 0)
        if len(names) + own < MAX_FOLDER_ENTRIES:
            return False
        memories = self._memories.get(folder)
        if memories is None:
            files = (decode_path(name) for name, (mode, _) in names.items() if mode != TREE_MODE)
            memories = sum(self._snapshot.is_memory_path(f"{folder}/{name}") for name in files)
            self._memories[folder] = memories
        return memories + own >= MAX_FOLDER_ENTRIES

    def path_for(
        self, *, memory_type: MemoryType, namespace: str, title: str, memory_id: MemoryId, created: datetime
    ) -> str:
        """A free path for the memory, which is taken from then on."""
        folder = folder_for(memory_type, namespace, created)
        is_shared = not namespace and memory_type is not MemoryType.EPISODIC
        if is_shared or self._is_full(folder):
            folder = f"{folder}/{shard_of(memory_id)}"
        name = file_name(memory_type, title, memory_id, created)
        # A title and an id may join to the name that another title and id have: `a-b` and `c`, `a` and `b-c`.
        while self.is_taken(path := f"{folder}/{name}"):
            folder = f"{folder}/{shard_of(memory_id)}"
        self.take(path)
        return path
