"""Waiting out the git commands that read the index before it was replaced.

`git commit` reads the index first and takes `index.lock` afterwards. One that read the old index, and takes
the lock just after ours is gone, writes the old index back: HEAD would be ahead of the index, and its next
commit would drop what was published. While `index.lock` is there such a command gives up instead. So the lock
outlives the replacement of the index until every command that may have read the old one is through.
"""

from __future__ import annotations

import time

from gitmem.git.worktrees import Worktree
from gitmem.platform import young_processes

_LONGEST_SECONDS = 1.0
_UNKNOWN_SECONDS = 0.02
# Between reading the index and locking it, git looks at every file once; an older one waits for an editor.
_WINDOW_SECONDS = 3.0
_COMMANDS = frozenset(
    b"add am apply checkout checkout-index cherry-pick commit merge mv pull read-tree rebase reset restore "
    b"revert rm stash switch update-index".split()
)


def outlast(worktree: Worktree) -> None:
    """Return when no git command in the worktree can still hold the index that was there a moment ago."""
    before = _suspects(worktree)
    if before is None:
        time.sleep(_UNKNOWN_SECONDS)
        return
    deadline = time.monotonic() + _LONGEST_SECONDS
    while before and time.monotonic() < deadline:
        time.sleep(0.001)
        before &= _suspects(worktree) or set()


def _suspects(worktree: Worktree) -> set[tuple[int, bytes]] | None:
    found = young_processes(b"git", worktree.path, max_age_seconds=_WINDOW_SECONDS)
    if found is None:
        return None
    return {(pid, line) for pid, line in found if _COMMANDS.intersection(line.split(b"\0")[1:8])}
