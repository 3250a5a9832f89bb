"""Every write meets a disk that fails: at each step, when it is full, and where it may not write.

What is reported as failed was not written, what is reported as written is there, and the next command goes on.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.faults.forked import NOBODY, Outcome, forked, open_the_way, owned_by
from tests.faults.operations import OPERATIONS, Operation, State, assert_whole, prepared, state
from tests.faults.points import MOVE
from tests.founded import NewStores

FULL_AT_KIB = (0, 4, 8, 12, 20, 28, 40, 60, 100)
needs_root = pytest.mark.skipif(
    os.name != "posix" or os.getuid() != 0, reason="needs the right to act as another user"
)


class Stand:
    """A store to which an operation is done again and again, and put back each time."""

    def __init__(self, new_stores: NewStores, folder: Path, name: str) -> None:
        self.folder = folder
        self.operation: Operation = OPERATIONS[name]
        self.before: State = state(prepared(new_stores, folder, name))
        self._tips = {branch: git(folder, "rev-parse", branch).strip() for branch in ("main", "archive")}

    def do(self, fault: str = "", user: int | None = None) -> Outcome:
        return forked(lambda: self.operation.do(Store.open(self.folder)), fault=fault, user=user)

    def put_back(self) -> None:
        git(self.folder, "update-ref", "refs/heads/archive", self._tips["archive"])
        git(self.folder, "reset", "-q", "--hard", self._tips["main"])

    def assert_honest(self, outcome: Outcome, what: object) -> None:
        """The store holds what the operation said, and is whole."""
        assert not outcome.was_killed, what
        assert outcome.is_done or outcome.is_expected, (what, outcome)
        assert "\n" not in (outcome.message or ""), (what, outcome)
        store = Store.open(self.folder)
        assert_sound(self.folder)
        done = self.operation.expected(self.before)
        wanted = [done] if outcome.is_done else [self.before]
        if "neither lets go" in (outcome.message or ""):
            # A move that could be neither finished nor taken back says so, and the next command finishes it.
            wanted = [done]
        assert state(store) in wanted, (what, outcome)


@pytest.mark.parametrize("error", ["ENOSPC", "EACCES"])
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_disk_that_fails_at_a_step_is_reported_honestly(
    new_stores: NewStores, person: None, tmp_path: Path, name: str, error: str
) -> None:
    folder = tmp_path / "mem"
    stand = Stand(new_stores, folder, name)
    for point in stand.operation.points:
        if point in MOVE:
            # Nothing that can fail stands there.
            continue
        passage = point if ":" in point else f"{point}:1"
        outcome = stand.do(f"{passage}:{error}")
        stand.assert_honest(outcome, (name, point, error))
        stand.put_back()
    assert_whole(folder)


@pytest.fixture
def small_disk(person: None, tmp_path: Path) -> Iterator[Path]:
    """A file system of 6 MB; needs the right to mount."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting a small file system is not allowed here")
    try:
        yield disk
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.parametrize("name", OPERATIONS)
def test_a_disk_that_gets_full_during_a_write_costs_nothing(
    new_stores: NewStores, small_disk: Path, name: str
) -> None:
    folder = small_disk / "mem"
    stand = Stand(new_stores, folder, name)
    filler = small_disk / "filler"
    failed = 0
    for left_kib in FULL_AT_KIB:
        status = os.statvfs(small_disk)
        left = status.f_bavail * status.f_frsize - left_kib * 1024
        filler.write_bytes(b"\0" * max(0, left))
        outcome = stand.do()
        filler.unlink()
        failed += not outcome.is_done
        stand.assert_honest(outcome, (name, left_kib))
        stand.put_back()
    assert failed or not stand.operation.after
    assert_whole(folder)


@needs_root
@pytest.mark.parametrize("name", OPERATIONS)
def test_a_store_of_another_user_is_not_changed_by_a_write(
    new_stores: NewStores, person: None, tmp_path: Path, name: str, sealed_environment: Path
) -> None:
    folder = tmp_path / "mem"
    with open(sealed_environment / ".gitconfig", "a") as config:
        config.write(f"[safe]\n\tdirectory = {folder}\n")
    stand = Stand(new_stores, folder, name)
    open_the_way(folder, sealed_environment)
    outcome = stand.do(user=NOBODY)
    assert outcome.is_done is (name == "merge into the index")
    stand.assert_honest(outcome, name)


@needs_root
@pytest.mark.parametrize("name", ["remember", "update", "archive", "restore", "merge into the index"])
def test_a_folder_of_the_store_that_may_not_be_written_is_reported_honestly(
    new_stores: NewStores, person: None, tmp_path: Path, name: str, sealed_environment: Path
) -> None:
    """Objects, refs, logs, the journal, the index, or the worktree belong to somebody else."""
    folder = tmp_path / "mem"
    stand = Stand(new_stores, folder, name)
    open_the_way(folder, sealed_environment)
    written = 0
    for closed in (
        ".git", ".git/objects", ".git/refs/heads", ".git/logs/refs/heads", ".git/gitmem",
        ".git/gitmem/journal", ".git/gitmem/index/main/1", ".", "semantic",
    ):  # fmt: skip
        with owned_by(folder, NOBODY):
            place = folder / closed
            modes = [(below, below.stat().st_mode) for below in (place, *place.rglob("*")) if below.is_dir()]
            for below, _ in modes:
                below.chmod(0o555)
            outcome = stand.do(user=NOBODY)
            for below, mode in modes:
                if below.exists():
                    below.chmod(mode)
        written += outcome.is_done
        stand.assert_honest(outcome, (name, closed))
        stand.put_back()
    assert_whole(folder)
    assert written
