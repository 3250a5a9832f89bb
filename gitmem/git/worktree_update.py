"""Bringing one worktree along with its branch: git's index and the files, as one step in git's eyes.

The change is planned, `index.lock` is taken, the ref moves, the files are written, the index with their times
replaces the old one, and the lock goes. While the lock is held git refuses to commit; before and after, it
sees an index that fits HEAD.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.errors import Busy, OutsideFailure
from gitmem.git.attributes import keep_scan
from gitmem.git.beneath import read_below
from gitmem.git.faults import point
from gitmem.git.index_file import IndexEntry, IndexFile, Put
from gitmem.git.index_map import IndexMap, map_file
from gitmem.git.journal import FileChange
from gitmem.git.locks import GitLock, write_new
from gitmem.git.modes import FILE_MODE, SYMLINK_MODE
from gitmem.git.plain_index import IndexState, PlainIndex, index_signature, outside_sparse_cone, read_index
from gitmem.git.repository import Repository
from gitmem.git.skipped import Skipped, reporting
from gitmem.git.stale_writers import outlast
from gitmem.git.trees import decode_path, encode_path
from gitmem.git.worktree_files import WorktreeFiles
from gitmem.git.worktrees import Worktree

_FILES_AT_ONCE = 500


class _Step(Struct, frozen=True):
    change: FileChange
    mode: int
    is_file_kept_out: bool = False
    was: int | None = None
    """The mode that git's index had; None where it had none, or is not looked at."""


