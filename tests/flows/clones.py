"""Situations of several clones of one store."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.store import Store
from tests.conftest import NOW, git


def cloned(folder: Path, target: Path, *, driver: bool = True) -> Store:
    """A clone of the store in `folder`, with hooks and merge driver unless told otherwise."""
    git(folder.parent, "clone", "-q", str(folder), str(target))
    if driver:
        Store.found(target)
    return Store.open(target, clock=FixedClock(NOW))


def top(store: Store) -> Path:
    """The folder of the files of a store, or its git directory where it is bare."""
    repository = store.place.repository
    return repository.worktree or repository.git_dir


def fetched(store: Store, other: Store, name: str = "other") -> str:
    """Fetches all branches of `other` as those of a remote; the name of its main there."""
    if name not in git(top(store), "remote").split():
        git(top(store), "remote", "add", name, str(top(other)))
    git(top(store), "fetch", "-q", name)
    return f"{name}/main"


def use_this_gitmem_in_hooks(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets hooks that are put in from now on call the gitmem of these tests, by a shim in `folder`."""
    shim, source = folder / "gitmem", Path(__file__).parents[2]
    shim.write_text(f'#!/bin/sh\nPYTHONPATH="{source}" exec "{sys.executable}" -m gitmem.cli.main "$@"\n')
    shim.chmod(0o755)
    monkeypatch.setattr("gitmem.flows.running.hooks.command_path", lambda: str(shim))


def tree(store: Store) -> str:
    """The tree of main."""
    return git(top(store), "rev-parse", "main^{tree}").strip()


Edit = Callable[[Store], object]
