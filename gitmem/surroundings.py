"""What surrounds a call: the environment, the current folder and the streams; those of the process by itself.

One process that answers for others gives each call the surroundings of the process that asked. They hold in
the thread that entered them, so that calls at the same time have their own.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TextIO

from msgspec import Struct


class Surroundings(Struct, frozen=True):
    """What a call sees around it. `columns` is the width of the terminal at `output`, None where it is none.

    `operation_id` is the name that the caller gave to what is to be done; with `is_repeated` it may have been
    done already.
    """

    environ: Mapping[str, str]
    folder: Path
    input: TextIO
    output: TextIO
    errors: TextIO
    columns: int | None = None
    operation_id: str | None = None
    is_repeated: bool = False


_OF_WHOM = ("GIT", "EMAIL", "GPG", "SSH", "GNUPG")
_given: ContextVar[Surroundings | None] = ContextVar("surroundings", default=None)


@contextmanager
def surrounded(by: Surroundings) -> Iterator[None]:
    """Lets calls of this thread see `by` instead of what the process has."""
    token = _given.set(by)
    try:
        yield
    finally:
        _given.reset(token)


@contextmanager
def repeating(operation_id: str) -> Iterator[None]:
    """Says that the one operation of this call may have been done under this name already."""
    columns = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    own = Surroundings(
        os.environ, Path(), sys.stdin, sys.stdout, sys.stderr, columns, operation_id, is_repeated=True
    )
    with surrounded(own):
        yield


def operation() -> tuple[str | None, bool]:
    """The name of what is to be done, where the caller gave one, and whether it may be done already."""
    given = _given.get()
    return (None, False) if given is None else (given.operation_id, given.is_repeated)


def of_whom() -> tuple[tuple[str, str], ...]:
    """What tells callers apart who may not act for each other: the variables that git and gitmem read."""
    return tuple(sorted(pair for pair in environ().items() if pair[0].startswith(_OF_WHOM)))


def environ() -> Mapping[str, str]:
    """The environment variables that count."""
    given = _given.get()
    return os.environ if given is None else given.environ


def in_folder(path: Path) -> Path:
    """`path` as the process can open it: one that is relative begins in the current folder that counts."""
    given = _given.get()
    return path if given is None else given.folder / path


def current_folder() -> Path | None:
    """The folder in which the caller stands; None where it is gone."""
    given = _given.get()
    if given is not None:
        return given.folder
    try:
        return Path.cwd()
    except OSError:
        return None


def terminal_columns() -> int | None:
    """The width of the terminal of another caller; None where it has none, and for the process itself."""
    given = _given.get()
    return None if given is None else given.columns


def is_own() -> bool:
    """Whether a call sees what the process has."""
    return _given.get() is None


class Routed:
    """Stands for one of the streams in `sys`, and passes everything on to that of the call."""

    def __init__(self, name: str, own: TextIO) -> None:
        self._name = name
        self._own = own

    def __getattr__(self, attribute: str) -> Any:
        given = _given.get()
        return getattr(self._own if given is None else getattr(given, self._name), attribute)


def route_streams() -> None:
    """Lets `sys.stdin`, `sys.stdout` and `sys.stderr` be those of each call, from now on; may be repeated."""
    for name, routed in (("stdin", "input"), ("stdout", "output"), ("stderr", "errors")):
        own = getattr(sys, name)
        if not isinstance(own, Routed):
            setattr(sys, name, Routed(routed, own))
