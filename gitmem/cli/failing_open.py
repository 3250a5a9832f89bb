"""Running a hook of a coding agent: it answers in time or not at all, and never fails.

An exit code other than 0 would stop what a person asked for, so there is none. Standard output gets the whole
answer or nothing. What went wrong is said on standard error.
"""

from __future__ import annotations

import contextlib
import os
import sys
from time import monotonic

DEADLINE_SECONDS = 2.0
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def answer_in_time(given: list[str]) -> NoReturn:
    """Answers by the helper, else here, and ends the process with 0."""
    until = monotonic() + DEADLINE_SECONDS
    try:
        from gitmem.helper.client import ask

        if ask(given).code is None:
            _answer_here(given, until)
    except BaseException as error:  # noqa: BLE001  whatever it is, the agent goes on
        _say(f"{type(error).__name__}: {error}")
    os._exit(0)


def _answer_here(given: list[str], until: float) -> None:
    import io
    import threading

    from gitmem.cli.streams import occupy_closed_streams

    occupy_closed_streams()
    held = io.BytesIO()
    sys.stdout = io.TextIOWrapper(held, encoding="utf-8", errors="replace", write_through=True)
    codes: list[int] = []

    def run_it() -> None:
        from gitmem.cli.run import run

        codes.append(run(given))

    # A thread, since what libraries wait for can be interrupted in no other way on all systems.
    worker = threading.Thread(target=run_it, daemon=True)
    worker.start()
    worker.join(max(0.0, until - monotonic()))
    if worker.is_alive():
        _say(f"not done within {DEADLINE_SECONDS:g} seconds, so the agent goes on without an answer")
    elif codes == [0]:
        data = held.getvalue()
        while data:
            data = data[os.write(1, data) :]
    sys.stderr.flush()


def _say(message: str) -> None:
    line = f"gitmem: {' '.join(message.split())}\n"
    with contextlib.suppress(OSError):
        os.write(2, line.encode("utf-8", "replace"))
