"""What must hold of the store of a soak whenever its processes rest, and at the end."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from gitmem.flows.reading.source import SnapshotSource
from gitmem.index.branch_index import BranchIndex
from gitmem.index.view import IndexView
from gitmem.recall.search import search
from gitmem.store import Store
from gitmem.versions.snapshot import Snapshot
from tests.faults.soak.history import History
from tests.faults.soak.ledger import Line, read_ledger
from tests.faults.soak.worker import LOGS

QUESTIONS = (
    "steady lighthouse",
    "which puffin was seen?",
    "walrus claimed",
    "the heron stands",
    "zebra",
    "line w1",
)
EXPECTED_STATUS = [" M hand.md", "?? mine.txt"]
"""What the person has: an edit and a file that are not committed."""
_GITS_SECONDS = 120
_TEMPORARY = re.compile(
    r"building-.*|index-\d+-.*|.*\.aside-\d+|.*\.part|.*\.tmp|.*\.new|.*\.scratch|.*\.sparse"
)
_ENDED = frozenset({"done", "refused", "nothing", "broken"})


class Proof:
    """The proof of one store; `check` may be repeated, and goes on where it was with the history."""

    def __init__(self, folder: Path, control: Path) -> None:
        self._folder = folder
        self._control = control
        self._history: History | None = None
        self.commits = 0

    def check(self) -> list[str]:
        """Everything that is wrong, in words; nothing, as it should be."""
        wait_for_processes_in(self._folder)
        # A journal folder without an entry is looked at as dead after two seconds.
        time.sleep(2.1)
        problems = [*self._next_command()]
        problems += leftovers(self._folder)
        store = Store.open(self._folder)
        repository = store.place.repository
        self._history = self._history or History(repository)
        try:
            problems += self._history.read()
        except AssertionError as error:
            problems.append(str(error))
        self.commits = len(self._history.main.commits) + len(self._history.archive.commits)
        problems += acknowledged(self._history, ledgers(self._control))
        problems += memories_stand_once(store, self._history, ledgers(self._control))
        problems += logs_are_whole(store, self._history)
        problems += git_is_content(self._folder)
        for branch in ("main", "archive"):
            if store.place.tip(branch):
                problems += index_is_right(store, branch)
        return problems

    def _next_command(self) -> Iterator[str]:
        command = [
            sys.executable,
            "-m",
            "gitmem.cli.main",
            "-C",
            str(self._folder),
            "recall",
            "--archived",
            "x",
        ]
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            yield f"gitmem recall: exit {done.returncode}: {done.stderr.decode()}"


def ledgers(control: Path) -> dict[str, list[Line]]:
    """What every process said, by its name."""
    return {file.stem: list(read_ledger(file)) for file in sorted(control.glob("*.ledger"))}


def wait_for_processes_in(folder: Path) -> None:
    """Lets git's own upkeep and the refreshes that hooks started come to their end."""
    deadline = time.monotonic() + _GITS_SECONDS
    top = str(folder.resolve())
    while time.monotonic() < deadline:
        stands = []
        for place in Path("/proc").glob("[0-9]*/cwd"):
            try:
                stands.append(str(place.readlink()))
            except OSError:
                continue
        if not any(where == top or where.startswith(f"{top}/") for where in stands):
            return
        time.sleep(0.1)


def leftovers(folder: Path) -> Iterator[str]:
    """Locks, journal entries and temporary files that should be gone by now."""
    git_dir = folder / ".git"
    ours = git_dir / "gitmem"
    for file in git_dir.rglob("*.lock"):
        yield f"a lock is left: {file.relative_to(folder)}"
    for name in ("journal", "moves"):
        for entry in (ours / name).glob("*"):
            yield f"left in the {name}: {entry.name}"
    for place in [*ours.rglob("*"), *folder.rglob(".gitmem-*")]:
        if _TEMPORARY.fullmatch(place.name) or place.name.startswith(".gitmem-"):
            yield f"a temporary file is left: {place.relative_to(folder)}"


