"""What a merge of two trees works on and comes to: memories as units, and a report of what became of them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct, field

from gitmem.model.ids import BlobId, MemoryId


class TreeCase(StrEnum):
    """What both sides did to one memory or file, where a rule was needed; see `merge_tree`."""

    MERGED = "merged"
    DISPUTED = "disputed"
    BORN_TWICE = "born-twice"
    RENAMED_EDITED = "renamed-edited"
    RENAMED_TWICE = "renamed-twice"
    ARCHIVED_EDITED = "archived-edited"
    REMOVED_EDITED = "removed-edited"
    PATH_TAKEN = "path-taken"
    ATTACHMENT_TWICE = "attachment-twice"
    FILE_TWICE = "file-twice"
    TOO_LARGE = "too-large"
    POLICY = "policy"


class Standing(Struct, frozen=True):
    """One file as a snapshot has it."""

    path: str
    blob: BlobId
    mode: int

    @property
    def content(self) -> tuple[str, int]:
        return (self.blob, self.mode)


class Unit(Struct, frozen=True):
    """One memory as a snapshot has it: its file, and its attachments by their names."""

    id: MemoryId
    file: Standing
    attached: Mapping[str, Standing] = field(default_factory=dict)

    @property
    def files(self) -> tuple[Standing, ...]:
        """All that belongs to it."""
        return (self.file, *self.attached.values())


class Half(Struct, frozen=True):
    """What one snapshot has of all that either side changed: memories by key, other files by path."""

    memories: Mapping[str, Unit] = field(default_factory=dict)
    files: Mapping[str, Standing] = field(default_factory=dict)


class Placed(Struct, frozen=True):
    """A file of the merged tree: a blob that is there already, or new bytes."""

    blob: BlobId | None
    data: bytes | None
    mode: int


class TreeLine(Struct, frozen=True):
    """One line of the report. `id` is empty for a file that is no memory."""

    case: TreeCase
    id: str
    path: str
    message: str


class KeptFromArchive(Struct, frozen=True):
    """A memory that one side archived and that stays on the branch.

    `path` is where it is looked for on the archive first, `blobs` are texts that went into it.
    """

    id: MemoryId
    path: str
    blobs: tuple[BlobId, ...]


class TreeMerge(Struct, frozen=True):
    """How our tree becomes the merged one: files to write, paths to remove, and what is to be said.

    `kept_from_archive` are memories that one side archived and that stay, for the other changed them.
    `policy` are files below `.gitmem/` that the other side changed, and that were left as ours. `obstacles`
    are links and submodules that the other side changed, which only git can merge.
    """

    writes: Mapping[str, Placed]
    removals: tuple[str, ...]
    report: tuple[TreeLine, ...]
    disputed: tuple[MemoryId, ...] = ()
    kept_from_archive: tuple[KeptFromArchive, ...] = ()
    policy: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
