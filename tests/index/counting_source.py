"""A source that every process can make for itself."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.index.source import FileDelta
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import Memory
from gitmem.model.reading import read_memory


class CountingSource:
    """Commits are numbers, and commit n has n memories."""

    rules = ""

    def files(self, commit: CommitId) -> Iterator[tuple[str, BlobId]]:
        return ((f"n{number}.md", BlobId(f"{number:040x}")) for number in range(int(commit)))

    def changes(self, old: CommitId, new: CommitId) -> list[FileDelta] | None:
        first, last = int(old), int(new)
        numbers = range(min(first, last), max(first, last))
        blobs = [(f"n{number}.md", BlobId(f"{number:040x}")) for number in numbers]
        return [
            FileDelta(path, None, blob) if first < last else FileDelta(path, blob, None)
            for path, blob in blobs
        ]

    def is_readable(self, path: str, blob: BlobId) -> bool:
        return True

    def read(self, path: str, blob: BlobId) -> Memory:
        return read_memory(path, blob, f"puffin number{int(blob, 16)}\n".encode())
