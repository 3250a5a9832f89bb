"""A process killed at any moment leaves an index that answers, or that heals itself."""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

from gitmem.index.branch_index import BranchIndex
from gitmem.model.ids import CommitId
from gitmem.recall.search import search
from tests.index.counting_source import CountingSource


def _keep_going(directory: Path) -> None:
    number = 5
    while True:
        number = number + 1 if number < 60 else 6
        BranchIndex(directory, CountingSource()).view(CommitId(f"{number:040d}")).close()


def test_killed_processes_leave_an_index_that_answers(tmp_path: Path) -> None:
    """Killed between any two lines: the next view is complete, waits for no lock, and says nothing."""
    (tmp_path / "git").mkdir()
    directory = tmp_path / "git" / "gitmem" / "index" / "main"
    context = multiprocessing.get_context("spawn")
    chance = random.Random(7)
    notices: list[str] = []
    for number in range(6):
        process = context.Process(target=_keep_going, args=(directory,))
        process.start()
        time.sleep(0.7 + chance.random() * 0.3)
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        head = 20 + number
        index = BranchIndex(directory, CountingSource(), notice=notices.append)
        with index.view(CommitId(f"{head:040d}")) as view:
            assert search(view, "puffin", limit=1).total == head == view.count
        assert index.stamp() == f"{head:040d}"
    assert notices == []
