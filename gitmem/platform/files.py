"""Files and folders: flushing, links, what others may read."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
NO_WAIT = getattr(os, "O_NONBLOCK", 0)
"""Flags of `os.open`: refuse a link, do not wait for a pipe; 0 where the system has none."""
SEPARATORS = frozenset("/\\:" if sys.platform == "win32" else "/")
"""Characters that make a path, a drive or a stream of what should be one name."""


def fsync_directory(path: Path) -> None:
    """Flush the names in a folder to disk, where the system can do that."""
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_private_directory(path: Path) -> None:
    """Make a folder that only its owner may look into. One that exists stays; a link or file is set aside."""
    if path.is_dir() and not path.is_symlink():
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    if os.path.lexists(path) and (path.is_symlink() or not path.is_dir()):
        names = (path.with_name(f"{path.name}.aside-{number}") for number in range(1, 10_000))
        with contextlib.suppress(FileNotFoundError):
            path.rename(next(name for name in names if not os.path.lexists(name)))
    with contextlib.suppress(FileExistsError):
        path.mkdir(mode=0o700)


def write_new_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read. Raises `FileExistsError` where something stands there."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def link_exclusive(source: Path, target: Path) -> None:
    """Give a file a second name in one step. Raises `FileExistsError` where the name is taken."""
    os.link(source, target)
