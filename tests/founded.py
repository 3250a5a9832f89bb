"""New stores for tests: the first of a kind is founded, the others are copies of it, which cost a quarter."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pygit2

from gitmem.clock import Clock
from gitmem.index.place import _seal_of
from gitmem.store import Store

_OF_NO_ACCOUNT = frozenset({"HOME", "USERPROFILE", "PYTEST_CURRENT_TEST"})
"""What differs from test to test, and not in a store."""


class NewStores:
    """Those of one process, each of which `Store.init` could have made; their first ones are kept in a folder."""

    def __init__(self, shelf: Path) -> None:
        self._shelf = shelf
        self._first: dict[object, Path] = {}

    def at(
        self, folder: Path, clock: Clock, *, name: str = "", prepare: Callable[[Store], object] = id
    ) -> Store:
        """One in a folder that is not there yet, as this environment and this git config make it.

        `prepare` is done to the first of each `name`, so the others have all that it wrote.
        """
        kind = name, _kind(clock)
        if kind not in self._first:
            first = self._shelf / str(len(self._first))
            prepare(Store.init(first, clock=clock))
            self._first[kind] = first
        copy_store(self._first[kind], folder)
        return Store.open(folder, clock=clock)


def _kind(clock: Clock) -> object:
    """All that a new store follows from. The clock is one that stands still."""
    config = Path.home() / ".gitconfig"
    text = config.read_bytes() if config.exists() else None
    settings = {name: value for name, value in os.environ.items() if name not in _OF_NO_ACCOUNT}
    mask = os.umask(0)
    os.umask(mask)
    return clock.now(), text, tuple(sorted(settings.items())), mask


def copy_store(source: Path, folder: Path) -> None:
    """Copies a store so that it is as if it had been made there.

    Git's index knows its files by their times and numbers, and gitmem's own trusts no copy.
    """
    shutil.copytree(source, folder, symlinks=True)
    index = pygit2.Repository(str(folder)).index
    for path in [entry.path for entry in index]:
        index.add(path)
    index.write()
    own = folder / ".git" / "gitmem" / "index"
    if own.exists():
        (own / "seal.json").write_text(json.dumps(_seal_of(os.lstat(own / "anchor"))))
