"""Several writers, readers and a sudden end: what was acknowledged is there, and nothing is half there."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gitmem.errors import StaleVersion
from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import assert_sound, git

SOURCE = str(Path(__file__).parents[2])


def start(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": SOURCE},
    )


def test_processes_that_remember_at_once_all_succeed(store: Store, folder: Path) -> None:
    """Every memory is in one line of history, the worktree agrees, and no lock of git's is left."""
    processes = [start(folder, "remember", "--id", f"w{number}", f"worker {number}") for number in range(12)]
    errors = [process.communicate()[1] for process in processes]
    assert [process.returncode for process in processes] == [0] * 12, errors
    assert len([path for path in git(folder, "ls-files").split() if path.startswith("semantic/")]) == 12
    assert git(folder, "rev-list", "--merges", "--count", "HEAD").strip() == "0"
    assert store.recall("worker", limit=50).total == 12
    assert list((folder / ".git").glob("*.lock")) == []
    assert_sound(folder)


def test_lines_appended_at_once_are_all_there(store: Store, folder: Path) -> None:
    """Appending to one memory from many threads loses no line and makes none twice."""
    store.remember("start", id="doc")

    def append(number: int) -> None:
        Store.open(folder).append("doc", f"line {number}")

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(append, range(16)))
    lines = store.show("doc").memory.body.splitlines()
    assert sorted(lines[1:]) == sorted(f"line {number}" for number in range(16))
    assert_sound(folder)


def test_plain_commits_beside_writes_lose_nothing(store: Store, folder: Path) -> None:
    """A person who commits while memories are written may have to repeat a commit; no memory goes missing."""
    script = (
        "import subprocess, sys\n"
        "for n in range(12):\n"
        "    open('own.txt', 'a').write(f'{n}\\n')\n"
        "    for _ in range(50):\n"
        "        if subprocess.run('git add own.txt && git commit -qm own', shell=True, capture_output=True).returncode == 0:\n"
        "            break\n"
    )
    person = subprocess.Popen([sys.executable, "-c", script], cwd=folder)
    written = [store.remember(f"beside {number}", id=f"b{number}").id for number in range(12)]
    assert person.wait(60) == 0
    assert all(store.show(name).memory.body.startswith("beside") for name in written)
    assert git(folder, "show", "HEAD:own.txt").split() == [str(number) for number in range(12)]
    assert_sound(folder)


@pytest.mark.parametrize("verb", ["update", "append", "tag", "fields"])
def test_a_write_that_read_an_older_version_is_refused_with_both_texts(store: Store, verb: str) -> None:
    """What somebody else wrote since stays, and the caller is shown it beside what was read."""
    store.remember("rev A", id="doc")
    read = store.show("doc").version
    newer = store.update("doc", "rev B")
    with pytest.raises(StaleVersion) as caught:
        if verb == "update":
            store.update("doc", "rev A, tidied", expect=read)
        elif verb == "append":
            store.append("doc", "more", expect=read)
        elif verb == "tag":
            store.tag("doc", add=["x"], expect=read)
        else:
            store.update("doc", fields={"k": "v"}, expect=read)
    assert "rev A" in (caught.value.expected_text or "") and "rev B" in caught.value.current_text
    assert store.show("doc").version == newer.version


def test_a_write_without_a_version_says_what_it_replaced(store: Store) -> None:
    """The text that was replaced is one step back."""
    store.remember("rev A", id="doc")
    middle = store.update("doc", "rev B")
    assert store.update("doc", "rev C").replaced == middle.version
    assert store.show("doc@v2").memory.body == "rev B\n"


def test_writers_killed_at_any_moment_leave_whole_memories_or_none(store: Store, folder: Path) -> None:
    """After many sudden ends the next write works, and what was acknowledged is there."""
    chance = random.Random(7)
    acknowledged = []
    for number in range(16):
        process = start(folder, "remember", "--id", f"k{number}", f"kill test {number}")
        time.sleep(chance.uniform(0.1, 0.6))
        process.send_signal(signal.SIGKILL)
        out, _ = process.communicate()
        if out:
            acknowledged.append(f"k{number}")
    after = Store.open(folder)
    after.remember("works after the kills", id="after")
    for name in acknowledged:
        assert after.show(name).memory.body.startswith("kill test")
    for path in git(folder, "ls-files", "semantic").split():
        assert (folder / path).read_text().endswith("\n")
    assert after.check().is_clean
    assert_sound(folder)
