"""Files below a folder, read and written without following a link out of it, or waiting for a pipe."""

from __future__ import annotations

import os
import stat as modes
from pathlib import Path

from gitmem.platform import NO_FOLLOW, NO_WAIT

DEFAULT_MAX_BYTES = 512 * 1024 * 1024


def read_regular(file: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> bytes | None:
    """The first `max_bytes` of a regular file; None where a link, folder, pipe or nothing stands there.

    Raises `OSError` where it may not be read.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | NO_FOLLOW | NO_WAIT | getattr(os, "O_BINARY", 0))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        if _is_regular(file):
            raise
        return None
    with os.fdopen(descriptor, "rb") as opened:
        return opened.read(max_bytes) if modes.S_ISREG(os.fstat(descriptor).st_mode) else None


def read_below(root: Path, path: str, *, max_bytes: int = DEFAULT_MAX_BYTES) -> bytes | None:
    """The first `max_bytes` of the regular file at `path` below `root`; None where a link is on the way."""
    return None if link_on_the_way(root, path) else read_regular(root / path, max_bytes=max_bytes)


def link_on_the_way(root: Path, path: str) -> Path | None:
    """The first part of `path` below `root` that is a symbolic link, the file itself included."""
    place = root
    for name in path.split("/"):
        place = place / name
        if place.is_symlink():
            return place
    return None


def write_new_file(file: Path, data: bytes) -> None:
    """Writes a file that does not exist yet. Raises `FileExistsError` where anything is there, a link too."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(file, flags, 0o666), "wb") as opened:
        opened.write(data)


def _is_regular(file: Path) -> bool:
    try:
        return modes.S_ISREG(file.lstat().st_mode)
    except OSError:
        return False
