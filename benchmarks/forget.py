"""Measure forgetting: one memory, and a hundred in one call, beside `git gc` of the same store in one run.

usage: python benchmarks/forget.py [--folder DIR] [--size N ...] [--quick] [--write PAGE]

The store has twice as many commits as memories: each memory is written in a commit of its own, the others
change one that is there. What is forgotten stands early in history: nearly every commit is written anew.
All that `gitmem forget` does is in the time: looking, rewriting, cleaning, packing, and the proof.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from building import churned_store
from corpus import entry
from measuring import SpeedReport, Table, Timing, run, shown, timed
from running import GITMEM, main

MEGABYTE = 1_000_000
SIZES = (10_000,)
TOGETHER = 100


def measure(report: SpeedReport, folder: Path, size: int, is_quick: bool) -> None:
    os.environ["GITMEM_IDENTITY"] = "person:bench"
    top = churned_store(folder, size, 2 * size)
    together = 5 if is_quick else TOGETHER
    rounds = 1 if is_quick else 3
    git_gc, from_nothing, one, many = Timing(), Timing(), Timing(), Timing()
    sizes: dict[str, tuple[int, int]] = {}
    for number in range(rounds):
        with_copy(folder, top, git_gc, ["git", "gc", "--quiet", "--prune=now"])
        with_copy(folder, top, from_nothing, ["git", "repack", "-a", "-d", "-f", "-q"])
        first = size // 20 + number
        sizes["one memory"] = with_copy(folder, top, one, forget_command(first, 1))
        sizes[f"{together} memories"] = with_copy(folder, top, many, forget_command(first, together))
    table = Table(report, f"{size:,} memories, {2 * size:,} commits: forgetting", "gc")
    table.row("`git gc`, of what is packed well already", git_gc, is_peer=True)
    table.row("`git repack -f`, deltas made anew", from_nothing)
    table.row("`gitmem forget`, one memory", one)
    table.row(f"`gitmem forget`, {together} memories in one call", many)
    table.end()
    report.add("| objects on disk, MB | before | after |")
    report.add("| --- | --: | --: |")
    for name, (before, after) in sizes.items():
        report.add(f"| {name} forgotten | {shown(before / MEGABYTE)} | {shown(after / MEGABYTE)} |")
    report.add()


def forget_command(first: int, count: int) -> list[str]:
    """The command that forgets `count` memories."""
    ids = [entry(number).id for number in range(first, first + count)]
    return [*GITMEM, "forget", *ids, "--yes", " ".join(ids)]


def with_copy(folder: Path, top: Path, timing: Timing, command: list[str]) -> tuple[int, int]:
    """Runs the command on a copy of the store; bytes of its objects before and after."""
    copy = folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(top), str(copy)], check=True)
    run(["git", "remote", "remove", "origin"], copy)
    objects = copy / ".git/objects"
    before = _bytes_below(objects)
    timed(lambda: run(command, copy), timing)
    after = _bytes_below(objects)
    shutil.rmtree(copy)
    return before, after


def _bytes_below(place: Path) -> int:
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())


if __name__ == "__main__":
    main("forget", __doc__ or "", measure, SIZES)
