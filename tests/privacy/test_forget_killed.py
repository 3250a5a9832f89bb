"""Killed between any two steps, a forget leaves a store that works, and the same command finishes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.store import Store
from tests.conftest import git, gitmem
from tests.faults.forked import forked
from tests.privacy import raw_search

SECRET = "swordfish-2290417"
POINTS = (
    "forget.intent",
    "pack.half-placed",
    "forget.written",
    "publish.before-ref",
    "publish.after-ref",
    "forget.main-moved",
    "publish.after-ref:2",
    "forget.branch-moved",
    "forget.refs-moved",
    "forget.worktrees-cleaned",
    "forget.logs-rewritten",
    "forget.derived-removed",
    "forget.purged",
    "forget.scanned",
)


@pytest.fixture
def prepared(store: Store, folder: Path) -> Store:
    """A memory with two versions, one on the archive, on a tag, and in a note; and one that stays."""
    store.remember("kept here", id="kept0001")
    store.remember(f"It is {SECRET} and nothing else.", id="gone0001")
    git(folder, "tag", "-a", "old", "-m", f"with {SECRET}")
    git(folder, "notes", "add", "-m", SECRET)
    store.update("gone0001", f"It was {SECRET} until today.")
    store.archive(["gone0001"])
    store.recall("kept", archived=True)
    return store


@pytest.mark.parametrize("point", POINTS)
def test_a_killed_forget_is_finished_by_the_same_command(prepared: Store, folder: Path, point: str) -> None:
    outcome = forked(lambda: Store.open(folder).forget(["gone0001"]), fault=point)
    assert outcome.was_killed, f"does not pass {point}: {outcome}"
    between = Store.open(folder)
    assert between.remember("the store works", id="works001").id == "works001"
    assert [hit.hit.record.id for hit in between.recall("kept").hits] == ["kept0001"]
    assert any("a forget is under way" in note for note in between.status().notes)
    git(folder, "fsck", "--strict")
    receipt = between.forget(["gone0001"])
    assert receipt.proof.holds and receipt.is_repeated
    assert raw_search.places(folder, [SECRET.encode(), b"gone0001"]) == []
    store = Store.open(folder)
    assert sorted(record.id for record in store.list().records) == ["kept0001", "works001"]
    assert not (folder / ".git/gitmem/forgetting").exists()
    assert git(folder, "status", "--porcelain") == ""
    git(folder, "fsck", "--strict")


def test_the_command_without_arguments_goes_on(prepared: Store, folder: Path) -> None:
    """What was agreed to once is not asked for again."""
    assert forked(lambda: Store.open(folder).forget(["gone0001"]), fault="forget.main-moved").was_killed
    done = gitmem(folder, "forget")
    assert done.code == 0, done.err
    assert done.out.startswith("went on and forgot gone0001 on ")
    assert raw_search.places(folder, [SECRET.encode()]) == []
    idle = gitmem(folder, "forget")
    assert idle.code == 2 and "ID..." in idle.err
