"""Measure history: the versions of one memory, reading and recalling the past; beside `git log -- path`.

usage: python benchmarks/history.py [--folder DIR] [--size N ...] [--quick] [--write PAGE]

A size is a number of commits: four in five add a memory, the others change one. The peer is git without a
commit graph; below it stand git with one, and with filters of changed paths in it. The table of versions is
there, as after any refresh of the hooks, but for the row that says otherwise.
"""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from building import git, history_store
from corpus import entry, question
from measuring import SpeedReport, Table, Timing, run, taking_turns, timed
from running import main

from gitmem.store import Store

PEER = "git log"
COMMITS = (10_000, 100_000)


class Histories:
    """Questions about the past of one store, by the number of the run."""

    def __init__(self, top: Path, commits: int) -> None:
        self._top = top
        self._commits = commits
        self._size = commits * 4 // 5
        self.store = Store.open(top)
        chance = random.Random(7)
        # Early memories have several versions.
        self._ids = [entry(int(self._size * chance.random() ** 3)) for _ in range(200)]
        spots = [chance.randrange(commits // 10, commits) for _ in range(200)]
        self._moments = [git(top, "rev-parse", f"HEAD~{spot}").strip() for spot in spots[:20]]

    def log_of(self, number: int) -> object:
        return self.store.log(self._ids[number % 200].id)

    def git_log(self, *settings: str) -> Callable[[int], object]:
        def ask(number: int) -> object:
            one = self._ids[number % 200]
            options = [part for setting in settings for part in ("-c", setting)]
            return run(["git", *options, "log", "--format=%H", "--", one.path], self._top)

        return ask

    def show_now(self, number: int) -> object:
        return self.store.show(self._ids[number % 200].path)

    def show_then(self, number: int) -> object:
        then = self.store.at(self._moments[number % 20])
        return then.show(entry(number % 20).path)

    def git_show_then(self, number: int) -> object:
        return run(["git", "show", f"{self._moments[number % 20]}:{entry(number % 20).path}"], self._top)

    def recall_now(self, number: int) -> object:
        return self.store.recall(question(number, 3, self._size))

    def recall_then(self, number: int) -> object:
        return self.store.at(self._moments[0]).recall(question(number, 3, self._size))

    def recall_first(self, number: int) -> object:
        return self.store.at(self._moments[1 + number]).recall(question(number, 3, self._size))


def measure(report: SpeedReport, folder: Path, commits: int, is_quick: bool) -> None:
    top = history_store(folder, commits)
    git(top, "commit-graph", "write", "--reachable", "--changed-paths")
    asked = Histories(top, commits)
    rounds = 2 if is_quick else 15
    few = 1 if is_quick else 3
    shutil.rmtree(top / ".git" / "gitmem" / "versions", ignore_errors=True)
    walking = Timing()
    for number in range(few):
        timed(lambda number=number: asked.log_of(number), walking)  # type: ignore[misc]
    asked.store.refresh()
    asked.log_of(0)
    works: dict[str, tuple[Callable[[int], object], int]] = {
        "`git log -- path`": (asked.git_log("core.commitGraph=false"), few),
        "the same with a commit graph": (asked.git_log("commitGraph.readChangedPaths=false"), rounds),
        "and with filters of changed paths": (asked.git_log(), rounds),
        "log ID": (asked.log_of, rounds),
    }
    table = Table(report, f"The versions of one memory, over {commits:,} commits", PEER)
    for number, (name, timing) in enumerate(taking_turns(works).items()):
        table.row(name, timing, is_peer=number == 0)
    table.row("log ID, where there is no table of versions", walking)
    table.end()
    _reading(report, asked, commits, rounds)
    _recalling(report, asked, commits, rounds)


def _reading(report: SpeedReport, asked: Histories, commits: int, rounds: int) -> None:
    table = Table(report, f"Reading one memory as of a commit, over {commits:,} commits", "git show")
    timings = taking_turns(
        {
            "`git show COMMIT:path`": (asked.git_show_then, rounds),
            "show, as of a commit": (asked.show_then, rounds),
            "show, now": (asked.show_now, rounds),
        }
    )
    for number, (name, timing) in enumerate(timings.items()):
        table.row(name, timing, is_peer=number == 0)
    table.end()


def _recalling(report: SpeedReport, asked: Histories, commits: int, rounds: int) -> None:
    table = Table(report, f"Recall as of a commit, over {commits:,} commits", "now")
    asked.recall_now(0)
    building = Timing()
    timed(lambda: asked.recall_first(0), building)
    asked.recall_then(0)
    timings = taking_turns({"now": (asked.recall_now, rounds), "as of a commit": (asked.recall_then, rounds)})
    timings |= taking_turns(
        {"as of commits not asked for before": (lambda number: asked.recall_first(1 + number), rounds)}
    )
    for name, timing in timings.items():
        table.row(f"recall, {name}", timing, is_peer=name == "now")
    table.row("recall, the first of the past, which builds its index if there is none", building)
    table.end()


if __name__ == "__main__":
    main("history", __doc__, measure, sizes=COMMITS)
