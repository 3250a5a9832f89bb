"""What a move between two branches is about to do, on disk from before its first commit to after its last."""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gitmem.flows.work import Work
from gitmem.git.marks import is_mark_of_dead, process_mark
from gitmem.platform import fsync_directory, host_id, is_process_alive, process_start_time


@dataclass(frozen=True, slots=True)
class Intent:
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
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
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
    def read(cls, file: Path) -> Intent | None:
        """The intent in `file`, or None where there is none that can be read."""
        try:
            values = json.loads(file.read_text(encoding="utf-8"))
            known = {name: values[name] for name in _KEYS}
            known |= {name: values[name] for name in _LATER_KEYS if name in values}
            known["trailers"] = tuple((name, value) for name, value in known.get("trailers", ()))
            return cls(file, **known)
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    @property
    def is_abandoned(self) -> bool:
        """Whether its process gave up or is proved dead, which only the machine of that process can tell."""
        if self.pid is None:
            return True
        return self.host in (None, host_id()) and not is_process_alive(self.pid, self.started)

    def give_up(self) -> None:
        """Says that this process does no more about it, so that whoever comes next may finish it."""
        with contextlib.suppress(OSError):
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
    try:
        files = sorted(_folder(work).glob("*.json"))
    except OSError:
        return []
    return [intent for file in files if (intent := Intent.read(file))]


def half_written(work: Work) -> list[Path]:
    """The files of intents that a dead process did not finish: it had changed nothing yet."""
    try:
        files = sorted(_folder(work).glob("*.new"))
    except OSError:
        return []
    return [file for file in files if is_mark_of_dead(file.stem.partition(".")[2])]
