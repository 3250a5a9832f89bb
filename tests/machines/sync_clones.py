"""Clones of one store write and sync at the same time, by a bare repository: all come to the same, nothing is lost.

usage: python -m tests.machines.sync_clones [--clones 4] [--writes 50] [--kills 0] [--seed 1] [--folder DIR]

Each clone is a process of its own. It remembers, updates, appends, also on the archive, archives and restores, and
syncs now and then while the others do. With --kills they are killed at random, and others take their places. Each acknowledged write stands in a ledger that was flushed before the next. Every word that is
written is unique; a word may be missing at the end only where somebody who had it before them replaced it. At the
end all clones sync until nothing moves, and then: they stand at the same commits, every memory that was
acknowledged stands on main or archive, every word is found, `check` finds no error, `git fsck` nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gitmem.errors import Conflict, NotFound
from gitmem.model.change import Origin
from gitmem.store import Store
from tests.machines.merge_fuzz import Lost, git, sealed, words_in

SHARED = 6
"""Memories that all clones have from the beginning, and quarrel about."""
SYNC_SHARE = 0.35


@dataclass
class Writer:
    """The work of one clone. `number` makes its words its own."""

    folder: Path
    number: int
    random: random.Random
    ledger: Path
    own: list[str] = field(default_factory=list)
    count: int = 0

    def word(self) -> str:
        self.count += 1
        return f"w{self.number}{self.count:05d}x"

    def note(self, **facts: object) -> None:
        with self.ledger.open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def run(self, writes: int) -> None:
        store = Store.open(self.folder)
        for number in range(writes):
            self.write(store, number)
            if self.random.random() < SYNC_SHARE:
                self.note(verb="sync", rounds=store.sync().rounds)

    def write(self, store: Store, number: int) -> None:
        verbs = ["remember"] * 3 + ["append"] * 3 + ["update"] * 2 + ["archive", "restore", "append there"]
        verb = self.random.choice(verbs)
        name = self.random.choice([*(f"shared{each}" for each in range(SHARED)), *self.own])
        origin = Origin(agent=f"clone{self.number}")
        word = self.word()
        try:
            if verb == "remember" or number == 0:
                verb, name = "remember", f"m{self.number}n{number}"
                store.remember(f"Something {word} new.\n\nA second passage.", id=name, origin=origin)
                self.own.append(name)
                self.note(verb=verb, id=name, word=word)
            elif verb == "append":
                store.append(name, f"\nA line {word} more.", origin=origin)
                self.note(verb=verb, id=name, word=word)
            elif verb == "append there":
                store.on("archive").append(name, f"\nA line {word} on the archive.", origin=origin)
                self.note(verb=verb, id=name, word=word)
            elif verb == "update":
                shown = store.show(name)
                old = shown.memory.body
                self.note(verb="taken", words=sorted(words_in(old)))
                store.update(name, f"All new {word} here.", expect=shown.version, origin=origin)
                self.note(verb=verb, id=name, word=word)
            elif verb == "archive":
                store.archive([name], origin=origin)
                self.note(verb=verb, id=name)
            else:
                store.restore([name], origin=origin)
                self.note(verb=verb, id=name)
        except (NotFound, Conflict) as error:
            self.note(verb="refused", what=verb, id=name, why=error.message)


@dataclass
class Outcome:
    """What a run came to."""

    seconds: float
    verbs: Counter[str]
    memories: int
    archived: int
    disputed: int
    most_rounds: int
    commits: int
    last_syncs: int

    def __str__(self) -> str:
        verbs = ", ".join(f"{count} {verb}" for verb, count in sorted(self.verbs.items()))
        return (
            f"{verbs}; most rounds of one sync {self.most_rounds}; {self.commits} commits, "
            f"{self.memories} memories on main, {self.archived} archived, {self.disputed} disputed; "
            f"alike after {self.last_syncs} syncs; {self.seconds:.0f} s"
        )


def run(folder: Path, *, clones: int, writes: int, seed: int, kills: int = 0) -> Outcome:
    """Makes the clones, lets them work, and checks. Raises `Lost`. The environment must be sealed."""
    began = time.monotonic()
    folders = make_clones(folder, clones)
    started = [start(each, number, writes, seed) for number, each in enumerate(folders)]
    chance = random.Random(seed)
    for kill in range(kills):
        time.sleep(chance.uniform(0.5, 3))
        number = chance.randrange(clones)
        started[number].kill()
        started[number].communicate()
        # The words of the one that takes its place are its own.
        started[number] = start(folders[number], 100 * (kill + 1) + number, writes, seed)
    talk = [process.communicate(timeout=3600)[1] for process in started]
    for process, said in zip(started, talk, strict=True):
        if process.returncode:
            raise Lost(f"a writer failed: {said[-3000:]}")
    last_syncs = settle(folders)
    return check(folders, last_syncs, time.monotonic() - began)


def start(folder: Path, number: int, writes: int, seed: int) -> subprocess.Popen[str]:
    """A process that works on the clone in `folder`."""
    source = str(Path(__file__).parents[2])
    command = [sys.executable, "-m", "tests.machines.sync_clones", "--work"]
    return subprocess.Popen(
        [*command, str(folder), str(number), str(writes), str(seed)],
        cwd=source,
        env={**os.environ, "PYTHONPATH": source},
        stderr=subprocess.PIPE,
        text=True,
    )


def make_clones(folder: Path, clones: int) -> list[Path]:
    """A bare repository with a few memories, and clones of it."""
    first = Store.init(folder / "first")
    for number in range(SHARED):
        first.remember(f"Shared {number}.\n\nA passage.\n\nThe end.", id=f"shared{number}")
    git(folder, "clone", "-q", "--bare", "first", "hub.git")
    folders = [folder / f"clone{number}" for number in range(clones)]
    for each in folders:
        Store.clone(str(folder / "hub.git"), each)
    return folders


def settle(folders: Sequence[Path]) -> int:
    """Syncs all, one after the other, until nothing moves any more; how many syncs that took."""
    for number in range(1, 8 * len(folders)):
        Store.open(folders[number % len(folders)]).sync()
        if len({tips(each) for each in folders}) == 1:
            return number
    raise Lost(f"the clones do not come to one state: {[tips(each) for each in folders]}")


def tips(folder: Path) -> tuple[str | None, str | None]:
    place = Store.open(folder).place
    return place.tip("main"), place.tip("archive")


def ledger_of(folder: Path) -> Path:
    return folder.with_name(folder.name + ".ledger")


def check(folders: Sequence[Path], last_syncs: int, seconds: float) -> Outcome:
    """Whether everything that was acknowledged is there. Raises `Lost`."""
    facts = [json.loads(line) for each in folders for line in ledger_of(each).read_text("utf-8").splitlines()]
    verbs = Counter(fact["verb"] for fact in facts if fact["verb"] != "taken")
    taken = {word for fact in facts if fact["verb"] == "taken" for word in fact["words"]}
    words = {fact["word"] for fact in facts if "word" in fact}
    ids = {fact["id"] for fact in facts if fact["verb"] == "remember"} | {f"shared{n}" for n in range(SHARED)}
    store = Store.open(folders[0])
    texts, found = "", Counter[str]()
    counts = []
    for branch in ("main", "archive"):
        snapshot = store.place.snapshot_of(branch)
        memories = [snapshot.read(path, blob) for path, blob in snapshot.files()]
        counts.append(len(memories))
        found.update(memory.id for memory in memories)
        texts += "\n".join(memory.body for memory in memories) + "\n"
    if missing := ids - set(found):
        raise Lost(f"memories are gone: {sorted(missing)}")
    if twice := [name for name, count in found.items() if count > 1]:
        raise Lost(f"memories stand twice: {twice}")
    if lost := words - taken - words_in(texts):
        raise Lost(f"words are lost: {sorted(lost)}")
    for each in folders:
        checked = Store.open(each).check()
        if not checked.is_clean:
            raise Lost(str([finding for finding in checked.findings if finding.severity == "error"]))
        if git(each, "status", "--porcelain"):
            raise Lost(f"{each.name} is not clean")
        git(each, "fsck", "--strict")
    return Outcome(
        seconds,
        verbs,
        counts[0],
        counts[1],
        len(store.conflicts().memories),
        max([fact["rounds"] for fact in facts if fact["verb"] == "sync"], default=0),
        int(git(folders[0], "rev-list", "--count", "main")),
        last_syncs,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--clones", type=int, default=4)
    parser.add_argument("--writes", type=int, default=50)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--work", nargs=4, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.work:
        folder, number, writes, seed = Path(given.work[0]), *map(int, given.work[1:])
        Writer(folder, number, random.Random(f"{seed}-{number}"), ledger_of(folder)).run(writes)
        return
    with tempfile.TemporaryDirectory(prefix="gitmem-sync-", ignore_cleanup_errors=True) as scratch:
        os.environ |= {**sealed(), "HOME": scratch, "GITMEM_USAGE": "off", "GITMEM_IDENTITY": "person:F"}
        folder = given.folder or Path(scratch)
        outcome = run(folder, clones=given.clones, writes=given.writes, seed=given.seed, kills=given.kills)
    print(outcome)


if __name__ == "__main__":
    main()
