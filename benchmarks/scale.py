"""Measure growth: disk, clone, garbage collection, index, and the memory of processes.

usage: python benchmarks/scale.py [--folder DIR] [--size N ...] [--quick] [--write PAGE]

Sizes are set beside the text of the memories, and beside SQLite FTS5 and tantivy where `search.py` has built
them. Peak memory is the largest resident set of a process of its own.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from building import git, store
from corpus import entry, question
from helped import helper
from measuring import SpeedReport, Table, Timing, run, shown, timed
from running import GITMEM, main

from gitmem.store import Store

MEGABYTE = 1_000_000
PEAK = """
import sys
def peak():
    try:
        lines = open("/proc/self/status").read().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    except OSError:
        import resource
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
"""
COMMAND = f"{PEAK}\nfrom gitmem.cli.run import run\nrun(sys.argv[1:])\nsys.stderr.write(str(peak()))"
SERVER = (
    f"{PEAK}\nfrom gitmem.store import Store\nstore = Store.open(sys.argv[1])\n"
    "for words in sys.argv[2:]:\n    store.recall(words)\nsys.stderr.write(str(peak()))"
)


def measure(report: SpeedReport, folder: Path, size: int, is_quick: bool) -> None:
    top = store(folder, size)
    Store.open(top).refresh()
    text = sum(len(entry(number).data) for number in range(size))
    report.add(f"### {size:,} memories: disk and memory")
    report.add()
    report.add("| what | MB | against the text |")
    report.add("| --- | --: | --: |")
    for name, size_bytes in _sizes(folder, top, size, text):
        report.add(f"| {name} | {shown(size_bytes / MEGABYTE)} | {shown(size_bytes / text)} |")
    questions = [question(number, 3, size) for number in range(2 if is_quick else 100)]
    for name, size_bytes in _peaks(top, questions):
        report.add(f"| {name} | {shown(size_bytes / MEGABYTE)} | |")
    report.add()
    _times(report, folder, top, size)


def _sizes(folder: Path, top: Path, size: int, text: int) -> Iterator[tuple[str, int]]:
    git_folder = top / ".git"
    yield "the text of the memories", text
    yield "objects of the repository, after `git gc`", _bytes_below(git_folder / "objects")
    yield "git's index", (git_folder / "index").stat().st_size
    yield "the search index", _bytes_below(git_folder / "gitmem" / "index")
    yield (
        "names and maps beside them",
        sum(_bytes_below(git_folder / "gitmem" / each) for each in ("names", "index-maps")),
    )
    for name, place in (
        ("SQLite FTS5", folder / f"fts5-{size}.sqlite"),
        ("tantivy", folder / f"tantivy-{size}"),
    ):
        if place.exists():
            yield name, _bytes_below(place)


def _bytes_below(place: Path) -> int:
    if place.is_file():
        return place.stat().st_size
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())


def _peaks(top: Path, questions: list[str]) -> Iterator[tuple[str, int]]:
    for name, arguments in (
        ("peak memory of `gitmem recall`", ["-c", COMMAND, "recall", questions[0]]),
        ("peak memory of `gitmem remember`", ["-c", COMMAND, "remember", "a new fact"]),
        (
            f"peak memory of a process that answers {len(questions)} questions",
            ["-c", SERVER, str(top), *questions],
        ),
    ):
        done = subprocess.run(
            [sys.executable, *arguments], cwd=top, capture_output=True, text=True, check=True
        )
        yield name, int(done.stderr.split()[-1]) * 1024
    with helper(top) as pid:
        for words in questions:
            run([*GITMEM, "recall", words], top)
        status = Path(f"/proc/{pid}/status")
        if status.exists():
            lines = status.read_text("ascii").splitlines()
            peak = next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
            yield f"peak memory of the helper after {len(questions)} questions", peak * 1024


def _times(report: SpeedReport, folder: Path, top: Path, size: int) -> None:
    target = folder / f"clone-of-{size}"
    shutil.rmtree(target, ignore_errors=True)
    table = Table(report, f"{size:,} memories: once in a while", "git clone")
    works = {
        "`git clone`": lambda: run(["git", "clone", "--quiet", "--no-local", str(top), str(target)], folder),
        "`git gc` of the clone": lambda: git(target, "gc", "--quiet", "--no-prune"),
        "`gitmem reindex`": lambda: run([*GITMEM, "reindex"], top),
        "`gitmem status`": lambda: run([*GITMEM, "status"], top),
    }
    for number, (name, work) in enumerate(works.items()):
        timing = Timing()
        timed(work, timing)
        table.row(name, timing, is_peer=number == 0)
    table.end()
    shutil.rmtree(target, ignore_errors=True)


if __name__ == "__main__":
    main("scale", __doc__, measure)
