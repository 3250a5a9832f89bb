"""Waiting out the git commands that read the index before it was replaced.

`git commit` and `git merge` read the index first and take `index.lock` afterwards. One that read the old
index, and takes the lock just after ours is gone, writes the old index back: HEAD would be ahead of the
index, and its next commit would drop what was published. While `index.lock` is there such a command gives up
instead. So the lock outlives the replacement of the index until every command that may have read the old one
is through.

A command that is at work gets all the time it needs: on a busy machine seconds can pass between reading and
locking. One that is idle waits for a person or a program of theirs, and reads the index anew after that.
"""

from __future__ import annotations

import time

from gitmem.git.worktrees import Worktree
from gitmem.platform import Process, processes_inside

_LONGEST_SECONDS = 30.0
_LONGEST_IDLE_SECONDS = 1.0
# An older one that is idle waits for an editor; a younger one may be between two system calls.
_YOUNG_SECONDS = 3.0
_UNKNOWN_SECONDS = 0.02
_COMMANDS = frozenset(
    b"add am apply checkout checkout-index cherry-pick commit merge mv read-tree rebase reset restore "
    b"revert rm stash switch update-index".split()
)


def outlast(worktree: Worktree) -> None:
    """Return when no git command in the worktree can still hold the index that was there a moment ago."""
    found = processes_inside(b"git", worktree.path)
    if found is None:
        time.sleep(_UNKNOWN_SECONDS)
        return
    began = time.monotonic()
    patience = {
        (process.pid, process.command_line): began
        + (_LONGEST_IDLE_SECONDS if process.age_seconds < _YOUNG_SECONDS else 0)
        for process in found
        if _COMMANDS.intersection(process.command_line.split(b"\0")[1:8])
    }
    wait_seconds = 0.001
    while patience and (now := time.monotonic()) - began < _LONGEST_SECONDS:
        running = processes_inside(b"git", worktree.path) or []
        for process in _at_work(running):
            key = (process.pid, process.command_line)
            if key in patience:
                patience[key] = now + _LONGEST_IDLE_SECONDS
        here = {(process.pid, process.command_line) for process in running}
        patience = {key: until for key, until in patience.items() if key in here and now < until}
        time.sleep(wait_seconds)
        wait_seconds = min(wait_seconds * 1.2, 0.02)


def _at_work(processes: list[Process]) -> list[Process]:
    """Those that are not idle, and those that wait for one that is not."""
    by_pid = {process.pid: process for process in processes}
    found: dict[int, Process] = {}
    for process in processes:
        step = None if process.is_idle else process
        while step is not None and step.pid not in found:
            found[step.pid] = step
            step = by_pid.get(step.parent)
    return list(found.values())
