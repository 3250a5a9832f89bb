"""The versions of one memory along one first-parent chain, by walking it commit by commit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from weakref import WeakKeyDictionary

from msgspec import Struct

from gitmem.git.folders import FolderReader, Held
from gitmem.git.repository import CommitInfo, Repository
from gitmem.git.trees import TreeEntry, encode_path
from gitmem.model.diff import likeness
from gitmem.model.ids import BlobId, CommitId, id_key
from gitmem.model.reading import read_memory

SIMILAR = 0.5
"""Share of lines two files must have in common to be one memory that was renamed and edited, as in git."""
MOST_KEPT = 8
_kept_removed: WeakKeyDictionary[Repository, dict[tuple[str, str], Sequence[TreeEntry]]] = WeakKeyDictionary()
"""What commits took away, by their trees, for the handle that was asked."""


class Step(Struct, frozen=True):
    """What one commit made of a memory: it stood at `path` with `blob` from then on.

    `is_move`: the memory came unchanged from another branch, at commit `moved_from`.
    """

    commit: CommitInfo
    path: str
    blob: BlobId
    renamed_from: str | None = None
    moved_from: CommitId | None = None
    is_move: bool = False
    is_born: bool = False
    is_cut: bool = False


class Walk:
    """A walk backwards that can be interrupted: `commit` is where it goes on, None at its end.

    At `commit` the memory stands at `path`, and what that commit made of it has not been told yet.
    """

    def __init__(self, repository: Repository, start: CommitId, path: str) -> None:
        self.repository = repository
        self.path = path
        self._folders = FolderReader(repository)
        commit = repository.commit(start)
        self._here = self._folders.find(commit.tree, encode_path(path))
        self.commit: CommitInfo | None = commit if self._here else None

    def steps(self, *, most_commits: int | None = None) -> Iterator[Step]:
        """The steps from `commit` on, newest first, over at most so many commits."""
        left = most_commits
        while self.commit is not None and left != 0:
            left = None if left is None else left - 1
            current = self.commit
            parent = self.parent_of(current)
            here = self._here or self._folders.find(current.tree, encode_path(self.path))
            assert here is not None, "the walk goes on only where the file stands"
            blob = BlobId(here.oid.hex())
            before = (
                self._folders.find_older(parent.tree, current.tree, encode_path(self.path), here)
                if parent
                else None
            )
            if before is None:
                yield self.beginning(current, parent, blob)
                continue
            self.go_to(parent, before)
            if before.oid != here.oid:
                yield Step(current, self.path, blob)

    def go_to(self, commit: CommitInfo | None, held: Held | None = None) -> None:
        """Goes on at `commit`, where `held` stands at `path`, if that is known."""
        self.commit, self._here = commit, held

    def skip_to(self, commit: CommitInfo) -> bool:
        """Goes on at `commit`, an older one, up to which nothing changed the file.

        False, and stays where it is, if another file stands there.
        """
        assert self.commit is not None, "the walk is not at its end"
        here = self._here or self._folders.find(self.commit.tree, encode_path(self.path))
        there = self._folders.find(commit.tree, encode_path(self.path))
        is_same = here is not None and there is not None and here.oid == there.oid
        if is_same:
            self.go_to(commit, there)
        return is_same

    def parent_of(self, commit: CommitInfo) -> CommitInfo | None:
        """The first parent; None at the root or the border of a shallow clone."""
        return self.repository.commit(commit.parents[0]) if commit.parents else None

    def beginning(
        self, current: CommitInfo, parent: CommitInfo | None, blob: BlobId, *, can_be_renamed: bool = True
    ) -> Step:
        """The step at `current`, whose parent has nothing at `path`: renamed, or born; goes on behind it."""
        path = self.path
        renamed_from = None
        if parent is not None and can_be_renamed:
            renamed_from = _older_name(self.repository, parent, current, path, blob)
        is_cut = parent is None and current.id in self.repository.shallow_commits()
        if renamed_from is None:
            self.go_to(None)
            return Step(current, path, blob, is_born=True, is_cut=is_cut)
        self.go_to(parent)
        self.path = renamed_from
        return Step(current, path, blob, renamed_from)


def _older_name(
    repository: Repository, parent: CommitInfo, current: CommitInfo, path: str, blob: BlobId
) -> str | None:
    """The path under which the memory stood in `parent`, judged by bytes, then id, then likeness."""
    removed = _removed(repository, parent.tree, current.tree)
    for entry in removed:
        if entry.oid == blob:
            return entry.path
    if not removed:
        return None
    data = repository.read_blob(blob)
    memory = read_memory(path, blob, data)
    best, best_share = None, SIMILAR
    for entry in removed:
        old_data = repository.read_blob(entry.oid)
        old = read_memory(entry.path, BlobId(entry.oid), old_data)
        if memory.has_own_id and old.has_own_id:
            if id_key(memory.id) == id_key(old.id):
                return entry.path
            continue
        share = likeness(old_data, data)
        if share >= best_share:
            best, best_share = entry.path, share
    return best


def _removed(repository: Repository, old_tree: str, new_tree: str) -> Sequence[TreeEntry]:
    """The Markdown files that a commit took away. Kept for a while: an import is where thousands began."""
    kept = _kept_removed.setdefault(repository, {})
    key = (old_tree, new_tree)
    if key not in kept:
        if len(kept) >= MOST_KEPT:
            kept.pop(next(iter(kept)), None)
        kept[key] = [
            change.old
            for change in repository.diff_trees(old_tree, new_tree, without_added=True)
            if change.old is not None and change.new is None and change.path.casefold().endswith(".md")
        ]
    return kept[key]
