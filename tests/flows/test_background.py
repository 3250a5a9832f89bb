"""The upkeep of the repository: in the background, one at a time, and never at the cost of an object."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from gitmem.flows.running import background
from gitmem.flows.running.hooks import command_path
from gitmem.flows.work import REFRESH_WANTED
from gitmem.git import upkeep
from gitmem.git.upkeep import keep_up
from gitmem.platform import FileLock
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem

SOURCE = str(Path(__file__).parents[2])


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A few objects are many, and so are a few commits."""
    monkeypatch.setattr(upkeep, "MANY_LOOSE_OBJECTS", 1)
    monkeypatch.setattr(upkeep, "MANY_COMMITS", 3)
    monkeypatch.setattr(upkeep, "_SAMPLE", "../refs")


def counts(folder: Path) -> dict[str, int]:
    lines = git(folder, "count-objects", "-v").splitlines()
    return {name: int(value) for name, value in (line.split(": ") for line in lines)}


def test_upkeep_folds_objects_and_keeps_those_that_no_ref_names(
    store: Store, folder: Path, impatient: None
) -> None:
    """Loose objects become a pack, the unreachable among them too, and the commit graph knows every path."""
    for number in range(4):
        store.remember(f"text {number}", id=f"m{number}")
    orphan = git(folder, "hash-object", "-w", "--stdin", input=b"nobody names this").strip()
    assert counts(folder)["count"] > 10
    assert len(keep_up(store.place.repository, store.commit)) == 2
    assert counts(folder)["count"] == 0
    assert counts(folder)["packs"] == 1
    assert git(folder, "cat-file", "blob", orphan) == "nobody names this"
    git(folder, "commit-graph", "verify")
    assert_sound(folder)
    assert store.show("m3").memory.body == "text 3\n"
    store.remember("goes on", id="later")
    assert store.show("later").memory.body == "goes on\n"


def test_nothing_is_done_that_is_not_due(store: Store, folder: Path) -> None:
    store.remember("one")
    before = counts(folder)
    assert keep_up(store.place.repository, store.commit) == []
    assert counts(folder) == before


def test_a_commit_graph_that_is_young_enough_is_left_alone(store: Store, impatient: None) -> None:
    for number in range(3):
        store.remember(f"text {number}")
    repository = store.place.repository
    assert "commit graph" in " ".join(keep_up(repository, store.commit))
    store.remember("one more")
    assert "commit graph" not in " ".join(keep_up(repository, store.commit))


@pytest.mark.parametrize("why", ["off", "busy", "gc"])
def test_upkeep_stands_back(store: Store, folder: Path, impatient: None, why: str) -> None:
    """Switched off, another one is at it, or git itself is."""
    store.remember("one")
    before = counts(folder)
    if why == "off":
        git(folder, "config", "gitmem.upkeep", "false")
    if why == "gc":
        (folder / ".git" / "gc.pid").write_text("1 host")
    with FileLock(store.place.home / ("upkeep.guard" if why == "busy" else "other.guard")):
        assert keep_up(store.place.repository, store.commit) == []
    assert counts(folder) == before


def test_what_fails_is_said_and_costs_nothing(
    store: Store, folder: Path, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.remember("one")
    monkeypatch.setenv("PATH", str(folder))
    said: list[str] = []
    Store.open(folder, notice=said.append).hook("post-commit")
    assert any("upkeep of the repository failed" in sentence for sentence in said)


def test_a_write_wakes_one_background_process_when_much_has_piled_up(
    store: Store, folder: Path, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None while it is wished for already, switched off, or little has piled up."""
    started: list[Sequence[str]] = []
    monkeypatch.setattr("gitmem.platform.spawn_detached", lambda argv, **_: started.append(argv))
    store.remember("hooks are asleep")
    assert started == []
    monkeypatch.delenv("GITMEM_HOOKS")
    git(folder, "config", "gitmem.upkeep", "false")
    store.remember("switched off")
    assert started == []
    git(folder, "config", "--unset", "gitmem.upkeep")
    store.remember("first")
    store.remember("second")
    assert started == [[command_path(), "hook", "post-commit"]]
    assert (store.place.home / REFRESH_WANTED).exists()
    (store.place.home / REFRESH_WANTED).unlink()
    monkeypatch.setattr(background, "has_much_to_fold", lambda _: False)
    store.remember("little")
    assert len(started) == 1


def test_many_small_writes_are_folded_by_themselves(store: Store, folder: Path) -> None:
    """The real process, started by a write, detached: in the end it is done."""
    program = (
        "import sys\nfrom gitmem.git import upkeep\nupkeep.MANY_LOOSE_OBJECTS = 1\nupkeep._SAMPLE = '../refs'\n"
        "from gitmem.store import Store\nStore.open(sys.argv[1]).remember('x')\n"
    )
    for number in range(upkeep.MANY_PACKS):
        blob = git(folder, "hash-object", "-w", "--stdin", input=f"orphan {number}".encode())
        git(folder, "pack-objects", "-q", ".git/objects/pack/pack", input=blob.encode())
    assert counts(folder)["packs"] == upkeep.MANY_PACKS
    environment = {**os.environ, "PYTHONPATH": SOURCE}
    del environment["GITMEM_HOOKS"]
    subprocess.run([sys.executable, "-c", program, str(folder)], env=environment, check=True)
    deadline = time.monotonic() + 60
    while counts(folder)["packs"] > 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    assert counts(folder)["packs"] <= 2
    assert_sound(folder)


def test_writers_and_readers_beside_the_upkeep_lose_nothing(store: Store, folder: Path) -> None:
    """Repacking again and again while others write: every memory is there, and the repository is whole."""
    store.remember("first", id="first")
    program = (
        "import sys\nfrom gitmem.store import Store\nstore = Store.open(sys.argv[1])\n"
        "for n in range(25):\n    store.remember(f'{sys.argv[2]} {n}', id=f'{sys.argv[2]}{n}')\n"
        "    assert store.show('first').memory.body == 'first\\n'\n"
    )
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(folder), name],
            env={**os.environ, "PYTHONPATH": SOURCE},
            stderr=subprocess.PIPE,
        )
        for name in "ab"
    ]
    while any(writer.poll() is None for writer in writers):
        upkeep._fold(store.place.repository)
        upkeep._write_graph(store.place.repository, store.commit or "")
    for writer in writers:
        assert writer.wait() == 0, writer.communicate()[1].decode()
    assert store.list().total == 51
    assert_sound(folder)
    git(folder, "commit-graph", "verify")


def test_the_hook_command_keeps_the_repository_up(store: Store, folder: Path) -> None:
    """A switch in git's config keeps it from doing so."""
    for number in range(upkeep.MANY_COMMITS):
        git(folder, "commit", "-q", "--allow-empty", "-m", f"{number}")
    git(folder, "config", "gitmem.upkeep", "false")
    assert gitmem(folder, "hook", "post-commit").code == 0
    assert not (folder / ".git/objects/info/commit-graphs").exists()
    git(folder, "config", "gitmem.upkeep", "true")
    assert gitmem(folder, "hook", "post-commit").code == 0
    git(folder, "commit-graph", "verify")
    assert (folder / ".git/objects/info/commit-graphs").exists()
