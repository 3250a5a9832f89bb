"""How much of the processor a piece of work takes, for tests that compare one size of it with another."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def cpu_seconds(work: Callable[[], object], *, rounds: int = 3) -> float:
    """The least of several rounds; no collection of what other tests left falls into one."""
    took = []
    gc.disable()
    try:
        for _ in range(rounds):
            begin = time.process_time()
            work()
            took.append(time.process_time() - begin)
    finally:
        gc.enable()
    return min(took)
