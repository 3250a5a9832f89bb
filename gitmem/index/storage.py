"""Where Whoosh keeps its files: a private folder, or memory. Only who writes an index loads it."""

from __future__ import annotations

from pathlib import Path

from whoosh.fields import Schema
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.index import TOC, FileIndex

from gitmem.index.leaf import Segment
from gitmem.index.segment_file import SegmentFile
from gitmem.index.segments import LeanWriter
from gitmem.index.whoosh_schema import schema


class MemoryStorage(RamStorage):  # type: ignore[misc]
    """An index in memory. Whoosh's own keeps its scratch files in one folder shared by all processes."""

    def temp_storage(self, name: str | None = None) -> MemoryStorage:
        del name
        return MemoryStorage()

    def file_modified(self, name: str) -> float:
        del name
        return 0.0


class FolderStorage(FileStorage):  # type: ignore[misc]
    """An index in a folder. No scratch files are needed: what is written is kept in memory."""

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder))

    def temp_storage(self, name: str | None = None) -> MemoryStorage:
        del name
        return MemoryStorage()


def create_index(storage: FileStorage | RamStorage, fields: Schema | None = None) -> FileIndex:
    """A new empty index in `storage`, of the usual fields or of `fields`."""
    return FileIndex.create(storage, schema() if fields is None else fields)


def open_index(folder: Path) -> FileIndex:
    """The index in `folder`, which the caller has found to be trustworthy: its files are pickles."""
    return FileIndex(FolderStorage(folder))


def open_writer(index: FileIndex, *, wait_seconds: float = 0.0) -> LeanWriter:
    """A writer of `index`. Raises Whoosh's LockError where another process holds it for that long."""
    return LeanWriter(index, timeout=wait_seconds, delay=0.02)


def listed_segments(folder: Path, generation: int) -> list[tuple[str, list[int]]]:
    """The segments that Whoosh's table lists for a generation: their files, and what is deleted in each."""
    table = TOC.read(FolderStorage(folder), "MAIN", generation)
    return [
        (segment.make_filename(segment.COMPOUND_EXT), sorted(segment.deleted_docs()))
        for segment in table.segments
    ]


def segments_in_memory(index: FileIndex) -> list[Segment]:
    """The segments of an index in memory."""
    files = index.storage.files
    listed = TOC.read(index.storage, index.indexname).segments
    names = [segment.make_filename(segment.COMPOUND_EXT) for segment in listed]
    return [Segment(SegmentFile(files[name], name), frozenset()) for name in names]
