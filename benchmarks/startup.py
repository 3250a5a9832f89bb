"""Measure whole commands, from start to end; beside a Python that does nothing, and `git commit`.

usage: python benchmarks/startup.py [--folder DIR] [--size N ...] [--quick] [--write PAGE]

"With its helper" is the command and what the resident process did for it.
The hook is measured twice: what it adds to a `git commit`, and the process that it leaves in the background.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from building import git, store
from corpus import entry, question
from helped import helper, timed_with
from measuring import SpeedReport, Table, run, taking_turns
from running import GITMEM, main

from gitmem.store import Store

PEER = "python"
NEW = 1_000_000
PROMPT_HOOK = ("hook-agent", "claude-code", "prompt-submit")


def measure(report: SpeedReport, folder: Path, size: int, is_quick: bool) -> None:
    top = store(folder, size)
    Store.open(top).refresh()
    rounds = 1 if is_quick else 15

    def command(*arguments: str) -> Callable[[int], object]:
        return lambda _: run([*GITMEM, *arguments], top)

    def recalling(words: int) -> Callable[[int], object]:
        return lambda number: run([*GITMEM, "recall", question(number + 2, words, size)], top)

    def prompting(number: int) -> object:
        event = {"hook_event_name": "UserPromptSubmit", "prompt": question(number + 2, 8, size)}
        return run([*GITMEM, *PROMPT_HOOK], top, input=json.dumps(event).encode())

    numbers = count(NEW)

    def remembering(_: int) -> object:
        return run([*GITMEM, "remember", entry(next(numbers)).body], top)

    works: dict[str, tuple[Callable[[int], object], int]] = {
        "`python -c pass`": (lambda _: run([sys.executable, "-c", "pass"], top), rounds * 2),
        "`gitmem --version`": (command("--version"), rounds),
        "`gitmem recall`, 3 terms": (recalling(3), rounds),
        "`gitmem recall`, 8 terms": (recalling(8), rounds),
        "`gitmem show ID`": (lambda n: run([*GITMEM, "show", entry(n).id], top), rounds),
        "`gitmem hook`, nothing to do": (command("hook", "post-commit"), rounds),
        "`gitmem hook-agent`, a prompt": (prompting, rounds),
    }
    command("recall", "x")(0)
    table = Table(report, f"Commands on {size:,} memories", PEER)
    for number, (name, timing) in enumerate(taking_turns(works).items()):
        table.row(name, timing, is_peer=number == 0)
    with helper(top) as pid:
        for words in (3, 8):
            timing = timed_with(pid, recalling(words), rounds * 2)
            table.row(f"`gitmem recall`, {words} terms, with its helper", timing)
        timing = timed_with(pid, command("hook", "post-commit"), rounds)
        table.row("`gitmem hook`, with its helper", timing)
        timing = timed_with(pid, prompting, rounds * 2)
        table.row("`gitmem hook-agent`, a prompt, with its helper", timing)
    # Last, since it makes the index lag behind.
    timings = taking_turns({
        "`gitmem remember`": (remembering, rounds)
    })  # fmt: skip
    table.row("`gitmem remember`", timings["`gitmem remember`"])
    with helper(top) as pid:
        table.row("`gitmem remember`, with its helper", timed_with(pid, remembering, rounds))
    table.end()
    _hook(report, top, size, rounds)


def _hook(report: SpeedReport, top: Path, size: int, rounds: int) -> None:
    """What the hook adds: its shell, which starts the refresh and goes. What it starts is not waited for."""
    hooks = top / ".git" / "hooks"
    silent = hooks.parent / "no-hooks"
    silent.mkdir(exist_ok=True)
    wanted = top / ".git" / "gitmem" / "refresh-wanted"

    def commit(number: int, *settings: str) -> None:
        one = entry(2 * NEW + number)
        file = top / one.path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(one.data)
        git(top, "add", "--", one.path)
        run(["git", *settings, "commit", "--quiet", "-m", one.title], top)

    def with_hook(number: int) -> None:
        os.environ["GITMEM_HOOKS"] = "on"
        wanted.unlink(missing_ok=True)
        commit(number * 2 + 1)
        os.environ["GITMEM_HOOKS"] = "off"

    timings = taking_turns(
        {
            "`git commit`, no hook": (lambda n: commit(n * 2, "-c", f"core.hooksPath={silent}"), rounds),
            "`git commit` with the hook": (with_hook, rounds),
        }
    )
    shutil.rmtree(silent)
    table = Table(report, f"The post-commit hook, {size:,} memories", "git commit")
    for number, (name, timing) in enumerate(timings.items()):
        table.row(name, timing, is_peer=number == 0)
    Store.open(top).refresh()
    table.end()


if __name__ == "__main__":
    main("startup", __doc__, measure)
