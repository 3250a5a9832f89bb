"""What a process was about to do to refs, index and files, written down before it begins.

`<common git directory>/gitmem/journal/<operation>/` holds `entry.json`, the prepared files, and `pending`
once the writer itself is through but git held `index.lock`, so that the index waits to be brought along.
"""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gitmem.git.faults import point
from gitmem.platform import (
    fsync_directory,
    host_id,
    is_process_alive,
    make_private_directory,
    process_start_time,
)

_FORGOTTEN_SECONDS = 60
_FORGOTTEN_SECONDS_DEAD = 2


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a commit did to one path: the blobs before and after, None where there is no file."""

    path: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class JournalEntry:
    """One operation: who does it, from which commit to which, on which files and worktrees."""

    folder: Path
    pid: int
    start_time: str | None
    host: str
    branch: str
    old: str | None
    commit: str
    label: str
    changes: tuple[FileChange, ...]
    worktrees: tuple[tuple[str, str], ...]
    locks: tuple[tuple[str, str], ...]

    @property
    def operation(self) -> str:
        """The name of the operation; names sort by time."""
        return self.folder.name

    @property
    def is_pending(self) -> bool:
        """Whether the commit is published and the index waits to be brought along."""
        return (self.folder / "pending").exists()

    @property
    def is_here(self) -> bool:
        """Whether it was begun where process numbers can be compared with ours."""
        return self.host == host_id()

    @property
    def is_dead(self) -> bool:
        """Whether the process that began it is proved to have ended."""
        return self.is_here and not is_process_alive(self.pid, self.start_time)

    def mark_pending(self) -> None:
        """Say that the writer is through, and whoever comes next may finish."""
        with contextlib.suppress(OSError):
            (self.folder / "pending").touch()

    def remove(self) -> None:
        """Forget the operation, which is finished or was taken back. `entry.json` goes first."""
        with contextlib.suppress(OSError):
            (self.folder / "entry.json").unlink()
        point("journal.removing")
        shutil.rmtree(self.folder, ignore_errors=True)


def private_directory(common_dir: Path) -> Path:
    """The folder of gitmem in the git directory, which only its owner may look into."""
    folder = common_dir / "gitmem"
    make_private_directory(folder)
    return folder


def begin(
    common_dir: Path,
    *,
    branch: str,
    old: str | None,
    commit: str,
    label: str,
    changes: Sequence[FileChange],
    worktrees: Sequence[tuple[Path, Path]],
    ref_locks: Sequence[tuple[str, Path]],
) -> JournalEntry:
    """Write an operation down; it is on disk when this returns."""
    journal = private_directory(common_dir) / "journal"
    make_private_directory(journal)
    folder = journal / f"{time.time_ns():020d}-{os.getpid()}-{secrets.token_hex(4)}"
    folder.mkdir(mode=0o700)
    point("publish.before-entry")
    entry = JournalEntry(
        folder=folder,
        pid=os.getpid(),
        start_time=process_start_time(os.getpid()),
        host=host_id(),
        branch=branch,
        old=old,
        commit=commit,
        label=label,
        changes=tuple(changes),
        worktrees=tuple((str(path), str(git_dir)) for path, git_dir in worktrees),
        locks=(
            *((f"index-{n}", str(git_dir / "index.lock")) for n, (_, git_dir) in enumerate(worktrees)),
            *((prepared, str(name)) for prepared, name in ref_locks),
        ),
    )
    try:
        _write(entry)
        fsync_directory(journal)
    except OSError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    point("publish.after-entry")
    return entry


def rewrite(entry: JournalEntry, *, old: str, commit: str, changes: Sequence[FileChange]) -> JournalEntry:
    """The same operation with another commit, before it is published; it is on disk when this returns."""
    changed = replace(entry, old=old, commit=commit, changes=tuple(changes))
    _write(changed)
    return changed


def _write(entry: JournalEntry) -> None:
    facts = {
        "pid": entry.pid,
        "start_time": entry.start_time,
        "host": entry.host,
        "branch": entry.branch,
        "old": entry.old,
        "commit": entry.commit,
        "label": entry.label,
        "changes": [[change.path, change.old, change.new] for change in entry.changes],
        "worktrees": entry.worktrees,
        "locks": entry.locks,
    }
    beside = entry.folder / "entry.new"
    with beside.open("w", encoding="ascii") as file:
        json.dump(facts, file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(entry.folder / "entry.json")
    fsync_directory(entry.folder)


def read(folder: Path) -> JournalEntry | None:
    """The operation of a journal folder, or None where it was never fully written or just went away."""
    try:
        facts = json.loads((folder / "entry.json").read_text(encoding="ascii"))
        return JournalEntry(
            folder=folder,
            pid=int(facts["pid"]),
            start_time=facts["start_time"],
            host=facts["host"],
            branch=facts["branch"],
            old=facts["old"],
            commit=facts["commit"],
            label=facts["label"],
            changes=tuple(FileChange(*change) for change in facts["changes"]),
            worktrees=tuple((path, git_dir) for path, git_dir in facts["worktrees"]),
            locks=tuple((prepared, name) for prepared, name in facts["locks"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def folders(common_dir: Path) -> list[Path]:
    """The folders of all operations, the oldest first; one look into one folder."""
    try:
        return sorted(folder for folder in (common_dir / "gitmem" / "journal").iterdir() if folder.is_dir())
    except OSError:
        return []


def entries(common_dir: Path) -> list[JournalEntry]:
    """The operations that are written down, the oldest first."""
    return [entry for folder in folders(common_dir) if (entry := read(folder)) is not None]


def remove_if_forgotten(folder: Path) -> None:
    """Remove a folder whose `entry.json` was not yet, or no longer, there when its process died."""
    with contextlib.suppress(OSError):
        age_seconds = time.time() - folder.stat().st_mtime
        pid = folder.name.split("-")[1]
        is_dead = pid.isdigit() and not is_process_alive(int(pid), None)
        if age_seconds > (_FORGOTTEN_SECONDS_DEAD if is_dead else _FORGOTTEN_SECONDS):
            # Without an entry no lock was taken, so nothing else is left of it.
            shutil.rmtree(folder, ignore_errors=True)
