"""Where Whoosh keeps its files: a private folder, or memory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from whoosh.fields import Schema
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.index import FileIndex

from gitmem.index.schema import schema
from gitmem.index.segments import LeanCodec

if TYPE_CHECKING:
    from whoosh.writing import SegmentWriter

DAMAGE: tuple[type[Exception], ...] = (Exception,)
"""What Whoosh raises over files that are missing, cut off or overwritten.

Seen: TypeError, ValueError, IndexError, KeyError, NameError, AttributeError, AssertionError,
MemoryError, struct.error, zlib.error, UnpicklingError, FileNotFoundError, four classes of its own,
and Exception itself. An error of gitmem's own is never damage: handle `GitmemError` before this.
"""


class MemoryStorage(RamStorage):  # type: ignore[misc]
    """An index in memory. Whoosh's own keeps its scratch files in one folder shared by all processes."""

    def temp_storage(self, name: str | None = None) -> MemoryStorage:
        del name
        return MemoryStorage()

    def file_modified(self, name: str) -> float:
        del name
        return 0.0


class FolderStorage(FileStorage):  # type: ignore[misc]
    """An index in a folder, with the scratch files of small commits kept in memory."""

    def __init__(self, folder: Path, *, scratch_in_memory: bool = True) -> None:
        super().__init__(str(folder))
        self._scratch_in_memory = scratch_in_memory

    def temp_storage(self, name: str | None = None) -> FileStorage | MemoryStorage:
        return MemoryStorage() if self._scratch_in_memory else super().temp_storage(name)


def create_index(storage: FileStorage | RamStorage, fields: Schema | None = None) -> FileIndex:
    """A new empty index in `storage`, of the usual fields or of `fields`."""
    return FileIndex.create(storage, schema() if fields is None else fields)


def open_index(folder: Path) -> FileIndex:
    """The index in `folder`, which the caller has found to be trustworthy: its files are pickles."""
    return FileIndex(FolderStorage(folder))


def open_writer(index: FileIndex, *, wait_seconds: float = 0.0, memory_mb: int = 64) -> SegmentWriter:
    """A writer of `index`. Raises Whoosh's LockError where another process holds it for that long."""
    from whoosh.writing import SegmentWriter

    return SegmentWriter(index, timeout=wait_seconds, delay=0.02, codec=LeanCodec(), limitmb=memory_mb)
