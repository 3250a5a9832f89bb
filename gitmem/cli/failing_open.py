"""Running a hook of a coding agent: it answers in time or not at all, and never fails.

An exit code other than 0 would stop what a person asked for, so there is none. Standard output gets the whole
answer or nothing. What went wrong is said on standard error. Loaded for each prompt, so it imports next to
nothing.
"""

from __future__ import annotations

import _thread
import os
import sys

from gitmem.helper.client import ask, event_seconds

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def answer_in_time(given: list[str]) -> NoReturn:
    """Answers by the helper, else here, and ends the process with 0."""
    seconds = event_seconds()
    done = _thread.allocate_lock()
    done.acquire()

    def work() -> None:
        try:
            if ask(given).code is None:
                _answer_here(given)
        except BaseException as error:  # noqa: BLE001  whatever it is, the agent goes on
            _say(f"{type(error).__name__}: {error}")
        done.release()

    try:
        # A thread: what it waits for, input that never ends too, can be left behind on every system.
        _thread.start_new_thread(work, ())
        if not done.acquire(timeout=seconds):
            _say(f"not done within {seconds:g} seconds, so the agent goes on without an answer")
        elif sys.stderr is not None:
            sys.stderr.flush()
    except BaseException as error:  # noqa: BLE001  the same
        _say(f"{type(error).__name__}: {error}")
    os._exit(0)


def _answer_here(given: list[str]) -> None:
    import io

    from gitmem.cli.streams import occupy_closed_streams

    occupy_closed_streams()
    held = io.BytesIO()
    sys.stdout = io.TextIOWrapper(held, encoding="utf-8", errors="replace", write_through=True)

    from gitmem.cli.run import run

    if run(given) == 0:
        data = held.getvalue()
        while data:
            data = data[os.write(1, data) :]


def _say(message: str) -> None:
    line = f"gitmem: {' '.join(message.split())}\n"
    try:
        os.write(2, line.encode("utf-8", "replace"))
    except OSError:
        return
