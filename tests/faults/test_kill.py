"""Killed between any two steps: what was acknowledged is there, the rest is there whole or not at all."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from gitmem.flows.drafting import Request
from gitmem.store import Store
from tests.conftest import COMMAND, assert_sound, git

SOURCE = str(Path(__file__).parents[2])
PUBLISH = [
    "publish.before-entry",
    "publish.after-entry",
    "publish.prepared",
    "publish.index-locked",
    "publish.ref-locked",
    "publish.before-ref",
    "publish.after-ref",
    "publish.file",
    "publish.file-placed",
    "publish.files-written",
    "publish.before-stat",
    "publish.before-index",
    "publish.index-replaced",
    "publish.after-index",
    "publish.before-cleanup",
    "journal.removing",
]
SOME = [
    "publish.prepared",
    "publish.before-ref",
    "publish.after-ref",
    "publish.file-placed",
    "publish.before-index",
]
REMEMBER = ["remember", "the new fact", "--title", "new"]
UPDATE = ["update", "doc", "rev C"]
BATCH = ["remember", "--batch", "-"]
VERBS: list[tuple[Sequence[str], Sequence[str]]] = [
    (REMEMBER, PUBLISH),
    (UPDATE, PUBLISH),
    (BATCH, [*SOME, "publish.file-placed:2"]),
    (["tag", "doc", "--add", "x"], SOME[:2]),
    (["rename", "doc", "Another title"], SOME),
    (["revert", "doc", "--to", "v1"], SOME),
    (["undo"], SOME),
    (
        ["archive", "doc"],
        [*SOME, *(f"{point}:2" for point in SOME), "move.intent", "move.arrived", "move.left"],
    ),
    (["restore", "old"], [*SOME, *(f"{point}:2" for point in SOME), "move.arrived"]),
]
CASES = [(verb, fault) for verb, faults in VERBS for fault in faults]


def killed(folder: Path, arguments: Sequence[str], fault: str, input: bytes = b"") -> int:
    """Runs a command that is killed at a point; its exit status."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        env={**os.environ, "GITMEM_FAULT": fault, "PYTHONPATH": SOURCE},
        input=input,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode


def state(store: Store) -> dict[str, tuple[str, str, tuple[str, ...]]]:
    """Every memory on either branch: where it stands, its text and its tags."""
    found = {}
    for branch in ("main", "archive"):
        snapshot = store.place.snapshot_of(branch)
        for path, blob in snapshot.files():
            memory = snapshot.read(path, blob)
            key = "new" if memory.title.startswith("new") else memory.id
            assert key not in found or key == "new", f"{key} stands twice"
            found[key if key != "new" else memory.title] = (branch, memory.body, memory.tags)
    return found


def locks(folder: Path) -> list[str]:
    """Lock files of git that are still there."""
    return [
        str(file)
        for file in (folder / ".git").rglob("*.lock")
        if "gitmem" not in file.relative_to(folder / ".git").parts
    ]


@pytest.fixture
def prepared(store: Store) -> Store:
    """A memory with two versions, one that stays, and an archived one."""
    store.remember("kept", id="kept")
    store.remember("retired", id="old")
    store.archive(["old"])
    store.remember("rev A", id="doc")
    store.update("doc", "rev B")
    store.recall("kept")
    return store


@pytest.mark.parametrize(("verb", "fault"), CASES, ids=[f"{verb[0]}-{fault}" for verb, fault in CASES])
def test_a_killed_write_is_there_whole_or_not_at_all(
    prepared: Store, folder: Path, verb: Sequence[str], fault: str
) -> None:
    before = state(prepared)
    lines = b'{"text": "new one"}\n{"text": "new two"}\n{"text": "new three"}\n'
    code = killed(folder, verb, fault, lines)
    said: list[str] = []
    store = Store.open(folder, notice=said.append)
    after = state(store)
    untouched = {key: value for key, value in before.items() if key not in ("doc", "old")}
    assert {key: after[key] for key in untouched} == untouched
    assert {"doc", "old"} <= set(after), "a memory is gone"
    fresh = set(after) - set(before)
    assert len(fresh) in ({0, 3} if verb is BATCH else {0, 1} if verb is REMEMBER else {0})
    if code == 0:
        assert after != before
    assert_sound(folder)
    assert locks(folder) == []
    for word in ("kept", "rev", "new"):
        hits = {each.hit.record.id for each in store.recall(word, limit=50, archived=True).hits}
        having = {key for key, (_, body, _) in after.items() if word in body and key not in fresh}
        assert hits >= having
    written = store.remember("the next write works")
    assert git(folder, "rev-parse", "HEAD").strip() == written.version


INDEX_POINTS = ["index.removed", "index.added", "index.stamped", "index.committed"]
BUILD_POINTS = [
    "index.build-added",
    "index.build-stamped",
    "index.built",
    "index.before-swap",
    "index.swapped",
]


@pytest.mark.parametrize(
    ("verb", "fault"),
    [(["recall", "kestrel"], point) for point in INDEX_POINTS]
    + [(["reindex"], point) for point in BUILD_POINTS],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_an_index_that_was_killed_answers_right_at_once(
    store: Store, folder: Path, verb: Sequence[str], fault: str
) -> None:
    store.remember_all([Request(f"kestrel {n}", title=f"n {n}", id=f"k{n}") for n in range(5)])
    store.recall("kestrel")
    store.update("k0", "otter")
    store.remember("kestrel nest", id="k5")
    killed(folder, verb, fault)
    after = Store.open(folder)
    assert {each.hit.record.id for each in after.recall("kestrel").hits} == {f"k{n}" for n in range(1, 6)}
    git(folder, "reset", "-q", "--hard", "HEAD~1")
    assert {each.hit.record.id for each in after.recall("kestrel").hits} == {f"k{n}" for n in range(1, 5)}
    assert_sound(folder)


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
