"""The long soak works: a few seconds of it find nothing, and what is wrong in a store does not escape its proof."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.model.change import Origin
from gitmem.store import Store
from tests.conftest import git
from tests.faults.soak.ledger import Ledger
from tests.faults.soak.proof import Proof
from tests.faults.soak.soak import Soak
from tests.faults.soak.worker import LOGS, Worker, text_of

SOURCE = str(Path(__file__).parents[2])


def test_a_short_soak_finds_nothing(tmp_path: Path) -> None:
    """The command as it is documented, with fewer seconds and processes."""
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.faults.soak",
            "--seconds",
            "10",
            "--processes",
            "3",
            "--folder",
            tmp_path,
        ],
        cwd=SOURCE,
        env={**os.environ, "PYTHONPATH": SOURCE},
        capture_output=True,
        timeout=280,
        check=False,
    )
    said = done.stdout.decode()
    assert done.returncode == 0, said + done.stderr.decode()
    rows = dict(line.rsplit(None, 1) for line in said.splitlines() if line.strip())
    assert int(rows["faults found"]) == 0
    assert int(rows["commits proved"]) > 0 and int(rows["answers to the reader"]) > 0


@pytest.fixture
def soaked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """A store as a soak founds it, with a few acknowledged operations, and the folder of its ledgers."""
    for name, value in {**os.environ, "PYTHONPATH": SOURCE}.items():
        monkeypatch.setenv(name, value)
    Soak(tmp_path, processes=0, seed=1, pause_seconds=0)
    folder, control = tmp_path / "mem", tmp_path / "control"
    ledger, worker = Ledger(control / "w1.ledger"), Worker(folder, "w1", 1, seed=3)
    verbs = [
        "remember",
        "append",
        "update",
        "batch",
        "append",
        "archive",
        "claim",
        "expect",
        "undo",
        "append",
    ]
    for number, verb in enumerate(verbs):
        worker.operate(ledger, verb, f"w1x1x{number}")
    assert Proof(folder, control).check() == []
    return folder, control


def a_commit_that_drops_a_memory(folder: Path, control: Path) -> None:
    name = next(path for path in git(folder, "ls-files").split() if "w1x1x0" in path)
    git(folder, "rm", "-q", name)
    git(folder, "commit", "-qm", "person 1")


def a_line_that_was_never_written(folder: Path, control: Path) -> None:
    token = "w1x1x77"
    ledger = Ledger(control / "w1.ledger")
    ledger.note("begun", verb="append", token=token)
    tip = git(folder, "rev-parse", "main").strip()
    ledger.note("done", verb="append", token=token, facts={"ids": [LOGS[0]], "commit": tip})


def a_line_that_was_written_twice(folder: Path, control: Path) -> None:
    Ledger(control / "w1.ledger").note("begun", verb="append", token="w1x1x78")
    for _ in range(2):
        Store.open(folder).append(
            LOGS[0], text_of("append", "w1x1x78"), origin=Origin(agent="w1", reason="w1x1x78")
        )


def a_memory_on_both_branches(folder: Path, control: Path) -> None:
    store = Store.open(folder)
    path = store.show("contested-1").memory.path
    git(folder, "worktree", "add", "-q", str(control / "archive"), "archive")
    (control / "archive" / path).write_bytes((folder / path).read_bytes())
    git(control / "archive", "add", path)
    git(control / "archive", "commit", "-qm", "double")
    git(folder, "worktree", "remove", str(control / "archive"))


def a_lock_that_stays(folder: Path, control: Path) -> None:
    (folder / ".git" / "refs" / "heads" / "main.lock").touch()


def an_index_that_lacks_a_memory(folder: Path, control: Path) -> None:
    """Git's own index as it was before the last write."""
    before = (folder / ".git" / "index").read_bytes()
    Store.open(folder).remember("not to be dropped", origin=Origin(reason="setup"))
    (folder / ".git" / "index").write_bytes(before)


def an_answer_that_was_an_error(folder: Path, control: Path) -> None:
    Ledger(control / "reader.ledger").note("broken", verb="read: list", message="nothing there")


WRONGS: dict[Callable[[Path, Path], None], str] = {
    a_commit_that_drops_a_memory: "a person's commit touched",
    a_line_that_was_never_written: "was acknowledged and is not there",
    a_line_that_was_written_twice: "is there twice",
    a_memory_on_both_branches: "stands on ['main', 'archive']",
    an_index_that_lacks_a_memory: "git status",
    an_answer_that_was_an_error: "nothing there",
    a_lock_that_stays: "a lock is left",
}


def test_what_is_wrong_does_not_escape_the_proof(soaked: tuple[Path, Path]) -> None:
    folder, control = soaked
    for wrong in WRONGS:
        wrong(folder, control)
    problems = Proof(folder, control).check()
    for named in WRONGS.values():
        assert any(named in problem for problem in problems), (named, problems)
