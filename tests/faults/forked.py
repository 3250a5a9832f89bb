"""Work in a forked process that may be killed at a named point, meet a failing disk, or be another user."""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import os
import pkgutil
import signal
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import typer

import gitmem
from gitmem.errors import GitmemError
from gitmem.git import faults

NOBODY = 65534


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the work ended: `was_killed`, or with an error of a class and its message, or well (both None)."""

    was_killed: bool
    error: str | None = None
    message: str | None = None
    is_expected: bool = True
    """Whether the error is one that gitmem raises on purpose."""

    @property
    def is_done(self) -> bool:
        return not self.was_killed and self.error is None


@functools.cache
def import_everything() -> None:
    """Imports what a process would import later, when it is a user who may not look where it lies."""
    for package in (gitmem, typer):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith(("__main__", "_winconsole")):
                importlib.import_module(module.name)


def forked(work: Callable[[], object], *, fault: str = "", user: int | None = None) -> Outcome:
    """What became of `work` in a process of its own. Cheaper by far than a new interpreter."""
    if user is not None:
        import_everything()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _work_and_exit(work, fault, user, writing)
    os.close(writing)
    with open(reading, "rb") as pipe:
        said = pipe.read()
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        assert os.WTERMSIG(status) == signal.SIGKILL, status
        return Outcome(True)
    return Outcome(False, **json.loads(said))


def _work_and_exit(work: Callable[[], object], fault: str, user: int | None, writing: int) -> None:
    facts: dict[str, object] = {}
    try:
        if user is not None:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
        faults.arm(fault)
        work()
    except BaseException as error:  # noqa: BLE001  everything is told to the parent
        message = error.message if isinstance(error, GitmemError) else str(error)
        facts = {
            "error": type(error).__name__,
            "message": message,
            "is_expected": isinstance(error, GitmemError),
        }
    finally:
        os.write(writing, json.dumps(facts).encode())
        sys.stdout.flush()
        os._exit(0)


def open_the_way(*places: Path) -> None:
    """Lets every user come as far as these folders and look into them."""
    for place in places:
        for folder in (place, *place.parents):
            if len(folder.parts) > 2:
                folder.chmod(0o755)


@contextlib.contextmanager
def owned_by(folder: Path, user: int) -> Iterator[None]:
    """Lets everything in `folder` belong to `user` for a while."""
    for place in (folder, *folder.rglob("*")):
        os.chown(place, user, user, follow_symlinks=False)
    try:
        yield
    finally:
        for place in (folder, *folder.rglob("*")):
            os.chown(place, os.getuid(), os.getgid(), follow_symlinks=False)
