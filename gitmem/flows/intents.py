"""What a move is about to do, written down before its first commit and removed after its last."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gitmem.flows.apply import new_operation_id
from gitmem.flows.work import Work
from gitmem.git.beneath import read_regular
from gitmem.model.visible import one_line
from gitmem.platform import fsync_directory, is_process_alive, make_private_directory, process_start_time
from gitmem.versions.config import StoreConfig

_MAX_INTENT_BYTES = 64 * 1024 * 1024
_INTENT_KEYS = ("operation", "operation_id", "source", "destination", "paths", "pid", "started")


@dataclass(frozen=True, slots=True)
class Intent:
    """What a move is about to do, on disk from before its first commit until after its last."""

    file: Path
    operation: str
    operation_id: str
    source: str
    destination: str
    paths: Sequence[str]
    pid: int
    started: str | None

    @classmethod
    def write(cls, source: Work, destination: Work, operation: str, paths: Sequence[str]) -> Intent:
        operation_id = new_operation_id(source.clock)
        folder = intents_folder(source)
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
        )
        beside = intent.file.with_suffix(".new")
        with open(beside, "w", encoding="utf-8") as file:
            values = {name: getattr(intent, name) for name in _INTENT_KEYS}
            file.write(json.dumps(values, ensure_ascii=True))
            file.flush()
            os.fsync(file.fileno())
        beside.replace(intent.file)
        fsync_directory(folder)
        return intent

    @classmethod
    def read(cls, file: Path, config: StoreConfig) -> Intent | None:
        """The intent in `file`; None where it was never fully written, or is none that gitmem writes.

        The file may have come with the repository: it moves memories between branches of the store, no more.
        """
        try:
            values = json.loads(read_regular(file, max_bytes=_MAX_INTENT_BYTES) or b"")
            intent = cls(file, **{name: values[name] for name in _INTENT_KEYS})
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None
        return intent if intent.is_sound(config) else None

    def is_sound(self, config: StoreConfig) -> bool:
        """Whether this is a move of memories between branches that the config knows."""
        names = (self.operation, self.operation_id, self.source, self.destination)
        if not all(isinstance(name, str) and name and one_line(name) == name for name in names):
            return False
        branches, roles = {self.source, self.destination}, set(config.branches.values())
        return (
            len(branches) == 2
            and bool(branches & roles)
            and isinstance(self.paths, list)
            and all(isinstance(path, str) and config.is_memory_path(path) for path in self.paths)
            and type(self.pid) is int
            and isinstance(self.started, str | None)
        )

    @property
    def is_abandoned(self) -> bool:
        return not is_process_alive(self.pid, self.started)

    def remove(self) -> None:
        self.file.unlink(missing_ok=True)


def intents_folder(work: Work) -> Path:
    """Where the intents of moves are written down."""
    return work.place.home / "moves"
