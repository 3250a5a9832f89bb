"""All memories of a branch at one commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from gitmem.errors import Damaged
from gitmem.git.modes import EXECUTABLE_MODE, REGULAR_MODES
from gitmem.git.repository import Repository, TreeEntry
from gitmem.model.ids import BlobId, CommitId, id_key
from gitmem.model.memory import Memory
from gitmem.model.place import owner_of
from gitmem.model.reading import MAX_MEMORY_BYTES, START_BYTES, read_memory
from gitmem.model.said import Said, said_in
from gitmem.versions.config import StoreConfig
from gitmem.versions.veil import whole_of

if TYPE_CHECKING:
    from gitmem.versions.name_table import Names


class FileChange(Struct, frozen=True):
    """A memory file that differs between two snapshots; None where it is absent."""

    path: str
    old: BlobId | None
    new: BlobId | None


class Snapshot:
    """Reads memories as `commit` has them; None is the snapshot of an unborn branch, which is empty.

    `names` are the folder of name tables and the branch that the commit is a tip of; without them the names
    of files are looked for in the tree.
    """

    def __init__(
        self,
        repository: Repository,
        config: StoreConfig,
        commit: CommitId | None,
        *,
        names: tuple[Path, str] | None = None,
    ) -> None:
        self._repository = repository
        self._config = config
        self._table = names
        self._names: Names | None = None
        self.commit = commit

    def files(self) -> Iterator[tuple[str, BlobId]]:
        """Path and blob of every memory file, in git's order; links are never followed."""
        if self.commit is None:
            return
        for entry in self._repository.walk(self.commit):
            if entry.mode in REGULAR_MODES and self._config.is_memory_path(entry.path):
                yield entry.path, BlobId(entry.oid)

    def listing(self, folder: str) -> Mapping[bytes, tuple[int, str]]:
        """Mode and id of what stands directly in `folder` ("" is the root), by the bytes of its name."""
        return self._repository.names_in(self.commit, folder) if self.commit else {}

    def is_memory_path(self, path: str) -> bool:
        """Whether a file at `path` is a memory here."""
        return self._config.is_memory_path(path)

    def start_of(self, blob: BlobId, size_bytes: int) -> bytes:
        """The first bytes of a blob, at most `size_bytes`."""
        return self._repository.read_start(blob, size_bytes)

    def entries_below(self, folder: str) -> Iterator[TreeEntry]:
        """Everything below `folder`, memory or not."""
        if self.commit is not None and self._repository.entry(self.commit, folder) is not None:
            yield from self._repository.walk(self.commit, folder)

    def blob(self, path: str) -> BlobId | None:
        """The blob of the regular file at `path`, memory or not; None where there is none."""
        entry = self._repository.entry(self.commit, path) if self.commit else None
        return BlobId(entry.oid) if entry and entry.mode in REGULAR_MODES else None

    def is_executable(self, path: str) -> bool:
        """Whether a file stands at `path` that may be run."""
        entry = self._repository.entry(self.commit, path) if self.commit else None
        return entry is not None and entry.mode == EXECUTABLE_MODE

    def occupied(self, path: str) -> bool:
        """Whether anything stands at `path`."""
        return self.commit is not None and self._repository.entry(self.commit, path) is not None

    def data(self, path: str) -> bytes:
        """The bytes of the file at `path`. Raises `KeyError` where there is none."""
        blob = self.blob(path)
        if blob is None:
            raise KeyError(path)
        return self._repository.read_blob(blob)

    def memory(self, path: str) -> Memory | None:
        """The memory at `path`; None where no memory file stands."""
        blob = self.blob(path) if self._config.is_memory_path(path) else None
        return self.read(path, blob) if blob else None

    def read(self, path: str, blob: BlobId) -> Memory:
        """The memory that `blob` is at `path`. Raises `Damaged`; of a large blob only the start is loaded."""
        data, is_start = self._loaded(path, blob)
        return read_memory(path, blob, data, is_start=is_start)

    def said(self, path: str, blob: BlobId) -> Said:
        """What that memory says, by less work where all of a store is looked through. Raises `Damaged`."""
        data, is_start = self._loaded(path, blob)
        return said_in(path, blob, data, is_start=is_start)

    def _loaded(self, path: str, blob: BlobId) -> tuple[bytes, bool]:
        try:
            if self._repository.blob_size(blob) > MAX_MEMORY_BYTES:
                return self._repository.read_start(blob, START_BYTES), True
            return self._repository.load_blob(blob), False
        except Damaged as error:
            hint = error.hint or "'gitmem doctor' looks for an intact copy"
            raise Damaged(f"{path}: {error.message}", hint=hint) from error

    def named(self, memory_id: str) -> list[Memory]:
        """The memories whose file name ends in `memory_id` and whose header agrees.

        Found without any index; a memory whose file is named otherwise is missed.
        """
        key = id_key(memory_id)
        found = (self.memory(path) for path in self.names_ending_in(key))
        return [memory for memory in found if memory is not None and id_key(memory.id) == key]

    def names_ending_in(self, key: str) -> list[str]:
        """The paths of memory files whose name is the id `key` or ends in `-` and it, case apart."""
        if self.commit is None:
            return []
        if self._table is None:
            return [path for path, _ in self.files() if name_ends_in_id(path, key)]
        if self._names is None:
            from gitmem.versions.name_table import NameTable

            self._names = NameTable(whole_of(self._repository), *self._table).at(self.commit)
        paths = [path for path in self._names.ending_in(key) if self.is_memory_path(path)]
        is_all_seen = self._repository is whole_of(self._repository)
        return paths if is_all_seen else [path for path in paths if self.blob(path) is not None]

    def changes_since(self, old: CommitId | None) -> list[FileChange]:
        """The memory files that differ from commit `old` (None: from nothing), or whose attachments do."""
        changes: dict[str, FileChange] = {}
        for change in self._repository.diff_trees(old, self.commit):
            owner = owner_of(change.path)
            if owner is not None and owner not in changes and (blob := self.blob(owner)):
                changes[owner] = FileChange(owner, blob, blob)
            if not self._config.is_memory_path(change.path):
                continue
            before, after = (
                BlobId(side.oid) if side and side.mode in REGULAR_MODES else None
                for side in (change.old, change.new)
            )
            if before != after:
                changes[change.path] = FileChange(change.path, before, after)
        return list(changes.values())


def name_ends_in_id(path: str, key: str) -> bool:
    """Whether the file name at `path` is the id `key` or ends in `-` and it, case apart."""
    stem = id_key(path.rpartition("/")[2]).removesuffix(".md")
    return stem == key or stem.endswith("-" + key)
