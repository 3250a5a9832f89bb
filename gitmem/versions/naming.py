"""Where a new memory goes: a path that is free, in a folder that is not full."""

from __future__ import annotations

from datetime import datetime

from gitmem.model.ids import MemoryId
from gitmem.model.memory import MemoryType
from gitmem.model.place import file_name, folder_for, name_key, shard_of

MAX_FOLDER_ENTRIES = 1000


class Naming:
    """Hands out paths for new memories of one commit; `paths` are those that already exist."""

    def __init__(self, paths: set[str]) -> None:
        self._taken = {name_key(path) for path in paths}
        self._sizes: dict[str, int] = {}
        for path in paths:
            self._count(path)

    def _count(self, path: str) -> None:
        folder = path.rpartition("/")[0]
        self._sizes[folder] = self._sizes.get(folder, 0) + 1

    def is_taken(self, path: str) -> bool:
        """Whether a file stands at `path`, on a file system that folds case or accents too."""
        return name_key(path) in self._taken

    def take(self, path: str) -> None:
        """Marks `path` as used."""
        self._taken.add(name_key(path))
        self._count(path)

    def path_for(
        self, *, memory_type: MemoryType, namespace: str, title: str, memory_id: MemoryId, created: datetime
    ) -> str:
        """A free path for the memory, which is taken from then on."""
        folder = folder_for(memory_type, namespace, created)
        is_shared = not namespace and memory_type is not MemoryType.EPISODIC
        if is_shared or self._sizes.get(folder, 0) >= MAX_FOLDER_ENTRIES:
            folder = f"{folder}/{shard_of(memory_id)}"
        name = file_name(memory_type, title, memory_id, created)
        # A title and an id may join to the name that another title and id have: `a-b` and `c`, `a` and `b-c`.
        while self.is_taken(path := f"{folder}/{name}"):
            folder = f"{folder}/{shard_of(memory_id)}"
        self.take(path)
        return path
