"""Who else is at the store during the soak: a person with plain git, and a reader."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

from gitmem.model.ids import MemoryId
from gitmem.store import Store
from tests.faults.soak.ledger import Ledger, Signals
from tests.faults.soak.worker import BATCH, CONTESTED, LOGS, STEADY

PERSONS_FILE = "person.txt"
SIDE_FOLDER = "side"
"""Folder of the notes that come by merges from a linked worktree."""
COMMITS_BETWEEN_MERGES = 15
EDITED_FILE = "hand.md"
"""It has an edit all the time that is not committed."""
_TRY_AGAIN = re.compile(
    r"index\.lock|stash failed|Unable to write index|cannot lock ref|unable to lock|Another git process|HEAD\.lock"
)


class Person:
    """Commits by plain git, and now and then merges a branch from a linked worktree."""

    def __init__(self, folder: Path, side: Path, ledger: Ledger) -> None:
        self._folder = folder
        self._side = side
        self._ledger = ledger
        self._number = 0

    def work(self, signals: Signals, pause_seconds: float) -> None:
        while signals.wait_while_paused():
            self._number += 1
            self._commit()
            if self._number % COMMITS_BETWEEN_MERGES == 0:
                self._merge()
            time.sleep(pause_seconds)

    def _commit(self) -> None:
        with open(self._folder / PERSONS_FILE, "a") as file:
            file.write(f"by hand {self._number}\n")
        if self._git(self._folder, "add", PERSONS_FILE) and self._git(
            self._folder, "commit", "-qm", f"person {self._number}"
        ):
            self._ledger.note("committed", subject=f"person {self._number}")

    def _merge(self) -> None:
        """A note is committed in the linked worktree, and its branch is merged into main."""
        note = f"{SIDE_FOLDER}/note-{self._number}.md"
        (self._side / SIDE_FOLDER).mkdir(exist_ok=True)
        (self._side / note).write_text(
            f"---\nid: side-{self._number}\n---\nA marmot came over: {self._number}\n"
        )
        if (
            self._git(self._side, "add", note)
            and self._git(self._side, "commit", "-qm", f"side {self._number}")
            and self._git(self._folder, "merge", "-q", "--no-ff", "-m", f"merge {self._number}", "side")
        ):
            self._ledger.note("merged", subject=f"merge {self._number}", path=note)

    def _git(self, where: Path, *arguments: str) -> bool:
        """Runs git until it does what it was told; a lock in the way is no reason to give up."""
        for _ in range(400):
            done = subprocess.run(["git", *arguments], cwd=where, capture_output=True, check=False)
            talk = (done.stderr + done.stdout).decode("utf-8", "replace")
            if done.returncode == 0 or "nothing to commit" in talk or "no changes added" in talk:
                return True
            if not _TRY_AGAIN.search(talk):
                self._ledger.note("broken", verb=f"git {arguments[0]}", message=talk)
                return False
            self._ledger.note("told to try again", flush=False)
            time.sleep(random.uniform(0.005, 0.05))
            while (self._folder / ".git" / "MERGE_HEAD").exists():
                # Git began the merge before it found that it cannot write its index.
                abort = ["git", "merge", "--abort"]
                subprocess.run(abort, cwd=self._folder, capture_output=True, check=False)
                time.sleep(random.uniform(0.005, 0.05))
            if arguments[0] == "merge":
                self._take_back_what_git_set_aside()
        self._ledger.note("broken", verb=f"git {arguments[0]}", message=f"never got through: {talk}")
        return False

    def _take_back_what_git_set_aside(self) -> None:
        """The edit, where git stashed it for a merge and could not put it back, since the index was locked.

        Only what such a stash of git holds is taken: whatever else becomes of the edit is a fault.
        """
        if self._read("diff", "--name-only", "--", EDITED_FILE):
            return
        committed = self._read("show", f"HEAD:{EDITED_FILE}")
        dangling = re.findall(r"^dangling commit (\w+)$", self._read("fsck", "--no-reflogs"), re.MULTILINE)
        dated = sorted(self._read("log", "-1", "--format=%ct %H %s", commit) for commit in dangling)
        for line in reversed([each for each in dated if " WIP on " in each]):
            kept = self._read("show", f"{line.split()[1]}:{EDITED_FILE}")
            if kept not in ("", committed):
                (self._folder / EDITED_FILE).write_text(kept)
                self._ledger.note("set aside by git")
                return

    def _read(self, *arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=self._folder, capture_output=True, check=False)
        return done.stdout.decode("utf-8", "replace")


class Reader:
    """Asks again and again; every answer is whole, or it is noted as broken."""

    def __init__(self, folder: Path, control: Path, ledger: Ledger) -> None:
        self._folder = folder
        self._control = control
        self._ledger = ledger
        self._chance = random.Random(4)
        self._questions: dict[str, Callable[[Store], None]] = {
            name: getattr(self, f"_{name}")
            for name in ("recall", "archived", "list", "show", "moving", "batch")
        }

    def work(self, signals: Signals, pause_seconds: float) -> None:
        while signals.wait_while_paused():
            for name, question in self._questions.items():
                try:
                    question(Store.open(self._folder))
                except Exception:  # noqa: BLE001  whatever a reader sees that is no answer is a finding
                    self._ledger.note("broken", verb=f"read: {name}", message=traceback.format_exc())
                else:
                    self._ledger.note("read", flush=False, verb=f"read: {name}")
                time.sleep(pause_seconds)

    def _recall(self, store: Store) -> None:
        found = store.recall("a steady lighthouse", limit=5)
        assert [each.hit.record.id for each in found.hits][:1] == [STEADY], found

    def _archived(self, store: Store) -> None:
        """A memory that moves between the branches is found once, wherever it stands."""
        wanted = MemoryId(self._chance.choice(CONTESTED))
        found = store.recall(f"zebra {wanted}", limit=200, archived=True)
        blobs = [each.hit.record.blob for each in found.hits if each.hit.record.id == wanted]
        # Twice only while it moves and was changed on the way: then with two texts.
        assert 1 <= len(blobs) <= 2 and len(blobs) == len(set(blobs)), (wanted, blobs, found.total)

    def _list(self, store: Store) -> None:
        records = store.list().records
        ids = [record.id for record in records]
        assert {STEADY, *LOGS} <= set(ids), ids[:20]
        assert len(ids) == len(set(ids)), sorted(ids)

    def _show(self, store: Store) -> None:
        shown = store.show(STEADY)
        assert "steady lighthouse" in shown.memory.body, shown

    def _moving(self, store: Store) -> None:
        """On one branch or on the other, but never nowhere."""
        assert store.show(self._chance.choice(CONTESTED)).memory.body

    def _batch(self, store: Store) -> None:
        """All of a batch or none of it."""
        tags = [tag for record in store.list().records for tag in record.tags if tag.startswith("batch-")]
        for tag in sorted(set(tags[-30:])):
            assert tags.count(tag) == BATCH, (tag, tags.count(tag))


def main(arguments: list[str]) -> None:
    role, folder, control, side, pause = arguments
    ledger, signals = Ledger(Path(control) / f"{role}.ledger"), Signals(Path(control), role)
    if role == "person":
        Person(Path(folder), Path(side), ledger).work(signals, float(pause))
    else:
        Reader(Path(folder), Path(control), ledger).work(signals, float(pause))


if __name__ == "__main__":
    main(sys.argv[1:])