class WorktreeUpdate:
    """The change of one worktree from the tree of `old` to what `changes` say.

    `tree` is what the index is rebuilt from where there is none: the commit the branch stands at, or None.
    """

    def __init__(
        self,
        repo: Repository,
        worktree: Worktree,
        changes: Sequence[FileChange],
        *,
        modes: dict[str, int],
        tree: str | None,
        folder: Path,
        prepared: str,
    ) -> None:
        self.worktree = worktree
        self.lock = GitLock(folder / prepared, worktree.git_dir / "index.lock")
        self.skipped: list[Skipped] = []
        self._repo = repo
        self._seen = Repository.discover(worktree.path)
        self._conversion = self._seen.conversion(worktree.path)
        self._changes = changes
        self._modes = modes
        self._tree = tree
        self._folder = folder
        self._prepared = prepared
        self._state = IndexState(None, 0, None)
        self._index: PlainIndex | None = None
        self._puts: dict[bytes, Put | None] = {}
        self._steps: list[_Step] = []
        self._smudged: frozenset[bytes] = frozenset()
        self._racy: list[tuple[bytes, IndexEntry, tuple[int, int]]] = []

    def prepare(self) -> None:
        """Read the index, decide path by path, and make the file that the lock will be."""
        self._plan()
        # Git never reads a lock; whoever finds it may.
        write_new(self.lock.prepared, f"gitmem {self._folder.name}\n".encode())

    def acquire(self, *, timeout_seconds: float, meanwhile: Callable[[], object] | None = None) -> bool:
        """Take `index.lock` over an index that is the prepared one's source; False where git keeps it."""
        for _ in range(200):
            if not self.lock.acquire(timeout_seconds=timeout_seconds, meanwhile=meanwhile):
                return False
            if index_signature(self.worktree.git_dir) == self._state.signature:
                return True
            self.lock.release()
            self.prepare()
        raise Busy(f"{self.worktree.path}: git's index keeps changing")

    def replan(self, changes: Sequence[FileChange], *, modes: dict[str, int], tree: str) -> None:
        """Decide anew, for other changes, under the lock that is held."""
        self._changes, self._modes, self._tree = changes, modes, tree
        self._plan()

    def adopt(self) -> bool:
        """Take over the `index.lock` of the ended process whose journal this is, and plan under it."""
        if not self.lock.adopt():
            return False
        self._plan()
        return True

    def write_files(self) -> None:
        """Write and remove the files of the worktree; what a person changed is left and reported.

        Without the lock the index says little: it may lag behind, so the files alone decide.
        """
        if not self.lock.is_held:
            self._decide_by_files()
        files = WorktreeFiles(
            self.worktree.path,
            self._conversion,
            self._folder,
            prefix=f"gitmem-{self._folder.name}-{self._prepared}",
        )
        steps = [step for step in self._steps if not step.is_file_kept_out]
        for step in steps:
            if step.change.new is None:
                point("publish.file")
                with reporting(self.skip, step.change.path):
                    files.remove(step.change)
        puts = [(step, step.change.path, step.change.new) for step in steps if step.change.new is not None]
        for start in range(0, len(puts), _FILES_AT_ONCE):
            some = puts[start : start + _FILES_AT_ONCE]
            contents = self._contents([(path, oid) for _, path, oid in some])
            for step, path, oid in some:
                point("publish.file")
                with reporting(self.skip, path):
                    content = contents.get(path)
                    if content is None:
                        (content,) = self._conversion.checked_out([(path, oid)])
                    stat = files.put(step.change, content, step.mode, was=step.was)
                    key = encode_path(path)
                    if key in self._puts:
                        self._puts[key] = Put(oid, step.mode, stat)

    def _contents(self, files: list[tuple[str, str]]) -> dict[str, bytes]:
        """What belongs into the files; empty where a filter failed, so that each is asked for by itself."""
        try:
            return dict(zip((path for path, _ in files), self._conversion.checked_out(files), strict=True))
        except OutsideFailure:
            return {}

    def clean_up(self) -> None:
        """Remove what an ended process of the same operation left beside the files."""
        WorktreeFiles(
            self.worktree.path,
            self._conversion,
            self._folder,
            prefix=f"gitmem-{self._folder.name}-{self._prepared}",
        ).clean_up([change.path for change in self._changes])

    def finish(self) -> bool:
        """Replace the index under the lock and give the lock back; False where somebody took the lock."""
        point("publish.before-stat")
        index = self.worktree.git_dir / "index"
        new = self._folder / f"{self._prepared}.new"
        plain, (pieces, known) = self._rebuilt()
        write_new(new, *plain.restored(pieces), like=index, flush=True)
        point("publish.before-index")
        if not self.lock.is_held:
            return False
        new.replace(index)
        point("publish.index-replaced")
        plain.keep_map(known)
        keep_scan(index, self._state.signature, index_signature(self.worktree.git_dir), self._puts)
        outlast(self.worktree)
        self.lock.release()
        return True

    @property
    def is_complete(self) -> bool:
        """Whether every file is there, apart from those that a person has in hand."""
        return not any(skip.may_come for skip in self.skipped)

    def skip(self, path: str, reason: str, *, may_come: bool = False) -> None:
        """Report a path as left alone."""
        self.skipped.append(Skipped(self.worktree.path, path, reason, may_come))

    def _plan(self) -> None:
        self._state = read_index(self.worktree.git_dir)
        scratch = self._folder / f"{self._prepared}.scratch"
        known = map_file(self._repo.common_dir, self.worktree.git_dir)
        without_filters = self._seen.without_filters()
        self._index = PlainIndex(self.worktree, scratch, known, self._state, self._tree, without_filters)
        self._racy = self._index.file.racy(self._state.written_ns)
        self._decide(self._index.file)
        self._smudged = self._changed_unseen()

    def _rebuilt(self) -> tuple[PlainIndex, tuple[list[bytes | memoryview], IndexMap]]:
        if self._index is None:
            raise AssertionError("prepare() comes first")
        recent = sorted({path for path, _, _ in self._racy} | self._puts.keys())
        since = self._state.written_ns // 10**9
        return self._index, self._index.file.spliced(self._puts, self._smudged, recent, since)

    def _decide(self, index: IndexFile) -> None:
        self.skipped, self._steps, self._puts = [], [], {}
        removed = {encode_path(change.path) for change in self._changes if change.new is None}
        kept_out = self._kept_out(index)
        for change in self._changes:
            path = encode_path(change.path)
            mode = self._modes.get(change.path, FILE_MODE)
            reason = self._obstacle(index, change, path, removed)
            if reason is not None:
                self.skip(change.path, reason)
                continue
            entry = index.find(path)
            is_kept_out = entry.is_skipped if entry is not None else path in kept_out
            was = None if entry is None else entry.mode
            self._steps.append(_Step(change, mode, is_kept_out or mode == SYMLINK_MODE, was))
            if change.new is None:
                if entry is not None:
                    self._puts[path] = None
            elif entry is None or entry.oid != change.new or not is_kept_out:
                self._puts[path] = Put(change.new, mode, None, is_kept_out)

    def _decide_by_files(self) -> None:
        self.skipped, self._puts = [], {}
        kept_out = {step.change.path for step in self._steps if step.is_file_kept_out}
        self._steps = [
            _Step(change, self._modes.get(change.path, FILE_MODE), change.path in kept_out)
            for change in self._changes
        ]

    def _obstacle(self, index: IndexFile, change: FileChange, path: bytes, removed: set[bytes]) -> str | None:
        """Why git's index, and so the file, must stay as it is at this path, or None."""
        if index.is_conflicted(path):
            return "it is in the middle of a merge here"
        entry = index.find(path)
        if entry is not None:
            if entry.is_intent_to_add or entry.oid not in (change.old, change.new):
                return "another state of it is staged here"
            return None
        if change.old is not None:
            return None if change.new is None else "its removal is staged here"
        if change.new is not None:
            if any(below not in removed for below in index.below(path)):
                return "files below this name are staged here"
            at = path.find(b"/")
            while at >= 0:
                above = path[:at]
                if above not in removed and (index.find(above) or index.is_conflicted(above)):
                    return f"{decode_path(above)} is staged as a file here"
                at = path.find(b"/", at + 1)
        return None

    def _kept_out(self, index: IndexFile) -> frozenset[bytes]:
        if not self._seen.is_sparse():
            return frozenset()
        new = [encode_path(change.path) for change in self._changes if change.new is not None]
        asked = [path for path in new if index.find(path) is None]
        scratch = self._folder / f"{self._prepared}.sparse"
        if not asked:
            return frozenset()
        scratch.mkdir(exist_ok=True)
        return outside_sparse_cone(self._seen, self.worktree, asked, scratch)

    def _changed_unseen(self) -> frozenset[bytes]:
        """The entries whose file differs though its times and size do not tell: git must look again."""
        found = set()
        for path, entry, (size, second) in self._racy:
            if path in self._puts or entry.mode & 0o170000 != 0o100000:
                continue
            file = self.worktree.path / decode_path(path)
            try:
                stat = os.lstat(file)
                if stat.st_size & 0xFFFFFFFF != size or int(stat.st_mtime_ns // 10**9) & 0xFFFFFFFF != second:
                    continue
                data = read_below(self.worktree.path, decode_path(path))
            except OSError:
                continue
            if data is not None and not self._conversion.equals_blob(decode_path(path), data, entry.oid):
                found.add(path)
        return frozenset(found)
