"""Situations that tests start from. A guard keeps the developer's home and git config out of reach."""

from __future__ import annotations

import gc
import itertools
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from gitmem.clock import FixedClock
from gitmem.flows.rights.acting import HARNESSES
from gitmem.store import Store
from tests.browser import Browser, BrowserFailed
from tests.commands import run_command
from tests.founded import NewStores

settings.register_profile("steady", derandomize=True)
settings.register_profile("wander")
# A check of a commit tries the same examples each time; `HYPOTHESIS_PROFILE=wander` looks for new ones.
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

NOW = datetime(2026, 11, 29, 15, 30, 12, tzinfo=UTC)

# Commands start as Python does by itself: one that has switches of the developer cannot be forked.
for _name in [name for name in os.environ if name.startswith("PYTHON")]:
    if _name not in ("PYTHONPATH", "PYTHONHOME", "PYTHONHASHSEED"):
        del os.environ[_name]


def pytest_collection_finish() -> None:
    """What was collected stays to the end: no collection of garbage needs to look at it again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Empty homes without end. `mktemp` would look through those of all tests before for each."""
    folder = tmp_path_factory.mktemp("homes")
    return (folder / str(number) for number in itertools.count())


@pytest.fixture(autouse=True)
def sealed_environment(
    homes: Iterator[Path], tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> Path:
    """An empty home, no system config, no inherited git variables."""
    home = next(homes)
    home.mkdir()
    for name in list(os.environ):
        if name.startswith(("GIT_", "GITMEM_")):
            monkeypatch.delenv(name)
    for name in ("XDG_CONFIG_HOME", "EMAIL", "NO_COLOR", "FORCE_COLOR", *HARNESSES):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    # Commands that are run compile the package once for all tests, not each for itself.
    monkeypatch.setenv("PYTHONPYCACHEPREFIX", str(tmp_path_factory.getbasetemp().parent / "pycache"))
    # Hooks refresh in the background; a test that is about them takes this out.
    monkeypatch.setenv("GITMEM_HOOKS", "off")
    # Tests have no terminal; one that is about agents says so.
    monkeypatch.setenv("GITMEM_IDENTITY", "person:tester")
    # What one recall gave would stand a little higher in the next.
    monkeypatch.setenv("GITMEM_USAGE", "off")
    return home


@pytest.fixture
def person(sealed_environment: Path) -> None:
    """A person with a name and an address in their git config."""
    config = sealed_environment / ".gitconfig"
    config.write_text(
        "[user]\n\tname = Test Person\n\temail = person@example.com\n"
        "[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n",
        encoding="utf-8",
    )


def git(folder: Path, *arguments: str, check: bool = True, input: bytes | None = None) -> str:
    """What plain git prints, as a person would run it."""
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, input=input, check=False)
    if check and done.returncode:
        raise AssertionError(f"git {' '.join(arguments)}: {done.stderr.decode()}")
    return done.stdout.decode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class Ran:
    """What one run of the command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        def refuse(name: str) -> None:
            raise AssertionError(f"{name} is not JSON")

        return json.loads(self.out, parse_constant=refuse)


def gitmem(
    folder: Path,
    *arguments: str,
    input: bytes | None = None,
    env: dict[str, str] | None = None,
    timeout: float = 60,
) -> Ran:
    """One run of the command in a process of its own."""
    done = run_command(
        list(arguments), folder, {**os.environ, **(env or {})}, data=input or b"", timeout=timeout
    )
    return Ran(done.code, done.out.decode(), done.err.decode())


@pytest.fixture(scope="session")
def new_stores(tmp_path_factory: pytest.TempPathFactory) -> NewStores:
    """What new stores are copied from."""
    return NewStores(tmp_path_factory.mktemp("founded"))


@pytest.fixture
def store(person: None, tmp_path: Path, new_stores: NewStores) -> Iterator[Store]:
    """A new, empty store with a clock that stands still."""
    yield new_stores.at(tmp_path / "mem", FixedClock(NOW))


@pytest.fixture
def folder(store: Store) -> Path:
    """The worktree of `store`."""
    assert store.place.repository.worktree is not None
    return store.place.repository.worktree


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A running Chromium, one for all tests of this process. Tests that need it are skipped where none runs."""
    try:
        started = Browser.start()
    except BrowserFailed as error:
        pytest.skip(f"pages are not looked at: {error} ('apt-get install chromium', or set GITMEM_CHROMIUM)")
    with started:
        yield started


def assert_sound(folder: Path) -> None:
    """The repository is whole and its worktree and index agree with HEAD."""
    assert git(folder, "status", "--porcelain") == ""
    done = subprocess.run(["git", "fsck", "--strict"], cwd=folder, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"error" not in done.stderr, done.stderr
    assert git(folder, "write-tree").strip() == git(folder, "rev-parse", "HEAD^{tree}").strip()
