"""Many hands on one store: every write is there or was refused, and nobody sees an error or a mixture."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gitmem.errors import StaleVersion
from gitmem.flows.writing.drafting import Request
from gitmem.store import Store
from tests.conftest import assert_sound, git

SOURCE = str(Path(__file__).parents[2])
PROCESSES = 8
WRITES = int(os.environ.get("GITMEM_TEST_WRITES", "100"))
"""Writes of each process."""

WRITER = """
import json, sys
from gitmem.errors import Conflict, NotFound
from gitmem.store import Store
folder, me, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
written, refused, appended, archived = [], [], 0, []
for n in range(count):
    store = Store.open(folder)
    if n % 5 == 4:
        try:
            store.append("shared", f"line {me}-{n}")
            appended += 1
        except Conflict as error:
            refused.append(error.message)
    elif n % 5 == 3:
        shown = store.show("contested")
        try:
            store.update("contested", f"by {me}-{n}", expect=shown.version)
            written.append("contested")
        except Conflict as error:
            assert error.kind == "stale_version", error.message
            assert error.facts()["current"]["text"] and error.facts()["expected"]["text"], error.facts()
            refused.append(error.message)
    elif n % 5 == 2 and written:
        target = next(i for i in reversed(written) if i != "contested")
        store.archive([target])
        written.remove(target)
        archived.append(target)
    else:
        written.append(store.remember(f"puffin fact {n} of {me}").id)
print(json.dumps({"written": [i for i in written if i != "contested"], "refused": refused,
                  "appended": appended, "archived": archived}))
"""

# The person and the reader are there all the time; without pauses most of the work would be theirs.
PERSON = """
import pathlib, subprocess, sys, time
folder = pathlib.Path(sys.argv[1])
done = 0
for n in range(100000):
    if (folder / ".git" / "stop").exists() or not folder.exists():
        break
    time.sleep(0.1)
    with open(folder / "person.txt", "a") as file:
        file.write(f"by hand {n}\\n")
    added = subprocess.run(["git", "add", "person.txt"], cwd=folder, capture_output=True).returncode == 0
    for _ in range(200):
        if not added:
            added = subprocess.run(["git", "add", "person.txt"], cwd=folder, capture_output=True).returncode == 0
        if added and subprocess.run(["git", "commit", "-qm", "person"], cwd=folder, capture_output=True).returncode == 0:
            done += 1
            break
        time.sleep(0.01)
print(done)
"""

READER = """
import pathlib, sys, time
from gitmem.store import Store
folder = pathlib.Path(sys.argv[1])
rounds = 0
while folder.exists() and not (folder / ".git" / "stop").exists():
    store = Store.open(folder)
    hits = store.recall("steady lighthouse").hits
    assert [each.hit.record.id for each in hits][:1] == ["steady"], hits
    assert store.list().total >= 3
    rounds += 1
    time.sleep(0.2)
print(rounds)
"""


def start(program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCE},
        text=True,
    )


def output_of(process: subprocess.Popen[str]) -> str:
    """What a program printed; it must have ended well."""
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out


@pytest.mark.timeout(1800)
def test_eight_writers_a_person_and_a_reader_lose_nothing(store: Store, folder: Path) -> None:
    store.remember("shared log", id="shared", path="shared.md")
    store.remember("contested", id="contested", path="contested.md")
    store.remember("a steady lighthouse", id="steady")
    store.recall("lighthouse")
    person, reader = start(PERSON, str(folder)), start(READER, str(folder))
    writers = [start(WRITER, str(folder), f"w{n}", str(WRITES)) for n in range(PROCESSES)]
    try:
        results = [json.loads(output_of(writer)) for writer in writers]
    finally:
        (folder / ".git" / "stop").touch()
    commits, rounds = int(output_of(person)), int(output_of(reader))
    assert rounds > 0
    after = Store.open(folder)
    names = git(folder, "ls-tree", "-r", "--name-only", "-z", "main").split("\0")
    archive = git(folder, "ls-tree", "-r", "--name-only", "-z", "archive").split("\0")
    for result in results:
        for memory_id in result["written"]:
            assert sum(name.endswith(f"-{memory_id}.md") for name in names) == 1
        for memory_id in result["archived"]:
            assert sum(name.endswith(f"-{memory_id}.md") for name in archive) == 1
            assert not any(name.endswith(f"-{memory_id}.md") for name in names)
    assert git(folder, "log", "--format=%s", "main").split("\n").count("person") == commits
    lines = after.show("shared").memory.body.splitlines()
    assert len(lines) == len(set(lines)) == 1 + sum(result["appended"] for result in results)
    assert_sound(folder)
    assert not [file for file in (folder / ".git").rglob("*.lock") if "gitmem" not in file.parts]


def test_threads_of_one_process_lose_nothing(store: Store, folder: Path) -> None:
    """Each with a handle of its own, at the same memories: what was acknowledged is there, once."""
    store.remember_all([Request("shared", id="shared"), Request("contested", id="contested")])
    written: list[str] = []
    lines: list[str] = []
    archived: list[str] = []
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for n in range(5):
                mine = Store.open(folder)
                own = mine.remember(f"otter {n} of {name}").id
                written.append(own)
                mine.append("shared", f"line {name}-{n}")
                lines.append(f"line {name}-{n}")
                with contextlib.suppress(StaleVersion):
                    seen = mine.show("contested").version
                    mine.update("contested", f"by {name}-{n}", expect=seen)
                assert mine.recall("otter", limit=1).hits
            mine.archive([own])
            archived.append(own)
        except BaseException as error:  # noqa: BLE001  shown by the main thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(set(written)) == 20
    assert sorted(store.show("shared").memory.body.splitlines()) == sorted(["shared", *lines])
    assert len(lines) == 20
    ids = {record.id for record in store.list().records}
    put_away = {record.id for record in store.on("archive").list().records}
    assert put_away == set(archived)
    assert ids | put_away == {*written, "shared", "contested"} and not ids & put_away
    assert_sound(folder)


def test_linked_worktrees_share_one_store(store: Store, folder: Path, tmp_path: Path) -> None:
    """Also where the archive itself is checked out: what is moved there appears in its worktree."""
    other, vault = tmp_path / "other", tmp_path / "vault"
    store.remember_all(
        [Request("shared", id="shared"), Request("contested", id="contested"), Request("old", id="old")]
    )
    store.archive(["old"])
    git(folder, "worktree", "add", "-q", "-b", "side", str(other))
    git(folder, "worktree", "add", "-q", str(vault), "archive")
    programs = [start(WRITER, str(place), f"w{n}", "10") for n, place in enumerate([folder, other, vault])]
    results = [json.loads(output_of(program)) for program in programs]
    ids = {record.id for record in Store.open(other).list().records}
    assert {memory_id for result in results for memory_id in result["written"]} <= ids
    archived = {memory_id for result in results for memory_id in result["archived"]}
    assert len(archived) == 6
    names = [path.stem for path in vault.rglob("*.md")]
    assert all(any(name.endswith(f"-{memory_id}") for name in names) for memory_id in archived)
    assert git(other, "status", "--porcelain") == git(vault, "status", "--porcelain") == ""
    assert_sound(folder)
    assert_sound(vault)
