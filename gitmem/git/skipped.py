"""Files that a write left as they were, each with the reason."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from msgspec import Struct

from gitmem.errors import OutsideFailure
from gitmem.git.worktree_files import Untouchable


class Skipped(Struct, frozen=True):
    """A file that was left as it was in a worktree, and why; the commit holds the new state all the same.

    `may_come` where the system refused, so that it is worth another try; what a person put there stays.
    """

    worktree: Path
    path: str
    reason: str
    may_come: bool = False


class Skip(Protocol):
    """Takes note of a file that is left as it is."""

    def __call__(self, path: str, reason: str, *, may_come: bool = False) -> None: ...


class reporting:  # noqa: N801  (reads as a verb where it is used)
    """Turns what stands in the way of one file into a report, so that the others are still written."""

    def __init__(self, skip: Skip, path: str) -> None:
        self._skip = skip
        self._path = path

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        if isinstance(error, (Untouchable, OutsideFailure)):
            self._skip(self._path, str(error))
            return True
        if isinstance(error, OSError):
            self._skip(self._path, error.strerror or str(error), may_come=True)
            return True
        return False
