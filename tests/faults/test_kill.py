"""Killed between any two steps: what was acknowledged is there, the rest is there whole or not at all."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import gitmem
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.faults.forked import forked
from tests.faults.operations import OPERATIONS, assert_whole, prepared, state
from tests.faults.points import ELSEWHERE, POINTS
from tests.founded import NewStores

SOURCE = str(Path(__file__).parents[2])
CASES = [(name, point) for name, operation in OPERATIONS.items() for point in operation.points]


def locks(folder: Path) -> list[str]:
    """Lock files of git that are still there."""
    return [
        str(file)
        for file in (folder / ".git").rglob("*.lock")
        if "gitmem" not in file.relative_to(folder / ".git").parts
    ]


@pytest.mark.parametrize(("name", "point"), CASES, ids=[f"{name}-{point}" for name, point in CASES])
def test_a_killed_write_is_there_whole_or_not_at_all(
    new_stores: NewStores, person: None, tmp_path: Path, name: str, point: str
) -> None:
    """It is there if the branch had moved, a move between branches if it had arrived; the next write works."""
    operation, folder = OPERATIONS[name], tmp_path / "mem"
    before = state(prepared(new_stores, folder, name))
    outcome = forked(lambda: operation.do(Store.open(folder)), fault=point)
    assert outcome.was_killed, f"{name} does not pass {point}: {outcome}"
    store = assert_whole(folder)
    assert state(store) == (operation.expected(before) if operation.is_there(point) else before)
    written = store.remember("the next write works")
    assert git(folder, "rev-parse", "HEAD").strip() == written.version
    assert_sound(folder)


def test_every_point_is_passed_by_some_operation() -> None:
    """The list of points is that of the source, and no point is out of reach of the tests."""
    in_source = {
        node.args[0].value
        for file in Path(gitmem.__file__).parent.rglob("*.py")
        if b"point(" in file.read_bytes()
        for node in ast.walk(ast.parse(file.read_bytes()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "point"
        and isinstance(node.args[0], ast.Constant)
    }
    assert in_source == {*POINTS, *ELSEWHERE}
    assert len(POINTS) == len(set(POINTS))
    assert {point.partition(":")[0] for _, point in CASES} == set(POINTS)


def test_a_lock_that_is_not_ours_is_left_alone(store: Store, folder: Path) -> None:
    """Git's own lock stops nothing for good and is never taken away."""
    lock = folder / ".git" / "index.lock"
    lock.write_bytes(b"")
    written = store.remember("written while git is busy", id="busy")
    assert written.notices
    assert lock.exists()
    assert store.show("busy").memory.body == "written while git is busy\n"
    lock.unlink()
    Store.open(folder)
    assert_sound(folder)


def test_random_kills_lose_nothing_that_was_acknowledged(store: Store, folder: Path) -> None:
    """A writer prints each id after it was written; it is killed at a random moment, again and again."""
    program = (
        "import sys\nfrom gitmem.store import Store\nstore = Store.open(sys.argv[1])\n"
        "for n in range(1000):\n    print(store.remember(f'fact {n}').id, flush=True)\n"
    )
    acknowledged: list[str] = []
    for turn in range(5):
        process = subprocess.Popen(
            [sys.executable, "-c", program, str(folder)],
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": SOURCE},
            text=True,
        )
        assert process.stdout is not None
        for _ in range(3 + turn):
            acknowledged.append(process.stdout.readline().strip())
        process.kill()
        acknowledged += process.stdout.read().split()
        process.wait()
    after = Store.open(folder)
    names = {path for path, _ in after.place.snapshot_of("main").files()}
    assert all(any(path.endswith(f"-{memory_id}.md") for path in names) for memory_id in acknowledged)
    assert_sound(folder)
    assert locks(folder) == []
