"""What a move between two branches is about to do, on disk from before its first commit to after its last."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from gitmem.flows.work import Work
from gitmem.git.beneath import read_regular
from gitmem.git.marks import is_mark_of_dead, process_mark
from gitmem.model.visible import one_line
from gitmem.platform import (
    fsync_directory,
    host_id,
    is_process_alive,
    make_private_directory,
    process_start_time,
)
from gitmem.versions.config import StoreConfig

_MAX_INTENT_BYTES = 64 * 1024 * 1024


class Intent(Struct, frozen=True):
    """One operation that brings `paths` to `destination` first, and takes them off `source` then."""

    file: Path
    operation: str
    operation_id: str
    source: str
    destination: str
    paths: Sequence[str]
    pid: int | None
    """The process that is at it; None once it has given up."""
    started: str | None
    host: str | None = None
    destination_tip: str | None = None
    """The commit of the destination before anything arrived."""
    trailers: Sequence[tuple[str, str]] = ()

    @classmethod
    def write(
        cls,
        source: Work,
        destination: Work,
        *,
        operation: str,
        operation_id: str,
        paths: Sequence[str],
        destination_tip: str | None,
        trailers: Sequence[tuple[str, str]],
    ) -> Intent:
        """The intent of this process; it is on disk when this returns."""
        folder = _folder(source)
        make_private_directory(source.place.home)
        make_private_directory(folder)
        pid = os.getpid()
        intent = cls(
            folder / f"{operation_id}.json",
            operation,
            operation_id,
            source.branch,
            destination.branch,
            list(paths),
            pid,
            process_start_time(pid),
            host_id(),
            destination_tip,
            tuple(trailers),
        )
        intent._save()
        fsync_directory(folder)
        return intent

    def _save(self) -> None:
        beside = self.file.with_name(f"{self.file.stem}.{process_mark()}.new")
        with open(beside, "w", encoding="utf-8") as file:
            values = {name: getattr(self, name) for name in (*_KEYS, *_LATER_KEYS)}
            file.write(json.dumps(values, ensure_ascii=True))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.file)

    @classmethod
    def read(cls, file: Path, config: StoreConfig) -> Intent | None:
        """The intent in `file`; None where it was never fully written, or is none that gitmem writes.

        The file may have come with the repository: it moves memories between branches of the store, no more.
        """
        try:
            values = json.loads(read_regular(file, max_bytes=_MAX_INTENT_BYTES) or b"")
            known = {name: values[name] for name in _KEYS}
            known |= {name: values[name] for name in _LATER_KEYS if name in values}
            known["trailers"] = tuple((name, value) for name, value in known.get("trailers", ()))
            intent = cls(file, **known)
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return None
        return intent if intent.is_sound(config) else None

    def is_sound(self, config: StoreConfig) -> bool:
        """Whether this is a move of memories between branches that the config knows."""
        trailers = [text for pair in self.trailers for text in pair]
        names = (self.operation, self.operation_id, self.source, self.destination, *trailers)
        if not all(isinstance(name, str) and name and one_line(name) == name for name in names):
            return False
        branches, roles = {self.source, self.destination}, set(config.branches.values())
        tip = self.destination_tip
        return (
            len(branches) == 2
            and bool(branches & roles)
            and isinstance(self.paths, list)
            and all(isinstance(path, str) and config.is_memory_path(path) for path in self.paths)
            and (self.pid is None or type(self.pid) is int)
            and all(isinstance(text, str | None) for text in (self.started, self.host, tip))
        )

    @property
    def is_abandoned(self) -> bool:
        """Whether its process gave up or is proved dead, which only the machine of that process can tell."""
        if self.pid is None:
            return True
        return self.host in (None, host_id()) and not is_process_alive(self.pid, self.started)

    def give_up(self) -> None:
        """Says that this process does no more about it, so that whoever comes next may finish it.

        One that was removed is over, and does not come back.
        """
        with contextlib.suppress(OSError):
            if self.file.exists():
                replace(self, pid=None)._save()

    def remove(self) -> None:
        """Forgets it; may be repeated."""
        self.file.unlink(missing_ok=True)


_KEYS = ("operation", "operation_id", "source", "destination", "paths", "pid", "started")
_LATER_KEYS = ("host", "destination_tip", "trailers")
"""Not in the intents of older versions."""


def _folder(work: Work) -> Path:
    return work.place.home / "moves"


def intents(work: Work) -> list[Intent]:
    """The moves that are under way or were broken off, the oldest first."""
    folder = _folder(work)
    try:
        if folder.is_symlink() or folder.parent.is_symlink():
            return []
        files = sorted(folder.glob("*.json"))
    except OSError:
        return []
    return [intent for file in files if (intent := Intent.read(file, work.place.config))]


def half_written(work: Work) -> list[Path]:
    """The files of intents that a dead process did not finish: it had changed nothing yet."""
    folder = _folder(work)
    try:
        if folder.is_symlink() or folder.parent.is_symlink():
            return []
        files = sorted(folder.glob("*.new"))
    except OSError:
        return []
    return [file for file in files if is_mark_of_dead(file.stem.partition(".")[2])]
