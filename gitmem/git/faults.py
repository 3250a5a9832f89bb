"""Points between two steps at which a test can end the process, or let the disk fail.

`GITMEM_FAULT=publish.after-ref` ends it at the first passage of that point, `publish.file:3` at the third;
`publish.file:1:ENOSPC` lets the first passage fail as a full disk would.
"""

from __future__ import annotations

import errno
import os
import signal

_name = ""
_left = 0
_error = ""


def arm(fault: str) -> None:
    """Sets the fault of this process: `point`, `point:passage` or `point:passage:error`; empty for none."""
    global _name, _left, _error
    _name, _, rest = fault.partition(":")
    passage, _, _error = rest.partition(":")
    _left = int(passage) if passage.isdigit() else 1


def point(name: str) -> None:
    """Nothing, unless this point was named: then the process is killed, or the error raised."""
    if not _name or name != _name:
        return
    global _left
    _left -= 1
    if _left != 0:
        return
    if _error:
        number = getattr(errno, _error)
        raise OSError(number, os.strerror(number), name)
    os.kill(os.getpid(), signal.SIGKILL)


arm(os.environ.get("GITMEM_FAULT", ""))
