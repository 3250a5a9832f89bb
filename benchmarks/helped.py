"""Commands that a helper answers: what they and the helper take together."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from measuring import Timing, timed


@contextmanager
def helper(top: Path) -> Iterator[int]:
    """A helper for the store at `top`, from when it listens; its process number."""
    command = [sys.executable, "-m", "gitmem.cli.main", "serve"]
    with subprocess.Popen(command, cwd=top, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        if b"listening" not in process.stderr.readline():
            raise RuntimeError("no helper came up")
        try:
            yield process.pid
        finally:
            process.terminate()
            process.communicate()


def timed_with(pid: int, work: Callable[[int], object], rounds: int) -> Timing:
    """What each run of `work` took, with an even share of what the helper `pid` took meanwhile."""
    # The first answers open the index.
    for number in range(2):
        work(-1 - number)
    alone = Timing()
    before = _cpu_seconds(pid)
    for number in range(rounds):
        timed(lambda number=number: work(number), alone)  # type: ignore[misc]
    share = (_cpu_seconds(pid) - before) / rounds
    return Timing([each + share for each in alone.cpu_seconds], alone.wall_seconds)


def _cpu_seconds(pid: int) -> float:
    """The CPU of a running process, in ticks of 10 ms mostly."""
    fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
