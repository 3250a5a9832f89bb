"""One attempt at moving a branch to a new commit, with git's index and files brought along.

In this order, each step safe to die after:

1. The journal entry is on disk, then the locks are prepared beside it and the changes planned.
2. `index.lock` of every worktree on the branch is taken, over the index that the plan was made from.
3. The ref lock is taken, that of a witness too, and the refs are read again and compared.
4. The lines of the reflogs, then the ref moves. From here on the commit is published.
5. The files are written, and the indexes with their times replace the old ones. Then the locks go.
6. The journal entry is removed.

What dies before 4 never happened: the locks are proved ours and removed. What dies later is finished by
`recover`. Until then `index.lock` keeps git from committing with an index that lags behind.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import Struct

from gitmem.errors import Conflict, GitmemError
from gitmem.git import journal, reflog
from gitmem.git.branch_lock import BranchLock
from gitmem.git.faults import point
from gitmem.git.journal import FileChange, JournalEntry
from gitmem.git.recover import modes_of, recover
from gitmem.git.refs import branch_target, read_head, ref_name
from gitmem.git.repository import Repository
from gitmem.git.skipped import Skipped
from gitmem.git.worktree_update import WorktreeUpdate
from gitmem.git.worktrees import Worktree
from gitmem.platform import fsync_directory

INDEX_LOCK_SECONDS = 2.0
_PENDING_LOCK_SECONDS = 0.1


Remake = Callable[[str], tuple[str, Sequence[FileChange]]]
Witness = tuple[str, str | None]
"""Another branch, and the commit at which it must still stand when the branch moves."""


class RefMoved(Exception):
    """The branch is not where the caller saw it; nothing was changed. Read it again, and try again."""

    def __init__(self, branch: str, expected: str | None, actual: str | None) -> None:
        super().__init__(f"{branch} is at {actual or 'nothing'}, not at {expected or 'nothing'}")
        self.branch = branch
        self.expected = expected
        self.actual = actual


class WorktreesChanged(Exception):
    """A worktree switched to the branch, or from it, while the write was prepared."""


class PublishResult(Struct, frozen=True):
    """What became of a write: the commit is on the branch in any case.

    `pending` says that git held an `index.lock`, so that git's index is brought along by `recover`, and
    `skipped` which files were left as they were, and why. `worktrees` are those that have the branch.
    """

    commit: str
    pending: bool = False
    skipped: list[Skipped] | tuple[Skipped, ...] = ()
    worktrees: tuple[Path, ...] = ()


class Publication:
    """One attempt at one write."""

    def __init__(
        self,
        repo: Repository,
        branch: str,
        expected: str | None,
        commit: str,
        changes: Sequence[FileChange],
        label: str,
        now: datetime,
        remake: Remake | None,
        witness: Witness | None,
    ) -> None:
        self._repo = repo
        self._branch = branch
        self._expected = expected
        self._commit = commit
        self._changes = changes
        self._label = label
        self._now = now
        self._remake = remake
        self._witness = witness
        self._ref_locks: list[BranchLock] = []
        self._ref = repo.common_dir / ref_name(branch)
        self._worktrees = self._worktrees_on_branch()
        self._updates: list[WorktreeUpdate] = []
        self._locked: list[WorktreeUpdate] = []
        self._is_published = False

    def run(self) -> PublishResult:
        if self._remake is None:
            self._compare()
        if self._expected is None:
            self._refuse_clash_of_names()
        entry = journal.begin(
            self._repo.common_dir,
            branch=self._branch,
            old=self._expected,
            commit=self._commit,
            label=self._label,
            changes=self._changes,
            worktrees=[(worktree.path, worktree.git_dir) for worktree in self._worktrees],
            witness=self._witness[0] if self._witness else None,
        )
        ref_lock = BranchLock(self._repo, self._branch, entry.folder / "ref")
        self._ref_locks = [ref_lock]
        if self._witness is not None:
            self._ref_locks.append(BranchLock(self._repo, self._witness[0], entry.folder / "witness"))
        try:
            self._prepare(entry)
            self._lock_indexes()
            self._lock_refs()
            entry = self._compared(entry, ref_lock)
            self._move_ref(ref_lock)
            for lock in self._ref_locks:
                # What the witness does from here on concerns nobody.
                lock.release()
            return self._bring_along(entry)
        finally:
            for lock in self._ref_locks:
                lock.release()
            for update in self._updates:
                update.lock.release()
            if not self._is_published:
                entry.remove()
            elif (entry.folder / "entry.json").exists():
                # Broken off by a signal: this process may live on, so say that others may finish.
                entry.mark_pending()

    def _worktrees_on_branch(self) -> list[Worktree]:
        found = [worktree for worktree in self._repo.worktrees() if worktree.branch == self._branch]
        # All writers take the locks in one order, so that none waits for one that waits for it.
        return sorted(found, key=lambda worktree: str(worktree.git_dir))

    def _compare(self) -> None:
        actual = branch_target(self._repo.raw, self._branch)
        if actual != self._expected:
            raise RefMoved(self._branch, self._expected, actual)

    def _refuse_clash_of_names(self) -> None:
        for other in self._repo.branch_names():
            if other.startswith(f"{self._branch}/") or self._branch.startswith(f"{other}/"):
                raise Conflict(f"{self._branch} cannot be a branch beside the branch {other}")

    def _prepare(self, entry: JournalEntry) -> None:
        modes = modes_of(self._repo, self._commit, self._changes)
        for number, worktree in enumerate(self._worktrees):
            update = WorktreeUpdate(
                self._repo,
                worktree,
                self._changes,
                modes=modes,
                tree=self._expected,
                folder=entry.folder,
                prepared=f"index-{number}",
            )
            update.prepare()
            self._updates.append(update)
        for lock in self._ref_locks:
            lock.prepare(self._commit)
        point("publish.prepared")

    def _lock_indexes(self) -> None:
        for update in self._updates:
            # What waits for git already must come first, or the index would get the changes out of order.
            was_waiting = self._is_waiting(update.worktree)
            if update.acquire(
                timeout_seconds=_PENDING_LOCK_SECONDS if was_waiting else INDEX_LOCK_SECONDS,
                meanwhile=lambda: recover(self._repo),
            ):
                if self._is_waiting(update.worktree):
                    update.lock.release()
                else:
                    self._locked.append(update)
            point("publish.index-locked")

    def _is_waiting(self, worktree: Worktree) -> bool:
        return any(
            str(worktree.git_dir) in (git_dir for _, git_dir in entry.worktrees)
            for entry in journal.pending_entries(self._repo.common_dir)
        )

    def _lock_refs(self) -> None:
        # Sorted, so that two writers which want the same two locks never wait for each other.
        for lock in sorted(self._ref_locks, key=lambda lock: lock.branch):
            lock.acquire()
        point("publish.ref-locked")
        if self._worktrees_on_branch() != self._worktrees:
            raise WorktreesChanged

    def _compared(self, entry: JournalEntry, lock: BranchLock) -> JournalEntry:
        """The entry of what will be published, now that nobody can move branch or witness any more."""
        actual = lock.target()
        if self._remake is None or actual is None:
            if actual != self._expected:
                raise RefMoved(self._branch, self._expected, actual)
            if self._witness is not None and (stands := self._ref_locks[1].target()) != self._witness[1]:
                raise RefMoved(self._witness[0], self._witness[1], stands)
            return entry
        self._commit, self._changes = self._remake(actual)
        self._expected = actual
        changed = journal.rewrite(entry, old=actual, commit=self._commit, changes=self._changes)
        modes = modes_of(self._repo, self._commit, self._changes)
        for update in self._updates:
            update.replan(self._changes, modes=modes, tree=actual)
        lock.say(self._commit)
        point("publish.remade")
        return changed

    def _move_ref(self, lock: BranchLock) -> None:
        if self._expected is not None:
            self._log_move()
        point("publish.before-ref")
        lock.move_branch()
        self._is_published = True

    def _log_move(self) -> None:
        common = self._repo.common_dir
        heads = [worktree.git_dir / "logs" / "HEAD" for worktree in self._worktrees]
        if self._repo.config_bool("core.bare", False) and read_head(common)[0] == self._branch:
            heads.append(common / "logs" / "HEAD")
        reflog.append(
            self._repo,
            [common / "logs" / "refs" / "heads" / self._branch, *heads],
            old=self._expected,
            new=self._commit,
            message=f"gitmem: {self._label}",
            when=self._now,
        )

    def _bring_along(self, entry: JournalEntry) -> PublishResult:
        """Files and indexes. What fails here is left to `recover`, for the commit stands."""
        skipped: list[Skipped] = []
        try:
            is_finished = self._write_along()
        except (OSError, GitmemError) as error:
            reason = error.message if isinstance(error, GitmemError) else error.strerror or str(error)
            skipped += [Skipped(worktree.path, "", reason) for worktree in self._worktrees]
            is_finished = False
        skipped += [skip for update in self._updates for skip in update.skipped]
        for update in self._updates:
            update.lock.release()
        with contextlib.suppress(OSError):
            point("publish.before-cleanup")
            if is_finished:
                entry.remove()
        if not is_finished:
            entry.mark_pending()
            with contextlib.suppress(OSError, GitmemError):
                recover(self._repo)
        paths = tuple(worktree.path for worktree in self._worktrees)
        is_pending = not is_finished and (entry.folder / "entry.json").exists()
        if not is_pending:
            skipped = [skip for skip in skipped if skip.path and not skip.may_come]
        return PublishResult(self._commit, is_pending, skipped, paths)

    def _write_along(self) -> bool:
        """Whether all worktrees have the commit now, files and index."""
        point("publish.after-ref")
        if self._expected is None:
            # Not before: a log without its branch is the sign of a branch that was lost.
            self._log_move()
        with contextlib.suppress(OSError):
            fsync_directory(self._ref.parent)
        is_finished = True
        for update in self._updates:
            update.write_files()
            point("publish.files-written")
            is_finished = (update in self._locked and update.finish()) and update.is_complete and is_finished
            point("publish.after-index")
        return is_finished
