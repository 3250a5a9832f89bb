"""What the index is fed with: the files of a commit, what changed between two, and their memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gitmem.errors import Damaged, NotFound
from gitmem.flows.reading.hot import HotMemories
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import UNREADABLE, Memory, Problem
from gitmem.model.reading import read_memory
from gitmem.versions.attachments import text_of_attachments
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.index.source import FileDelta


class SnapshotSource:
    """Feeds the index: the files of a commit, what changed between two, and the memories themselves.

    One whose object cannot be read is marked so; whoever answers from the index names it.
    """

    def __init__(
        self,
        place: Place,
        edited: Sequence[Memory] = (),
        snapshot: Snapshot | None = None,
        hot: HotMemories | None = None,
    ) -> None:
        self._place = place
        self._hot = hot or HotMemories()
        self._edited = {(memory.path, memory.blob): memory for memory in edited}
        self._snapshot = snapshot or place.snapshot(None)
        """The snapshot asked for last: attachments are read as they stand there."""

    @property
    def rules(self) -> str:
        """The files that the config excludes, as a digest; empty where it names none."""
        exclude = self._place.config.exclude
        return sha256("\0".join(exclude).encode("utf-8", "surrogateescape")).hexdigest() if exclude else ""

    def files(self, commit: CommitId) -> Iterator[tuple[str, BlobId]]:
        self._snapshot = self._place.snapshot(commit)
        return self._snapshot.files()

    def changes(self, old: CommitId, new: CommitId) -> list[FileDelta] | None:
        """The memory files that differ; None where commit `old` is no longer in the repository."""
        from gitmem.index.source import FileDelta

        self._snapshot = self._place.snapshot(new)
        try:
            changes = self._snapshot.changes_since(old)
        except (NotFound, Damaged):
            return None
        return [FileDelta(change.path, change.old, change.new) for change in changes]

    def read(self, path: str, blob: BlobId, *, has_attachments: bool = True) -> Memory:
        """The memory in `blob`. One that cannot be read is marked, and does not hide the others."""
        try:
            edited = self._edited.get((path, blob))
            memory = edited or self._hot.get(path, blob, self._snapshot.read)
        except Damaged as error:
            empty = read_memory(path, blob, b"")
            return replace(empty, problems=(Problem(UNREADABLE, error.message),))
        try:
            attached_text = text_of_attachments(self._snapshot, path) if has_attachments else ""
            return replace(memory, attached_text=attached_text) if attached_text else memory
        except Damaged as error:
            return replace(memory, problems=(*memory.problems, Problem(UNREADABLE, error.message)))

    def is_readable(self, path: str, blob: BlobId) -> bool:
        """Whether the memory and what is attached to it can be read; quick where the object is not here."""
        return self._place.repository.has_object(blob) and not self.read(path, blob).is_unreadable
