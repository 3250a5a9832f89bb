"""Points between two steps at which a test can end the process, to prove that nothing is lost there.

`GITMEM_FAULT=publish.after-ref` ends it at the first passage of that point, `publish.file:3` at the third.
"""

from __future__ import annotations

import os
import signal

_NAME, _, _COUNT = os.environ.get("GITMEM_FAULT", "").partition(":")
_left = int(_COUNT) if _COUNT.isdigit() else 1


def point(name: str) -> None:
    """Nothing, unless `GITMEM_FAULT` named this point when the process began: then the process is killed."""
    if not _NAME or name != _NAME:
        return
    global _left
    _left -= 1
    if _left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
