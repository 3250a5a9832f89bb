"""Files below a folder, read and written without following a link out of it, or waiting for a pipe.

All that gitmem reads below its folder in the git directory, and of git's own files there, passes here.
"""

from __future__ import annotations

import errno
import os
import stat as modes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gitmem.platform import NO_FOLLOW, NO_WAIT

DEFAULT_MAX_BYTES = 512 * 1024 * 1024
_PLAIN_FLAGS = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class NotRegular(OSError):
    """A link, folder, pipe, socket or device stands where a file should; it was not opened."""


def open_regular(file: Path, flags: int = os.O_RDONLY, *, mode: int = 0o666) -> int:
    """A descriptor of the regular file `file`, opened with `flags`; `mode` is for one that they make.

    Raises `NotRegular` where something else stands there, `FileNotFoundError` where nothing does.
    """
    # A look before: to open a device can be enough to make it do something.
    if _is_something_else(file):
        raise NotRegular(errno.EINVAL, "not a regular file", str(file))
    descriptor = os.open(file, flags | NO_FOLLOW | NO_WAIT | _PLAIN_FLAGS, mode)
    if not modes.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise NotRegular(errno.EINVAL, "not a regular file", str(file))
    return descriptor


def read_regular(file: Path, *, max_bytes: int = DEFAULT_MAX_BYTES) -> bytes | None:
    """The first `max_bytes` of a regular file; None where a link, folder, pipe or nothing stands there.

    Raises `OSError` where it may not be read.
    """
    try:
        descriptor = open_regular(file)
    except (NotRegular, FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(descriptor, "rb") as opened:
        return opened.read(max_bytes)


def replace_regular(file: Path, *pieces: bytes, flush: bool = False) -> None:
    """Puts `pieces` at `file` in one step; what stands there is replaced, a link included.

    Raises `OSError` that names `file`, also where a folder stands there.
    """
    beside = file.with_name(f"{file.name}.{os.getpid()}.{os.urandom(4).hex()}.new")
    with failures_named(file):
        try:
            write_new_file(beside, *pieces, flush=flush)
            beside.replace(file)
        finally:
            beside.unlink(missing_ok=True)


@contextmanager
def failures_named(file: Path) -> Iterator[None]:
    """Lets an `OSError` name `file`: a full disk names nothing, and a file made beside it tells nobody."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise OSError(error.errno, error.strerror, str(file)) from error


def read_below(root: Path, path: str, *, max_bytes: int = DEFAULT_MAX_BYTES) -> bytes | None:
    """The first `max_bytes` of the regular file at `path` below `root`; None where a link is on the way."""
    return None if link_on_the_way(root, path) else read_regular(root / path, max_bytes=max_bytes)


def link_on_the_way(root: Path, path: str) -> Path | None:
    """The first part of `path` below `root` that is a symbolic link, the file itself included."""
    place = str(root)
    for name in path.split("/"):
        # Asked for each part of each path, so without a Path.
        place = f"{place}/{name}"
        if os.path.islink(place):  # noqa: PTH114
            return Path(place)
    return None


def write_new_file(file: Path, *pieces: bytes, flush: bool = False, mode: int = 0o666) -> None:
    """Writes a file that does not exist yet, whole or not at all.

    Raises `OSError` that names it; `FileExistsError` where anything is there, a link too.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | getattr(os, "O_BINARY", 0)
    with failures_named(file):
        descriptor = os.open(file, flags, mode)
        try:
            with os.fdopen(descriptor, "wb") as opened:
                opened.writelines(pieces)
                opened.flush()
                if flush:
                    os.fsync(opened.fileno())
        except OSError:
            file.unlink(missing_ok=True)
            raise


def _is_something_else(file: Path) -> bool:
    """Whether what stands there is no regular file, told by one look: it may be gone at the next."""
    try:
        return not modes.S_ISREG(os.lstat(file).st_mode)
    except OSError:
        return False
