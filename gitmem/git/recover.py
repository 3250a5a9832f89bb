"""Finishing, or taking back, what a process left when it died; and what had to wait for git."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Sequence
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.git import journal
from gitmem.git.journal import FileChange, JournalEntry
from gitmem.git.locks import GitLock, is_same_file
from gitmem.git.modes import TREE_MODE
from gitmem.git.repository import Repository
from gitmem.git.trees import find_entries
from gitmem.git.worktree_update import WorktreeUpdate
from gitmem.git.worktrees import Worktree
from gitmem.platform import FileLock

_OTHER_SECONDS = 2.0
_INDEX_LOCK_SECONDS = 0.1
_MOST_UNWRITABLE = 10
_REF_LOCKS = frozenset({"ref", "witness"})
"""The locks of refs among those of an entry; the others are of worktrees."""


def pending_entries(repo: Repository) -> list[JournalEntry]:
    """The operations that are not finished: running ones, those of other machines, and waiting ones."""
    return journal.entries(repo.common_dir)


def recover(repo: Repository, *, declared_dead: Collection[str] = ()) -> list[str]:
    """Finish or take back what ended processes of this machine left; one sentence for each thing done.

    Cheap when there is nothing: one look into one folder. Operations of living processes and of other
    machines are left alone, except those that a person names in `declared_dead`. May be repeated, and may
    itself die at any point.
    """
    folders = journal.folders(repo.common_dir)
    if not folders:
        return []
    lock = FileLock(repo.common_dir / "gitmem" / "recover.guard", timeout_seconds=_OTHER_SECONDS)
    try:
        if not lock.acquire():
            return []
    except OSError:
        # Somebody who may only read here leaves it to those who may write.
        return []
    try:
        return _recover_all(repo, declared_dead)
    finally:
        lock.release()


def _recover_all(repo: Repository, declared_dead: Collection[str]) -> list[str]:
    said: list[str] = []
    unwritable: list[JournalEntry] = []
    for folder in journal.folders(repo.common_dir):
        entry = journal.read(folder)
        if entry is None:
            journal.remove_if_forgotten(folder)
        elif entry.is_pending or entry.is_dead or entry.operation in declared_dead:
            recovery = _Recovery(repo, entry)
            try:
                said += recovery.run()
            except (OSError, GitmemError) as error:
                said.append(f"{entry.operation} on {entry.branch} cannot be finished yet: {error}")
            if recovery.lacks_files_alone:
                unwritable.append(entry)
    for entry in unwritable[:-_MOST_UNWRITABLE]:
        # Where files can never be written, the tries must not pile up. Git's index has these commits.
        entry.remove()
    return said


def modes_of(repo: Repository, commit: str, changes: Sequence[FileChange]) -> dict[str, int]:
    """The modes that the changed files have in `commit`."""
    paths = [change.path for change in changes if change.new is not None]
    return {path: entry.mode for path, entry in find_entries(repo.raw, commit, paths, repo.trees).items()}


class _Recovery:
    """The end of one operation."""

    def __init__(self, repo: Repository, entry: JournalEntry) -> None:
        self._repo = repo
        self._entry = entry
        self.lacks_files_alone = False
        """Whether all is done but for files that the system would not let us write."""

    def run(self) -> list[str]:
        entry = self._entry
        self._release_refs()
        tip = self._repo.local_tip(entry.branch)
        if tip is None or not self._repo.is_ancestor(entry.commit, tip):
            was_pending = entry.is_pending
            self._release_indexes(entry.locks)
            entry.remove()
            return [] if was_pending else [f"took back an unfinished write to {entry.branch}: {entry.label}"]
        changes = self._changes_up_to(tip)
        modes = modes_of(self._repo, tip, changes)
        here = {worktree.git_dir: worktree for worktree in self._repo.worktrees()}
        said: list[str] = []
        is_finished = True
        for number, (_, git_dir) in enumerate(entry.worktrees):
            worktree = here.get(Path(git_dir))
            if worktree is None or worktree.branch != entry.branch:
                self._release_indexes([pair for pair in entry.locks if pair[0] == f"index-{number}"])
            elif not self._finish(worktree, number, changes, modes, tip, said):
                is_finished = False
        if not is_finished or self.lacks_files_alone:
            self.lacks_files_alone &= is_finished
            entry.mark_pending()
            return said
        entry.remove()
        return [f"finished a write to {entry.branch}: {entry.label}", *said]

    def _changes_up_to(self, tip: str) -> list[FileChange]:
        """From what stood before the operation to what the branch holds now: more may have come since."""
        changes = []
        entries = find_entries(
            self._repo.raw, tip, [change.path for change in self._entry.changes], self._repo.trees
        )
        for change in self._entry.changes:
            found = entries.get(change.path)
            new = found.oid if found is not None and found.mode != TREE_MODE else None
            if new != change.old:
                changes.append(FileChange(change.path, change.old, new))
        return changes

    def _finish(
        self,
        worktree: Worktree,
        number: int,
        changes: list[FileChange],
        modes: dict[str, int],
        tip: str,
        said: list[str],
    ) -> bool:
        name = f"index-{number}"
        owned = self._owned(name, worktree.git_dir / "index.lock")
        if owned is None:
            name = self._fresh_name(name)
        update = WorktreeUpdate(
            self._repo,
            worktree,
            changes,
            modes=modes,
            tree=tip,
            folder=self._entry.folder,
            prepared=owned.name if owned is not None else name,
        )
        try:
            if owned is not None:
                if not update.adopt():
                    return False
            else:
                update.prepare()
                if not update.acquire(timeout_seconds=_INDEX_LOCK_SECONDS):
                    return False
            update.clean_up()
            update.write_files()
            if not update.finish():
                return False
        finally:
            update.lock.release()
        said += [
            f"left {skip.path} as it is in {skip.worktree}: {skip.reason}"
            for skip in update.skipped
            if not skip.may_come
        ]
        self.lacks_files_alone |= not update.is_complete
        return True

    def _fresh_name(self, name: str) -> str:
        """A name for a lock file that no earlier attempt used, so that each stays provable by itself."""
        for round_number in range(1, 1000):
            candidate = f"{name}.{round_number}"
            if not (self._entry.folder / candidate).exists():
                return candidate
        raise AssertionError

    def _owned(self, name: str, lock: Path) -> Path | None:
        """The file in the journal that `lock` is another name of; None where the lock is not proved ours."""
        for file in sorted(self._entry.folder.glob(f"{name}*")):
            if is_same_file(file, lock):
                return file
        return None

    def _release_refs(self) -> None:
        for prepared, name in self._entry.locks:
            if prepared in _REF_LOCKS:
                lock = GitLock(self._entry.folder / prepared, Path(name))
                if lock.adopt():
                    lock.release()

    def _release_indexes(self, locks: Sequence[tuple[str, str]]) -> None:
        for prepared, name in locks:
            if prepared not in _REF_LOCKS:
                owned = self._owned(prepared, Path(name))
                if owned is not None:
                    lock = GitLock(owned, Path(name))
                    lock.adopt()
                    lock.release()
        for leftover in self._entry.folder.glob("*.sparse"):
            shutil.rmtree(leftover, ignore_errors=True)
