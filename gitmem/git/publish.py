"""Moving a branch to a new commit, by compare-and-set; `publication` has the protocol, step by step."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from datetime import datetime

from gitmem.errors import Busy, OutsideFailure
from gitmem.git import journal
from gitmem.git.journal import FileChange
from gitmem.git.publication import Publication, PublishResult, RefMoved, Remake, Witness, WorktreesChanged
from gitmem.git.recover import recover
from gitmem.git.refs import ref_name
from gitmem.git.repository import Repository
from gitmem.git.skipped import Skipped
from gitmem.platform import FileLock

__all__ = ["FileChange", "PublishResult", "RefMoved", "Remake", "Skipped", "Witness", "publish"]

_WRITER_SECONDS = 5.0
_ATTEMPTS = 10


def publish(
    repo: Repository,
    branch: str,
    *,
    expected: str | None,
    commit: str,
    changes: Sequence[FileChange],
    label: str,
    now: datetime,
    remake: Remake | None = None,
    witness: Witness | None = None,
) -> PublishResult:
    """Move `branch` from `expected` (None: it must not exist) to `commit`, and bring its worktrees along.

    `changes` are all files in which the two commits differ. Raises `RefMoved` when the branch is elsewhere,
    `Busy` when another program keeps a lock, `Conflict` when the name cannot be a branch beside the others,
    `OutsideFailure` when the disk refuses; nothing was changed then.

    With `remake`, commit and changes are made anew by it once the branch is locked, on the commit that it
    is given, and nobody can overtake: `index.lock` and the ref lock are held. Raises what `remake` raises.

    With `witness`, the branch moves only while that other branch stands at that commit: its lock is held too.
    For `remake` the commit does not count, since what it reads of the witness cannot change any more.
    """
    ref_name(branch)
    try:
        folder = journal.private_directory(repo.common_dir)
        # Saves gitmem's writers from colliding at git's locks; the compare-and-set needs no such help.
        with FileLock(folder / "publish.guard", timeout_seconds=_WRITER_SECONDS):
            if journal.folders(repo.common_dir):
                recover(repo)
            for _ in range(_ATTEMPTS):
                with contextlib.suppress(WorktreesChanged):
                    return Publication(
                        repo, branch, expected, commit, changes, label, now, remake, witness
                    ).run()
    except OSError as error:
        raise OutsideFailure(f"{branch} cannot be written: {error}") from error
    raise Busy(f"{branch}: worktrees keep switching to and from this branch")