def acknowledged(history: History, said: dict[str, list[Line]]) -> Iterator[str]:
    """Every acknowledged write has its commit, once; a refused one has none; a killed one at most one."""
    main, archive = history.main, history.archive
    for name, lines in said.items():
        begun = {line["token"]: line["verb"] for line in lines if line["kind"] == "begun"}
        ended = {line["token"]: line for line in lines if line["kind"] in _ENDED and "token" in line}
        for token, verb in begun.items():
            line = ended.get(token, {"kind": "killed"})
            counts = main.tokens[token], archive.tokens[token]
            if max(counts) > 1:
                yield f"{token} ({verb}) is there twice: {counts}"
            if line["kind"] in ("refused", "nothing") and main.tokens[token]:
                yield f"{token} ({verb}) was refused and is there: {line}"
            if line["kind"] == "done":
                facts = line["facts"]
                for branch, key in ((main, "commit"), (archive, "other")):
                    commit = facts.get(key)
                    if commit is not None and (commit not in branch.commits or not branch.tokens[token]):
                        yield f"{token} ({verb}) was acknowledged and is not there: {line}"
                if facts.get("commit") is None and "commit" in facts and main.tokens[token]:
                    yield f"{token} ({verb}) said that it changed nothing, and did: {line}"
            if line.get("shows_both") is False:
                yield f"{token} ({verb}) was stale and did not show both texts"
        for line in lines:
            if line["kind"] == "broken":
                yield f"{name}: {line['verb']}: {line['message']}"
            if line["kind"] == "committed" and main.subjects[line["subject"]] != 1:
                yield f"{name}: the commit {line['subject']!r} is there {main.subjects[line['subject']]} times"


def memories_stand_once(store: Store, history: History, said: dict[str, list[Line]]) -> Iterator[str]:
    """Every acknowledged memory stands on one branch, unless it was undone; no id stands twice."""
    where: dict[str, list[str]] = {}
    for branch in ("main", "archive"):
        for memory_id in _ids(store.place.snapshot_of(branch)):
            where.setdefault(memory_id, []).append(branch)
    for memory_id, branches in where.items():
        if len(branches) != 1:
            yield f"{memory_id} stands on {branches}"
    for lines in said.values():
        for line in lines:
            if line["kind"] == "done" and line["verb"] in ("remember", "claim", "batch"):
                for memory_id in line["facts"]["ids"]:
                    if memory_id not in where and line["token"] not in history.undone:
                        yield f"{memory_id} of {line['token']} was acknowledged and stands nowhere"


def _ids(snapshot: Snapshot) -> list[str]:
    return [snapshot.read(path, blob).id for path, blob in snapshot.files()]


def logs_are_whole(store: Store, history: History) -> Iterator[str]:
    """What was only appended to holds every line of history, in its order, once, unless undone."""
    for name in LOGS:
        memory = store.show(name).memory
        lines = [line for line in memory.body.splitlines() if line.startswith("- line ")]
        tokens = [line.removeprefix("- line ") for line in history.appended[memory.path]]
        wanted = [f"- line {token}" for token in tokens if token not in history.undone]
        if lines != wanted:
            lost, extra = Counter(wanted) - Counter(lines), Counter(lines) - Counter(wanted)
            yield f"{name} does not hold what was appended: lost {dict(lost)}, not known {dict(extra)}"


def git_is_content(folder: Path) -> Iterator[str]:
    """`git fsck` has nothing to say, and `git status` shows what the person has and nothing else."""
    done = subprocess.run(
        ["git", "fsck", "--strict", "--no-dangling", "--no-progress"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    if done.returncode or done.stdout or done.stderr:
        yield f"git fsck: exit {done.returncode}: {(done.stdout + done.stderr).decode()[:2000]}"
    done = subprocess.run(["git", "status", "--porcelain"], cwd=folder, capture_output=True, check=True)
    if sorted(done.stdout.decode().splitlines()) != EXPECTED_STATUS:
        yield f"git status: {done.stdout.decode()[:2000]!r}"


def index_is_right(store: Store, branch: str) -> Iterator[str]:
    """The index on the disk answers every question exactly as one that was built from nothing."""
    handle = store.on(branch)
    commit = handle.commit
    assert commit is not None
    source = SnapshotSource(store.place)
    home = store.place.home / "index" / branch
    with tempfile.TemporaryDirectory(dir=store.place.home.parent) as fresh_home:
        place = Path(fresh_home) / "gitmem" / "index" / branch
        place.parent.parent.mkdir()
        said: list[str] = []
        with (
            BranchIndex(home, source, notice=said.append).view(commit) as kept,
            BranchIndex(place, SnapshotSource(store.place)).view(commit) as fresh,
        ):
            if list(kept.records()) != list(fresh.records()):
                yield f"the index of {branch} lists other memories than a fresh one"
            for question in QUESTIONS:
                if _answer(kept, question) != _answer(fresh, question):
                    yield f"the index of {branch} answers {question!r} otherwise than a fresh one"
        for sentence in said:
            yield f"the index of {branch}: {sentence}"


def _answer(view: IndexView, question: str) -> list[tuple[str, float]]:
    return [(hit.record.id, round(hit.score, 9)) for hit in search(view, question, limit=500).hits]
