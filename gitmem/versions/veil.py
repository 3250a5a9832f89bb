"""A repository as one identity may see it: files and messages that it may not read are not there.

Everything that reads a store goes through a `Repository`, so this is where what may not be read is left out:

    a file          is hidden where the rights say so of its path and type, in the present and in the past
    an attachment   where the memory is that it belongs to
    an old file     also where its memory stands, by now, where the identity may not read
    a commit        that touches any of these keeps id, author and time, and of its message the operation

Whoever writes, and whatever is kept for all, such as the index, uses `whole`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from msgspec.structs import replace

from gitmem.errors import Damaged, NotFound
from gitmem.git.modes import TREE_MODE
from gitmem.git.objects import CommitInfo
from gitmem.git.repository import PathChange, Repository, TreeEntry
from gitmem.git.trees import decode_path
from gitmem.model.access import Act
from gitmem.model.change import trailers_of
from gitmem.model.ids import BlobId, id_key
from gitmem.model.memory import Memory, MemoryType
from gitmem.model.place import owner_of
from gitmem.model.reading import START_BYTES, read_memory
from gitmem.versions.config import StoreConfig
from gitmem.versions.hidden_files import HiddenFiles
from gitmem.versions.rights import Rights
from gitmem.versions.unlocked import as_stored

KEPT_TRAILERS = ("Operation", "Operation-Id", "Undoes", "Moved-From", "Moved-To")
"""What stays of the message of a commit that touches what is hidden: it says nothing of any memory."""
NOT_SHOWN = "not shown"


class VeiledRepository(Repository):
    """`whole`, without what `rights` do not let the identity read. As short-lived as a handle on a store."""

    def __init__(self, whole: Repository, config: StoreConfig, rights: Rights) -> None:
        vars(self).update(vars(whole))
        self._whole = whole
        self._config = config
        self._rights = rights
        self._headers: dict[str, tuple[MemoryType | None, str]] = {}
        self._commits: dict[str, CommitInfo] = {}
        self._tips: dict[str, str] = {}
        self.refresh()

    @property
    def whole(self) -> Repository:
        """The repository with nothing left out."""
        return self._whole

    def refresh(self) -> None:
        """Looks where the branches of the store stand now, by which the past is judged."""
        branches = (self._config.main, *self._config.branches.values())
        tips = {branch: tip for branch in branches if (tip := self._whole.tip(branch)) is not None}
        if tips != self._tips:
            self._tips = tips
            self._commits.clear()
            for name in ("_by_branch", "hidden_ids", "_present"):
                vars(self).pop(name, None)

    # What may be seen

    def hides(self, path: str, oid: str, *, at: str | None = None) -> bool:
        """Whether the file at `path` with the blob `oid` is hidden.

        `at` is the commit or tree that has it: what a branch of the store has now is judged by where it
        stands, everything else also by where its memory stands now.
        """
        if not self._config.is_memory_path(path):
            owner = owner_of(path)
            if owner is None:
                return self._rights.barrier_of_file(Act.READ, path) is not None
            entry = self._whole.entry(at, owner) if at is not None else None
            if entry is None:
                return self._rights.depends_on_type(Act.READ, path) or self.hides_path(path)
            return self.hides(owner, entry.oid, at=at)
        if at is not None and at in self._present:
            return path in self._present[at]
        if self._stands_hidden(path, oid):
            return True
        return bool(self.hidden_ids) and self._header(path, oid)[1] in self.hidden_ids

    def _stands_hidden(self, path: str, oid: str) -> bool:
        """Whether a memory is hidden by its path and type alone."""
        if not self._rights.depends_on_type(Act.READ, path):
            return self.hides_path(path)
        memory_type = self._header(path, oid)[0]
        return memory_type is None or not self._rights.may(Act.READ, path, memory_type)

    def hides_memory(self, memory: Memory) -> bool:
        """Whether a memory that is in no commit yet is hidden: by where it stands, or by its id."""
        may = self._rights.may(Act.READ, memory.path, memory.type)
        return not may or id_key(memory.id) in self.hidden_ids

    def hides_named(self, path: str, memory_id: str) -> bool:
        """Whether a memory that is spoken of, with this path and id ("" if it has none), is hidden."""
        if memory_id and id_key(memory_id) in self.hidden_ids:
            return True
        if not self._config.is_memory_path(owner_of(path) or path):
            return self._rights.barrier_of_file(Act.READ, path) is not None
        if not self._rights.depends_on_type(Act.READ, path):
            return self.hides_path(path)
        return not any(self.entry(tip, path) is not None for tip in self._tips.values())

    def hides_path(self, path: str) -> bool:
        """Whether a memory at `path` is hidden whatever its type."""
        return not any(self._rights.may(Act.READ, path, each) for each in MemoryType)

    def touches_hidden(self, commit: CommitInfo) -> bool:
        """Whether the commit changes anything that is hidden."""
        parent = self._whole.commit(commit.parents[0]).tree if self._has_parent(commit) else None
        return self.differs_in_hidden(parent, commit.tree)

    def differs_in_hidden(self, old: str | None, new: str | None) -> bool:
        """Whether two commits or trees differ in anything that is hidden."""
        for change in self._whole.diff_trees(old, new):
            for side, at in ((change.old, old), (change.new, new)):
                if side is not None and self._hides(side, at):
                    return True
        return False

    @cached_property
    def hidden_ids(self) -> frozenset[str]:
        """The ids, as keys, of all memories that are hidden now, on whatever branch of the store."""
        return frozenset(each for hidden in self._by_branch.values() for each in hidden.values())

    def hidden_at(self, commit: str) -> Mapping[str, str] | None:
        """By path, the ids of all memories that are hidden at `commit`; None where no branch stands there."""
        return self._present.get(commit)

    @cached_property
    def _by_branch(self) -> dict[str, Mapping[str, str]]:
        """By branch, the ids of the memories that are hidden at its tip, by path."""
        files = HiddenFiles(self._whole, self._digest, self._hidden_among)
        return {branch: files.at(branch, tip) for branch, tip in self._tips.items()}

    def _hidden_among(self, entries: Iterable[TreeEntry]) -> tuple[dict[str, str], bool]:
        found = {
            entry.path: self._header(entry.path, entry.oid)
            for entry in entries
            if self._config.is_memory_path(entry.path) and self._stands_hidden(entry.path, entry.oid)
        }
        is_sure = all(memory_type is not None for memory_type, _ in found.values())
        return {path: memory_id for path, (_, memory_id) in found.items()}, is_sure

    @property
    def _digest(self) -> str:
        """What tells the rules that decide what is hidden from others."""
        facts = (self._config.exclude, self._rights.reading)
        return hashlib.sha256(repr(facts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    @cached_property
    def _present(self) -> dict[str, Mapping[str, str]]:
        """What is hidden at the commits where the branches of the store stand, also by the trees of these."""
        present = {}
        for branch, tip in self._tips.items():
            present[tip] = present[self._whole.commit(tip).tree] = self._by_branch[branch]
        return present

    def _header(self, path: str, oid: str) -> tuple[MemoryType | None, str]:
        """Type and id, as a key, of the memory in a blob; the type is None where it cannot be read."""
        key = f"{oid} {path}"
        if key not in self._headers:
            try:
                start = as_stored(self._whole).read_start(oid, START_BYTES)
                memory = read_memory(path, BlobId(oid), start, is_start=len(start) >= START_BYTES)
                self._headers[key] = (memory.type, id_key(memory.id))
            except Damaged:
                memory = read_memory(path, BlobId(oid), b"")
                self._headers[key] = (None, id_key(memory.id))
        return self._headers[key]

    def _hides(self, entry: TreeEntry, at: str | None) -> bool:
        return entry.mode != TREE_MODE and self.hides(entry.path, entry.oid, at=at)

    def _has_parent(self, commit: CommitInfo) -> bool:
        return bool(commit.parents) and commit.id not in self._whole.shallow_commits()

    # Reading

    def resolve_commit(self, rev: str) -> str:
        if ":" in rev or "^{/" in rev:
            # These look into messages and trees.
            raise NotFound(f"{rev!r} names no commit here", name=rev)
        return self._whole.resolve_commit(rev)

    def commit(self, oid: str) -> CommitInfo:
        if oid not in self._commits:
            self._commits[oid] = self._shown(self._whole.commit(oid))
        return self._commits[oid]

    def first_parents(self, start: str) -> Iterator[CommitInfo]:
        return map(self._shown, self._whole.first_parents(start))

    def _shown(self, commit: CommitInfo) -> CommitInfo:
        try:
            is_hidden = self.touches_hidden(commit)
        except (Damaged, NotFound):
            is_hidden = True
        return without_message(commit) if is_hidden else commit

    def read_blob(self, oid: str) -> bytes:
        return self._whole.read_blob(oid)

    def load_blob(self, oid: str) -> bytes:
        return self._whole.load_blob(oid)

    def read_start(self, oid: str, size_bytes: int) -> bytes:
        return self._whole.read_start(oid, size_bytes)

    def entry(self, tree_or_commit: str, path: str) -> TreeEntry | None:
        found = self._whole.entry(tree_or_commit, path)
        return None if found is None or self._hides(found, tree_or_commit) else found

    def names_in(self, tree_or_commit: str, folder: str = "") -> Mapping[bytes, tuple[int, str]]:
        prefix = f"{folder}/" if folder else ""
        return {
            name: (mode, oid)
            for name, (mode, oid) in self._whole.names_in(tree_or_commit, folder).items()
            if not self._hides(TreeEntry(prefix + decode_path(name), oid, mode), tree_or_commit)
        }

    def walk(
        self, tree_or_commit: str, under: str = "", *, refused: list[tuple[str, str]] | None = None
    ) -> Iterator[TreeEntry]:
        left_out: list[tuple[str, str]] = []
        for entry in self._whole.walk(tree_or_commit, under, refused=left_out):
            if not self._hides(entry, tree_or_commit):
                yield entry
        if refused is not None:
            refused += [(path, reason) for path, reason in left_out if not self.hides_path(path)]

    def diff_trees(
        self, old: str | None, new: str | None, *, without_added: bool = False
    ) -> list[PathChange]:
        changes = []
        for change in self._whole.diff_trees(old, new, without_added=without_added):
            before = None if change.old is None or self._hides(change.old, old) else change.old
            after = None if change.new is None or self._hides(change.new, new) else change.new
            if before is not None or (after is not None and not without_added):
                changes.append(PathChange(change.path, before, after))
        return changes


def without_message(commit: CommitInfo) -> CommitInfo:
    """The commit without the words of its message."""
    trailers = trailers_of(commit.message)
    kept = [(name, value) for name in KEPT_TRAILERS for value in trailers.get(name, [])]
    lines = "\n".join(f"{name}: {value}" for name, value in kept)
    operation = trailers.get("Operation", ["commit"])[0]
    return replace(commit, message=f"{operation}: {NOT_SHOWN}\n\n{lines}\n")


def whole_of(repository: Repository) -> Repository:
    """The repository with nothing left out."""
    return repository.whole if isinstance(repository, VeiledRepository) else repository
