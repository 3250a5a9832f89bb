"""Measure writing: one memory, a batch, an update, a move; beside git, GitPython and SQLite.

usage: python benchmarks/write.py [--folder DIR] [--size N ...] [--quick] [--write PAGE]

All work on one store, in turns. CPU is that of this process and of the processes it waited for. "With the
search index" is a write and the catching up that the next recall would do.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from building import store
from corpus import Entry, entry
from measuring import SpeedReport, Table, Timing, run, taking_turns, timed
from running import GITMEM, main

from gitmem.flows.writing.drafting import Request
from gitmem.store import Store

PEER = "git"
NEW = 1_000_000
BURST = 64
"""Entries from this number on are in no store."""


class Writers:
    """Each way of writing one memory, by the number of the run."""

    def __init__(self, top: Path, size: int) -> None:
        self._top = top
        self._size = size
        self.store = Store.open(top)
        floor = top.parent / "floor.sqlite"
        floor.unlink(missing_ok=True)
        self._database = sqlite3.connect(floor)
        self._database.execute("PRAGMA synchronous = FULL")
        self._database.execute("CREATE TABLE memories (id TEXT PRIMARY KEY, path TEXT, body TEXT)")

    def git(self, number: int) -> None:
        one = self._file(entry(NEW + number))
        run(["git", "add", "--", one.path], self._top)
        run(["git", "commit", "--quiet", "-m", f"remember: {one.title}"], self._top)

    def git_add(self, number: int) -> None:
        run(["git", "add", "--", self._file(entry(8 * NEW + number)).path], self._top)

    def git_commit(self, number: int) -> None:
        """Commits what `git_add` has staged."""
        title = entry(8 * NEW + number).title
        run(["git", "commit", "--quiet", "-m", f"remember: {title}"], self._top)

    def gitpython(self, number: int) -> None:
        from git import Repo

        one = self._file(entry(2 * NEW + number))
        with Repo(self._top) as repo:
            repo.index.add([one.path])
            repo.index.commit(f"remember: {one.title}")

    def sqlite(self, number: int) -> None:
        one = entry(3 * NEW + number)
        with self._database:
            self._database.execute("INSERT INTO memories VALUES (?, ?, ?)", (one.id, one.path, one.body))

    def remember(self, number: int) -> None:
        self.store.remember_all([_request(entry(4 * NEW + number))])

    def remember_after_git(self, number: int) -> None:
        """Like `remember`, but the index of git is one that gitmem did not write."""
        self.store.remember_all([_request(entry(7 * NEW + number))])

    def remember_and_index(self, number: int) -> None:
        self.store.remember_all([_request(entry(5 * NEW + number))])
        self.store.refresh()

    def update(self, number: int) -> None:
        self.store.update(entry(number * 37 % self._size).path, f"changed {number}")

    def update_by_id(self, number: int) -> None:
        self.store.update(entry((number * 37 + 11) % self._size).id, f"changed {number}")

    def archive(self, number: int) -> None:
        self.store.archive([entry((number * 37 + 23) % self._size).path])

    def command(self, number: int) -> None:
        one = entry(6 * NEW + number)
        arguments = ["remember", "-", "--title", one.title, "--type", str(one.type)]
        run([*GITMEM, *arguments], self._top, input=one.body.encode())

    def _file(self, one: Entry) -> Entry:
        file = self._top / one.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(one.data)
        return one


def _request(one: Entry) -> Request:
    return Request(
        one.body, title=one.title, type=str(one.type), namespace=one.namespace or None, tags=one.tags
    )


def measure(report: SpeedReport, folder: Path, size: int, is_quick: bool) -> None:
    top = store(folder, size)
    writers = Writers(top, size)
    rounds = 2 if is_quick else 40 if size < 50_000 else 15
    works: dict[str, tuple[Callable[[int], object], int]] = {
        "`git add && git commit`": (writers.git, rounds),
        "`git add` alone": (writers.git_add, rounds),
        "`git commit` alone": (writers.git_commit, rounds),
        "GitPython `index.add`, `index.commit`": (writers.gitpython, 1 if is_quick else 3),
        "SQLite insert, flushed (the floor)": (writers.sqlite, rounds),
        "remember, right after another program's commit": (writers.remember_after_git, rounds),
        "remember": (writers.remember, rounds),
        "update": (writers.update, rounds),
        "update, by id": (writers.update_by_id, rounds),
        "archive (two commits)": (writers.archive, rounds),
        "`gitmem remember`": (writers.command, max(2, rounds // 2)),
    }
    writers.remember(NEW // 2)
    writers.update_by_id(NEW // 2)
    timings = taking_turns(works)
    table = Table(report, f"Writing into {size:,} memories", PEER)
    for number, (name, timing) in enumerate(timings.items()):
        table.row(name, timing, is_peer=number == 0)
    _with_search_index(table, writers, 1 if is_quick else 10)
    _batches(table, top, 20 if is_quick else 10_000, 1 if is_quick else 2)
    _burst(table, top, 1 if is_quick else 5)
    table.end()


def _burst(table: Table, top: Path, rounds: int) -> None:
    """So many threads that remember something at the same moment, on one handle."""
    store, timing = Store.open(top), Timing()
    numbers = count(20 * NEW)

    def burst() -> None:
        with ThreadPoolExecutor(BURST) as threads:
            for each in [
                threads.submit(store.remember_all, [_request(entry(next(numbers)))]) for _ in range(BURST)
            ]:
                each.result()

    for _ in range(rounds):
        timed(burst, timing)
    table.row(f"a burst of {BURST} threads, each", timing.divided(BURST))


def _with_search_index(table: Table, writers: Writers, rounds: int) -> None:
    writers.store.refresh()
    timing = Timing()
    for number in range(rounds):
        timed(lambda number=number: writers.remember_and_index(number), timing)  # type: ignore[misc]
    table.row("remember, with the search index", timing)


def _batches(table: Table, top: Path, count: int, rounds: int) -> None:
    timing = Timing()
    for number in range(rounds):
        first = 10 * NEW + number * count
        lines = "\n".join(json.dumps({"text": one.body, "title": one.title, "type": str(one.type)})
                          for one in map(entry, range(first, first + count)))  # fmt: skip
        timed(lambda lines=lines: Store.open(top).remember_jsonl(lines), timing)  # type: ignore[misc]
    table.row(f"a batch of {count:,}, each", timing.divided(count))


if __name__ == "__main__":
    main("write", __doc__, measure)
