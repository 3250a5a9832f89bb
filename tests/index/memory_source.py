"""A source of documents held in memory, with the few tools that index tests share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from gitmem.index.source import FileDelta
from gitmem.index.view import IndexView
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import Memory
from gitmem.model.reading import read_memory
from gitmem.recall.search import search


class MemorySource:
    """Snapshots by commit; each is a mapping of paths to file contents."""

    rules = ""

    def __init__(self) -> None:
        self.snapshots: dict[CommitId, dict[str, BlobId]] = {}
        self.contents: dict[BlobId, bytes] = {}
        self.reads = 0

    def commit(self, files: Mapping[str, str]) -> CommitId:
        """A new snapshot of `files`."""
        snapshot: dict[str, BlobId] = {}
        for path, text in files.items():
            data = text.encode("utf-8", "surrogateescape")
            blob = BlobId(hashlib.sha1(data).hexdigest())
            self.contents[blob] = data
            snapshot[path] = blob
        commit = CommitId(f"{len(self.snapshots) + 1:040x}")
        self.snapshots[commit] = snapshot
        return commit

    def files(self, commit: CommitId) -> Iterator[tuple[str, BlobId]]:
        return iter(self.snapshots[commit].items())

    def changes(self, old: CommitId, new: CommitId) -> list[FileDelta] | None:
        if old not in self.snapshots:
            return None
        before, after = self.snapshots[old], self.snapshots[new]
        return [
            FileDelta(path, before.get(path), after.get(path))
            for path in sorted({*before, *after})
            if before.get(path) != after.get(path)
        ]

    def is_readable(self, path: str, blob: BlobId) -> bool:
        return True

    def read(self, path: str, blob: BlobId) -> Memory:
        self.reads += 1
        return read_memory(path, blob, self.contents[blob])


def note(memory_id: str, body: str, **fields: str) -> str:
    """The text of a memory file; each field is given as YAML."""
    header = "".join(f"{name}: {value}\n" for name, value in fields.items())
    return f"---\nid: {memory_id}\n{header}---\n{body}\n"


def found(view: IndexView, query: str, limit: int = 50) -> list[str]:
    """The ids of the hits, best first."""
    return [hit.record.id for hit in search(view, query, limit=limit).hits]
