"""What a process was about to do to refs, index and files, written down before it begins.

`<common git directory>/gitmem/journal/<operation>/` holds `entry.json`, the prepared files, and `pending`
once the writer itself is through but git held `index.lock`, so that the index waits to be brought along.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import BadInput
from gitmem.git.beneath import read_regular
from gitmem.git.faults import point
from gitmem.git.names import why_refused
from gitmem.git.refs import ref_name
from gitmem.platform import (
    fsync_directory,
    host_id,
    is_process_alive,
    make_private_directory,
    process_start_time,
)

_MAX_ENTRY_BYTES = 256 * 1024 * 1024
_OID = re.compile("[0-9a-f]{40}")
_FORGOTTEN_SECONDS = 60
_FORGOTTEN_SECONDS_DEAD = 2


class FileChange(Struct, frozen=True):
    """What a commit did to one path: the blobs before and after, None where there is no file."""

    path: str
    old: str | None
    new: str | None


class JournalEntry(Struct, frozen=True):
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
    witness: str | None = None
    """Another branch, which must not move meanwhile."""

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
    witness: str | None = None,
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
        witness=witness,
        locks=_locks(common_dir, [str(git_dir) for _, git_dir in worktrees], branch, witness),
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
        "witness": entry.witness,
    }
    beside = entry.folder / "entry.new"
    with beside.open("w", encoding="ascii") as file:
        json.dump(facts, file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(entry.folder / "entry.json")
    fsync_directory(entry.folder)


def read(folder: Path) -> JournalEntry | None:
    """The operation of a journal folder, or None where it was never fully written or just went away.

    The folder may have come with the repository, from an archive or a shared disk. So nothing in it is
    believed that could lead elsewhere: names are those of this repository, no folder of ours holds a link.
    """
    try:
        if not _holds_plain_files(folder):
            return None
        facts = json.loads(read_regular(folder / "entry.json", max_bytes=_MAX_ENTRY_BYTES) or b"")
        return _entry(folder, facts)
    except (OSError, ValueError, KeyError, TypeError, RecursionError, BadInput):
        return None


def _holds_plain_files(folder: Path) -> bool:
    return not any(each.is_symlink() for each in (folder, *folder.rglob("*")))


def _entry(folder: Path, facts: dict[str, Any]) -> JournalEntry:
    """The entry that `facts` describe. Raises `ValueError` and its like where they cannot be ours."""
    common_dir = folder.parents[2]
    branch = _text(facts["branch"])
    witness = None if facts.get("witness") is None else _text(facts["witness"])
    start_time, old = facts["start_time"], facts["old"]
    worktrees = [(_text(path), str(_own_git_dir(common_dir, _text(git)))) for path, git in facts["worktrees"]]
    if type(facts["pid"]) is not int:
        raise TypeError("pid")
    return JournalEntry(
        folder=folder,
        pid=facts["pid"],
        start_time=None if start_time is None else _text(start_time),
        host=_text(facts["host"]),
        branch=branch,
        old=None if old is None else _oid(old),
        commit=_oid(facts["commit"]),
        label=_text(facts["label"]),
        changes=tuple(_change(*change) for change in facts["changes"]),
        worktrees=tuple(worktrees),
        witness=witness,
        locks=_locks(common_dir, [git_dir for _, git_dir in worktrees], branch, witness),
    )


def _text(value: object) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise TypeError("not text")
    return value


def _oid(value: object) -> str:
    if not _OID.fullmatch(_text(value)):
        raise ValueError("no object id")
    return str(value)


def _change(path: object, old: object, new: object) -> FileChange:
    if any(map(why_refused, _text(path).encode("utf-8", "surrogateescape").split(b"/"))):
        raise ValueError("no path in a repository")
    return FileChange(str(path), None if old is None else _oid(old), None if new is None else _oid(new))


def _own_git_dir(common_dir: Path, written: str) -> Path:
    """The git directory of this repository that was written down, also where it has been moved since."""
    parent, name = Path(written).parent.name, Path(written).name
    if parent == "worktrees" and (common_dir / "worktrees" / name).is_dir():
        return common_dir / "worktrees" / name
    return common_dir


def _locks(
    common_dir: Path, git_dirs: Sequence[str], branch: str, witness: str | None
) -> tuple[tuple[str, str], ...]:
    """The locks of an operation: the file in the journal, and its other name."""
    indexes = [
        (f"index-{number}", str(Path(git_dir) / "index.lock")) for number, git_dir in enumerate(git_dirs)
    ]
    refs = [("ref", branch), *([("witness", witness)] if witness is not None else [])]
    return (*indexes, *((prepared, str(lock_of_branch(common_dir, name))) for prepared, name in refs))


def lock_of_branch(common_dir: Path, branch: str) -> Path:
    """The file by which git locks a branch."""
    ref = common_dir / ref_name(branch)
    return ref.with_name(ref.name + ".lock")


def folders(common_dir: Path) -> list[Path]:
    """The folders of all operations, the oldest first; one look into one folder."""
    try:
        journal = common_dir / "gitmem" / "journal"
        if journal.is_symlink() or journal.parent.is_symlink():
            return []
        return sorted(folder for folder in journal.iterdir() if folder.is_dir() and not folder.is_symlink())
    except OSError:
        return []


def entries(common_dir: Path) -> list[JournalEntry]:
    """The operations that are written down, the oldest first."""
    return [entry for folder in folders(common_dir) if (entry := read(folder)) is not None]


def pending_entries(common_dir: Path) -> list[JournalEntry]:
    """Those that wait to be brought along; the others, like the one that is being written, are not read."""
    waiting = [folder for folder in folders(common_dir) if (folder / "pending").exists()]
    return [entry for folder in waiting if (entry := read(folder)) is not None]


def remove_if_forgotten(folder: Path) -> None:
    """Remove a folder whose `entry.json` was not yet, or no longer, there when its process died."""
    with contextlib.suppress(OSError):
        age_seconds = time.time() - folder.stat().st_mtime
        pid = folder.name.partition("-")[2].partition("-")[0]
        is_dead = pid.isdecimal() and not is_process_alive(int(pid), None)
        if age_seconds > (_FORGOTTEN_SECONDS_DEAD if is_dead else _FORGOTTEN_SECONDS):
            # Without an entry no lock was taken, so nothing else is left of it.
            shutil.rmtree(folder, ignore_errors=True)
