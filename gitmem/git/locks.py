"""Git's own lock files, taken so that a crash leaves proof of whose they are.

A lock is a second name (hard link) of a file that was prepared in the journal. It comes into being in one
step with its whole content, excludes git as git excludes itself, and stays provably ours: no other program
can make a lock that is the same file as the one in the journal.
"""

from __future__ import annotations

import contextlib
import os
import random
import time
from collections.abc import Callable
from pathlib import Path

from gitmem.platform import link_exclusive


class GitLock:
    """The lock `name` (`index.lock`, `refs/heads/main.lock`) made from the file `prepared`.

    Where the file system has no hard links the lock is created the plain way; it excludes git just as
    well, but after a crash nobody can prove whose it was, so it stays until a person removes it.
    """

    def __init__(self, prepared: Path, name: Path) -> None:
        self.prepared = prepared
        self.name = name
        self._identity: tuple[int, int] | None = None

    @property
    def is_held(self) -> bool:
        """Whether the lock file is there and still the one that was made here."""
        return self._identity is not None and _identity(self.name) == self._identity

    def try_acquire(self) -> bool:
        """Whether the lock could be taken just now."""
        try:
            link_exclusive(self.prepared, self.name)
        except FileExistsError:
            return False
        except FileNotFoundError:
            raise
        except OSError:
            return self._create()
        self._identity = _identity(self.prepared)
        return True

    def acquire(self, *, timeout_seconds: float, meanwhile: Callable[[], object] | None = None) -> bool:
        """Wait for the lock; whether it is held. `meanwhile` is called once when the wait gets long."""
        began = time.monotonic()
        wait = 0.001
        while not self.try_acquire():
            waited = time.monotonic() - began
            if waited >= timeout_seconds:
                return False
            if meanwhile is not None and waited > 0.25:
                meanwhile()
                meanwhile = None
                continue
            time.sleep(min(wait * random.uniform(0.5, 1.5), max(0.0, timeout_seconds - waited)))
            wait = min(wait * 1.6, 0.05)
        return True

    def adopt(self) -> bool:
        """Take over the lock that a dead process left, if it is the same file as `prepared`."""
        mine = _identity(self.prepared)
        if mine is None or _identity(self.name) != mine:
            return False
        self._identity = mine
        return True

    def publish(self, target: Path) -> bool:
        """Let the lock file become `target` in one step; False where the lock was taken from us."""
        if not self.is_held:
            self._identity = None
            return False
        self.name.replace(target)
        self._identity = None
        return True

    def release(self) -> None:
        """Remove the lock, if it is still ours; may be repeated. `recover` tries again what failed."""
        if self.is_held:
            with contextlib.suppress(OSError):
                self.name.unlink()
        self._identity = None

    def _create(self) -> bool:
        data = self.prepared.read_bytes()
        mode = self.prepared.stat().st_mode & 0o777
        try:
            descriptor = os.open(self.name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        except FileExistsError:
            return False
        with os.fdopen(descriptor, "wb") as file:
            stat = os.fstat(file.fileno())
            self._identity = (stat.st_dev, stat.st_ino)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        return True


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.lstat()
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two names are one file."""
    mine = _identity(one)
    return mine is not None and mine == _identity(other)


def write_new(path: Path, *pieces: bytes | memoryview, like: Path | None = None, flush: bool = False) -> None:
    """Write a file anew, as a new file, with the permissions of `like` where that exists."""
    path.unlink(missing_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o666), "wb") as file:
        file.writelines(pieces)
        file.flush()
        if flush:
            os.fsync(file.fileno())
    if like is not None:
        with contextlib.suppress(OSError):
            mode = like.stat().st_mode & 0o777
            if path.stat().st_mode & 0o777 != mode:
                path.chmod(mode)
