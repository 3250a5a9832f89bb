"""A lock between processes that agree on it."""

from __future__ import annotations

import contextlib
import os
import random
import sys
import time
from pathlib import Path
from types import TracebackType

from gitmem.platform.files import NO_FOLLOW, NO_WAIT

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_FIRST_WAIT_SECONDS = 0.001
_LONGEST_WAIT_SECONDS = 0.05


class FileLock:
    """An advisory lock on a file, released by the system when its process ends.

    Saves work between processes that agree on it; nothing may rest on it for correctness, since some
    file systems have no such locks. `acquired` says whether it is held: a time-out, or a file system
    without locks, or something else of that name, raises nothing. Two locks of one process on one file
    exclude each other.
    """

    def __init__(self, path: Path, *, timeout_seconds: float = 10.0) -> None:
        self.path = path
        self.timeout_seconds = timeout_seconds
        self.acquired = False
        self._descriptor: int | None = None

    def __enter__(self) -> FileLock:
        self.acquire()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def acquire(self) -> bool:
        """Wait for the lock up to `timeout_seconds`; whether it is held now."""
        if self._descriptor is not None:
            return self.acquired
        flags = os.O_RDWR | os.O_CREAT | NO_FOLLOW | NO_WAIT | getattr(os, "O_CLOEXEC", 0)
        try:
            descriptor = os.open(self.path, flags, 0o666)
        except OSError:
            if self.path.is_symlink() or self.path.is_dir():
                return False
            raise
        self._descriptor = descriptor
        try:
            self.acquired = self._wait(descriptor)
        finally:
            if not self.acquired:
                os.close(descriptor)
                self._descriptor = None
        return self.acquired

    def release(self) -> None:
        """Give the lock back; may be repeated. The file stays, since removing it would split the lock."""
        descriptor, self._descriptor, self.acquired = self._descriptor, None, False
        if descriptor is not None:
            with contextlib.suppress(OSError):
                _unlock(descriptor)
            os.close(descriptor)

    def _wait(self, descriptor: int) -> bool:
        deadline = time.monotonic() + self.timeout_seconds
        wait = _FIRST_WAIT_SECONDS
        while True:
            try:
                if _try_lock(descriptor):
                    return True
            except OSError:
                return False
            left = deadline - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(left, wait * random.uniform(0.5, 1.5)))
            wait = min(wait * 1.5, _LONGEST_WAIT_SECONDS)


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _unlock(descriptor: int) -> None:
    if sys.platform == "win32":
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)
    else:
        fcntl.flock(descriptor, fcntl.LOCK_UN)
