"""Sockets between processes of one user on one machine."""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
from pathlib import Path

HAS_LOCAL_SOCKETS = hasattr(socket, "AF_UNIX") and sys.platform != "win32"
"""Whether processes here can be asked by way of a file; Python on Windows cannot."""


def listen_at(folder: Path, name: str) -> socket.socket:
    """A socket at `name` in `folder` that only its owner may use, in place of one that is left over.

    It is reached from inside the folder, so that its path may be longer than the system allows an address to
    be. Other threads must not rest on the current folder meanwhile.
    """
    beside = f"{name}.{os.getpid()}"
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    here = os.open(".", os.O_RDONLY)
    try:
        os.chdir(folder)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(beside)  # noqa: PTH108
        listener.bind(beside)
        os.chmod(beside, 0o600)  # noqa: PTH101
        listener.listen(128)
        os.rename(beside, name)  # noqa: PTH104
    except BaseException:
        listener.close()
        raise
    finally:
        os.fchdir(here)
        os.close(here)
    return listener


def is_same_user(connection: socket.socket) -> bool:
    """Whether the process at the other end is one of this user; True where the system does not tell."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    _, user, _ = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return bool(user == os.geteuid())


def resident_bytes() -> int:
    """How much memory this process holds; the most that it ever held where the system tells no more."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024
