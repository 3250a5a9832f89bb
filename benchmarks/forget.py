"""Measure forgetting: one memory, many in one call, many one after the other, beside `git gc` of that store.

usage: python benchmarks/forget.py [--folder DIR] [--size N ...] [--quick] [--write PAGE]

The store has twice as many commits as memories: each memory is written in a commit of its own, the others
change one that is there. What is forgotten stands early in history: nearly every commit is written anew.
All that `gitmem forget` does is in the time: looking, rewriting, cleaning, packing, and the proof.

The peer is a plain `git gc` of the store as its users have it, packed well already, so that git has least to
do. It is run before and after each of the others, since the machine may be busy with something else.
GITMEM_SEPARATE says how many are forgotten one after the other, GITMEM_ROUNDS how often all is measured.
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
# Read before the environment is made quiet.
SEPARATE = int(os.environ.get("GITMEM_SEPARATE", "100"))
ROUNDS = int(os.environ.get("GITMEM_ROUNDS", "2"))


def measure(report: SpeedReport, folder: Path, size: int, is_quick: bool) -> None:
    os.environ["GITMEM_IDENTITY"] = "person:bench"
    top = churned_store(folder, size, 2 * size)
    together, separate, rounds = (5, 2, 1) if is_quick else (TOGETHER, SEPARATE, ROUNDS)
    peer, pruning, from_nothing, one, many, each = (Timing() for _ in range(6))
    sizes: dict[str, tuple[int, int]] = {}
    for number in range(rounds):
        first = size // 20 + number
        last = range(first + together, first + together + separate)
        works = {
            "one memory": (one, [forget_command(first, 1)]),
            f"{together} memories in one call": (many, [forget_command(first, together)]),
            " ": (pruning, [["git", "gc", "--quiet", "--prune=now"]]),
            "  ": (from_nothing, [["git", "repack", "-a", "-d", "-f", "-q"]]),
            f"{separate} memories one after the other": (each, [forget_command(at, 1) for at in last]),
        }
        for name, (timing, commands) in works.items():
            with_copy(folder, top, peer, [["git", "gc", "--quiet"]])
            sizes[name] = with_copy(folder, top, timing, commands)
            print(f"{name.strip()}: {timing}, git gc: {peer}", file=sys.stderr, flush=True)
        with_copy(folder, top, peer, [["git", "gc", "--quiet"]])
    table = Table(report, f"{size:,} memories, {2 * size:,} commits: forgetting", "gc")
    table.row("`git gc`, of what is packed well already", peer, is_peer=True)
    table.row("`git gc --prune=now`", pruning)
    table.row("`git repack -f`, deltas made anew", from_nothing)
    table.row("`gitmem forget`, one memory", one)
    table.row(f"`gitmem forget`, {together} memories in one call", many)
    table.row(f"`gitmem forget`, each of {separate} memories one after the other", each)
    table.end()
    report.add("| objects on disk, MB | before | after |")
    report.add("| --- | --: | --: |")
    for name, (before, after) in sizes.items():
        if name.strip():
            report.add(f"| {name} forgotten | {shown(before / MEGABYTE)} | {shown(after / MEGABYTE)} |")
    report.add()


def forget_command(first: int, count: int) -> list[str]:
    """The command that forgets `count` memories."""
    ids = [entry(number).id for number in range(first, first + count)]
    return [*GITMEM, "forget", *ids, "--yes", " ".join(ids)]


def with_copy(folder: Path, top: Path, timing: Timing, commands: list[list[str]]) -> tuple[int, int]:
    """Runs the commands on one copy of the store; bytes of its objects before and after."""
    copy = folder / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", str(top), str(copy)], check=True)
    run(["git", "remote", "remove", "origin"], copy)
    objects = copy / ".git/objects"
    before = _bytes_below(objects)
    for command in commands:
        timed(lambda command=command: run(command, copy), timing)  # type: ignore[misc]
    after = _bytes_below(objects)
    shutil.rmtree(copy)
    return before, after


def _bytes_below(place: Path) -> int:
    return sum(file.stat().st_size for file in place.rglob("*") if file.is_file())


if __name__ == "__main__":
    main("forget", __doc__ or "", measure, SIZES)
