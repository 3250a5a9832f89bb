"""What a process that stays leaves behind in the system."""

from __future__ import annotations

import os
import time
from pathlib import Path

from gitmem.platform import processes, spawn_detached


def test_processes_that_were_left_to_themselves_are_collected(tmp_path: Path) -> None:
    """Else each would stay in the table of processes until the one that started it ends."""
    processes._detached.clear()
    for _ in range(3):
        spawn_detached(["true"], cwd=tmp_path, env=os.environ)
    first = list(processes._detached)
    deadline = time.monotonic() + 30
    while set(first) & set(processes._detached):
        assert time.monotonic() < deadline, "they are still there"
        time.sleep(0.05)
        spawn_detached(["true"], cwd=tmp_path, env=os.environ)
    assert not any(Path(f"/proc/{pid}/stat").exists() for pid in first)
