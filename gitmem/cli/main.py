"""The entry point: asks the helper where one may answer, else loads the command and runs it.

Nothing is imported here that is not needed to ask.
"""

from __future__ import annotations

import gc
import os
import sys

from gitmem.helper import BY_HELPER

_INTERRUPTED_EXIT = 130
OBJECTS_BEFORE_COLLECTION = 200_000
"""Loading a command makes many objects that stay: looking through them again and again finds nothing."""


def main(arguments: list[str] | None = None) -> None:
    """Runs the command in `arguments` (those of the process if None) and exits."""
    try:
        _run(sys.argv[1:] if arguments is None else list(arguments))
    except KeyboardInterrupt:
        # What runs catches it by itself; this is for the time in which it is loaded.
        sys.exit(_INTERRUPTED_EXIT)


def _run(given: list[str]) -> None:
    gc.set_threshold(OBJECTS_BEFORE_COLLECTION)
    operation_id = None
    if any(word in BY_HELPER for word in given[:4]):
        from gitmem.helper.client import ask, verb_of

        if verb_of(given) == "hook-agent":
            from gitmem.cli.failing_open import answer_in_time

            answer_in_time(given)
        asked = ask(given)
        if asked.failure is not None:
            from gitmem.cli.run import code_of_failed_output

            asked.code = code_of_failed_output(asked.failure)
        if asked.code is not None:
            # Nothing is buffered and nothing is open: the interpreter need not be taken down in order.
            os._exit(asked.code)
        operation_id = asked.operation_id
    # For the vector of one question two threads of numpy's library wait for each other: ten times the CPU.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from gitmem.cli.run import main as run_here

    run_here(given, operation_id=operation_id)


if __name__ == "__main__":
    main()
