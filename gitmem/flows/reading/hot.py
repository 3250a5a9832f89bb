"""Memories that were read lately, by path and blob: what a blob says at a path never changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from gitmem.model.ids import BlobId
from gitmem.model.memory import Memory

MOST_CHARACTERS = 8 * 1024 * 1024
"""How much text is kept; what it takes in bytes is a small multiple of it."""
_OVERHEAD_CHARACTERS = 1000
"""What a memory without text counts for."""


class HotMemories:
    """The memories used last, up to `most_characters` of text. Several threads may use it."""

    def __init__(self, most_characters: int = MOST_CHARACTERS) -> None:
        self._most_characters = most_characters
        self._lock = Lock()
        self._kept: OrderedDict[tuple[str, BlobId], Memory] = OrderedDict()
        self._characters = 0

    @property
    def characters(self) -> int:
        """How much is kept."""
        return self._characters

    def get(self, path: str, blob: BlobId, read: Callable[[str, BlobId], Memory]) -> Memory:
        """The memory that `blob` is at `path`, by `read` where it is not kept. Raises what `read` raises."""
        key = (path, blob)
        with self._lock:
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                return kept
        memory = read(path, blob)
        with self._lock:
            if key not in self._kept and _size(memory) <= self._most_characters // 8:
                self._kept[key] = memory
                self._characters += _size(memory)
            while self._characters > self._most_characters:
                self._characters -= _size(self._kept.popitem(last=False)[1])
        return memory

    def clear(self) -> None:
        """Forgets all."""
        with self._lock:
            self._kept.clear()
            self._characters = 0


def _size(memory: Memory) -> int:
    return len(memory.body) + len(memory.header_text) + _OVERHEAD_CHARACTERS
