"""The lock of one branch, taken as git takes it and provably ours after a crash."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from gitmem.errors import Busy, Conflict
from gitmem.git.journal import lock_of_branch
from gitmem.git.locks import GitLock, write_new
from gitmem.git.recover import recover
from gitmem.git.refs import branch_target, ref_name
from gitmem.git.repository import Repository

REF_LOCK_SECONDS = 20.0
"""A program that holds the lock may have to wait for its turn on a busy machine before it lets go."""


def lock_name(repo: Repository, branch: str) -> Path:
    """The lock file of a branch."""
    return lock_of_branch(repo.common_dir, branch)


class BranchLock:
    """The lock of `branch`, made from the file `prepared` in the journal; that file can become the ref."""

    def __init__(self, repo: Repository, branch: str, prepared: Path) -> None:
        self.branch = branch
        self._repo = repo
        self._ref = repo.common_dir / ref_name(branch)
        self._lock = GitLock(prepared, lock_name(repo, branch))

    def prepare(self, commit: str) -> None:
        """Makes the file of the lock, which says `commit`; flushed."""
        write_new(self._lock.prepared, commit.encode("ascii") + b"\n", like=self._ref, flush=True)

    def say(self, commit: str) -> None:
        """Lets the file say another commit; flushed. It stays the same file, so a held lock stays ours."""
        with open(self._lock.prepared, "r+b") as file:
            file.write(commit.encode("ascii"))
            file.flush()
            os.fsync(file.fileno())

    def acquire(self) -> None:
        """Takes the lock. Raises `Busy` where another program keeps it, `Conflict` where no branch can be."""
        for _ in range(20):
            try:
                self._lock.name.parent.mkdir(parents=True, exist_ok=True)
                if self._lock.acquire(
                    timeout_seconds=REF_LOCK_SECONDS, meanwhile=lambda: recover(self._repo)
                ):
                    return
            except FileNotFoundError:
                # Git removes empty folders of refs as it packs them.
                continue
            except (NotADirectoryError, FileExistsError) as error:
                raise Conflict(f"{self.branch} cannot be a branch beside one of the same path") from error
            raise Busy(
                f"the branch {self.branch} is locked by another program",
                hint=f"if no git command is running, remove {self._lock.name}",
            )
        raise Busy(f"the branch {self.branch} cannot be locked: {self._lock.name.parent} keeps going away")

    def target(self) -> str | None:
        """Where the branch stands; while the lock is held, nobody moves it."""
        return branch_target(self._repo.raw, self.branch)

    def move_branch(self) -> None:
        """Lets the lock become the ref. Raises `Busy` where the lock was taken from us, `Conflict`."""
        if self._ref.is_dir():
            _remove_empty_folders(self._ref)
        try:
            moved = self._lock.publish(self._ref)
        except (IsADirectoryError, NotADirectoryError, PermissionError) as error:
            raise Conflict(f"{self.branch} cannot be a branch: {self._ref} is a folder") from error
        if not moved:
            raise Busy(f"the lock of the branch {self.branch} was removed by somebody else")

    def release(self) -> None:
        """Gives the lock back, if it is still ours; may be repeated."""
        self._lock.release()


def _remove_empty_folders(folder: Path) -> None:
    for path, _, _ in os.walk(folder, topdown=False):
        with contextlib.suppress(OSError):
            Path(path).rmdir()
