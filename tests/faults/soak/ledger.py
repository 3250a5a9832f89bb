"""What a process says it did, one JSON line each: on the disk before it goes on, readable after it was killed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Line = dict[str, Any]


class Ledger:
    """The file of one process. Who takes its place after a kill goes on in the same file."""

    def __init__(self, file: Path) -> None:
        self._descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        # A line that a kill cut off must not run into the next one.
        os.write(self._descriptor, b"\n")

    def note(self, kind: str, *, flush: bool = True, **facts: object) -> None:
        """Adds one line; it survives the process, and with `flush` a power cut."""
        os.write(self._descriptor, json.dumps({"kind": kind, **facts}).encode() + b"\n")
        if flush:
            os.fsync(self._descriptor)


def read_ledger(file: Path) -> Iterator[Line]:
    """The lines of a ledger; one that was cut off by a kill was never said."""
    for line in file.read_bytes().split(b"\n") if file.exists() else []:
        if line.strip():
            try:
                yield json.loads(line)
            except ValueError:
                continue


class Signals:
    """What the soak tells its processes, by the presence of files: to pause, and to stop."""

    def __init__(self, folder: Path, name: str = "") -> None:
        self._folder = folder
        self._name = name

    def stop(self) -> None:
        (self._folder / "stop").touch()

    def pause(self) -> None:
        (self._folder / "pause").touch()

    def resume(self) -> None:
        (self._folder / "pause").unlink()

    @property
    def is_stopped(self) -> bool:
        return (self._folder / "stop").exists() or not self._folder.exists()

    @property
    def is_paused(self) -> bool:
        return (self._folder / "pause").exists()

    @property
    def rests(self) -> bool:
        """Whether the process of this name says that it is between two operations and waits."""
        return (self._folder / f"{self._name}.rests").exists()

    def wait_while_paused(self) -> bool:
        """Rests as long as the soak asks for it; whether to go on."""
        import time

        if self.is_paused and not self.is_stopped:
            mine = self._folder / f"{self._name}.rests"
            mine.touch()
            while self.is_paused and not self.is_stopped:
                time.sleep(0.02)
            mine.unlink(missing_ok=True)
        return not self.is_stopped
