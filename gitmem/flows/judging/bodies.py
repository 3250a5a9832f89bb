"""The texts of a store while an import reads it: whether a memory elsewhere says what a new file says."""

from __future__ import annotations

from collections import defaultdict

from gitmem.evolve.duplicates import LEAST_WORDS
from gitmem.evolve.exact import text_key
from gitmem.model.ids import id_key
from gitmem.model.memory import Memory, MemoryType, Status
from gitmem.versions.snapshot import Snapshot

_KINDS = (MemoryType.SEMANTIC, MemoryType.PROCEDURAL, MemoryType.REFLECTIVE)
"""What happens twice is two episodes."""


class Bodies:
    """The memories of a branch by their texts; none of the texts is held on to."""

    def __init__(self) -> None:
        self._paths: dict[int, list[tuple[str, str, str]]] = defaultdict(list)

    def add(self, memory: Memory) -> None:
        """Makes a memory known, if it lives and can be read."""
        if (
            memory.type in _KINDS
            and memory.status in (Status.ACTIVE, Status.DISPUTED)
            and not memory.locked_by
        ):
            key = text_key(memory.body)
            self._paths[key].append((memory.path, memory.namespace, f"{memory.type}/{memory.title}"))

    def holder_of(self, memory: Memory) -> str | None:
        """The path of a known memory with namespace, type, title and text of a file that brings no id.

        None for a file that says too little to be told from another.
        """
        if memory.has_own_id or memory.type not in _KINDS or len(memory.body.split()) < LEAST_WORDS:
            return None
        return next(
            (
                path
                for path, namespace, name in self._paths.get(text_key(memory.body), ())
                if path != memory.path
                and namespace == memory.namespace
                and name == f"{memory.type}/{memory.title}"
            ),
            None,
        )


def bodies_of(snapshot: Snapshot) -> tuple[Bodies, dict[str, str]]:
    """The texts of the memories of a branch, and the path of each id, by its key."""
    bodies = Bodies()
    ids: dict[str, str] = {}
    for path, blob in snapshot.files():
        memory = snapshot.read(path, blob)
        ids[id_key(memory.id)] = path
        bodies.add(memory)
    return bodies, ids
