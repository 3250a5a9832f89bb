"""Where the index gets its documents from; it knows neither git nor files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from msgspec import Struct

from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import Memory


class FileDelta(Struct, frozen=True):
    """One memory file that differs between two snapshots; None means that it is not there."""

    path: str
    old: BlobId | None
    new: BlobId | None


class DocumentSource(Protocol):
    """The snapshots of one branch, as documents to be indexed."""

    @property
    def rules(self) -> str:
        """Which files of a snapshot are documents, as a short text that changes with that."""

    def files(self, commit: CommitId) -> Iterator[tuple[str, BlobId]]:
        """Path and blob of every memory file of a snapshot."""

    def changes(self, old: CommitId, new: CommitId) -> list[FileDelta] | None:
        """The files that differ from `old` to `new`; None where `old` is unknown."""

    def read(self, path: str, blob: BlobId) -> Memory:
        """The memory in `blob`; odd content gives a memory with problems, not an error.

        One that cannot be read has the problem `UNREADABLE`.
        """

    def is_readable(self, path: str, blob: BlobId) -> bool:
        """Whether `read` would give the memory without the problem `UNREADABLE`."""
