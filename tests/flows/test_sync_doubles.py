"""What two clones wrote on main and on the archive under one id is one memory after a sync, with both texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.flows.doctoring.ailment import Ailment
from gitmem.model.memory import Memory
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.flows.clones import cloned, top

TEXT = "The old office is in Lyon."


@pytest.fixture
def other(store: Store, folder: Path, tmp_path: Path) -> Store:
    """A second clone of a store in which one memory is archived; `store` is the first."""
    store.remember(TEXT, id="office", namespace="places")
    store.archive(["office"])
    git(tmp_path, "clone", "-q", "--bare", str(folder), "hub.git")
    git(folder, "remote", "add", "origin", "../hub.git")
    store.sync()
    second = cloned(tmp_path / "hub.git", tmp_path / "other", driver=False)
    second.sync()
    return second


def settle(*stores: Store) -> None:
    """Syncs until all are alike; then each stands on one branch, and nothing is left to mend."""
    for each in (*stores, *stores):
        each.sync()
    for each in stores:
        assert each.place.tip("main") == stores[0].place.tip("main")
        assert each.place.snapshot_of("archive").named("office") == []
        assert doubled(each) == []
        assert_sound(top(each))


def doubled(store: Store, *, fix: bool = False) -> list[Ailment]:
    """What doctor says of memories that stand on both branches."""
    return [each for each in store.doctor(fix=fix) if each.code == "doubled"]


def body(store: Store) -> str:
    return store.show("office").memory.body


@pytest.mark.parametrize("is_first_here", [True, False])
def test_a_change_on_the_archive_meets_a_restore(store: Store, other: Store, is_first_here: bool) -> None:
    store.restore(["office"])
    other.on("archive").append("office", "The lease ran until May.")
    first, second = (store, other) if is_first_here else (other, store)
    first.sync()
    settle(second, first)
    assert body(store) == f"{TEXT}\nThe lease ran until May.\n"


@pytest.mark.parametrize("is_first_here", [True, False])
def test_what_was_restored_changed_and_archived_again_meets_a_restore(
    store: Store, other: Store, is_first_here: bool
) -> None:
    store.restore(["office"])
    other.restore(["office"])
    other.append("office", "The lease ran until May.")
    other.archive(["office"])
    first, second = (store, other) if is_first_here else (other, store)
    first.sync()
    settle(second, first)
    assert body(store) == f"{TEXT}\nThe lease ran until May.\n"


@pytest.mark.parametrize("path", [None, "notes/of-a-bird.md"])
@pytest.mark.parametrize("is_first_here", [True, False])
def test_what_is_new_here_under_an_id_that_was_archived_there_keeps_both_texts(
    store: Store, other: Store, is_first_here: bool, path: str | None, tmp_path: Path
) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("the lease")
    store.restore(["office"])
    for each in (store, other):
        each.sync()
    store.remember("A heron is a bird.", id="bird", path=path)
    store.attach("bird", [notes])
    store.archive(["bird"])
    other.remember("A bird may be a heron or a stork.", id="bird", path=path)
    first, second = (store, other) if is_first_here else (other, store)
    first.sync()
    synced = second.sync()
    assert [str(line.case) for line in synced.report] == ["born-twice"]
    first.sync()
    for each in (store, other):
        assert list(each.place.snapshot_of("archive").files()) == []
        shown = each.show("bird").memory
        assert "is a bird" in shown.body and "or a stork" in shown.body
        assert shown.attachments == ("notes.txt",)
        assert doubled(each) == []
        assert_sound(top(each))


def test_what_was_archived_at_its_old_path_leaves_the_archive_where_it_was_renamed_and_changed(
    store: Store, other: Store
) -> None:
    """The file is not named after its id, so only its path leads to it."""
    store.remember("A heron is a bird.", id="bird", path="notes/first.md")
    store.sync()
    other.sync()
    store.rename("bird", path="notes/second.md")
    store.append("bird", "It is grey.")
    store.sync()
    other.archive(["bird"])
    other.remember("Another one.", id="stork", path="notes/second.md")
    other.archive(["stork"])
    other.sync()
    assert [memory.id for memory in on_archive(other)] == ["office", "stork"]
    assert other.show("bird").memory.body == "A heron is a bird.\nIt is grey.\n"
    assert doubled(other) == []


@pytest.mark.parametrize("is_replaced", [True, False])
def test_what_was_attached_before_it_was_archived_comes_along_with_the_change(
    store: Store, other: Store, tmp_path: Path, is_replaced: bool
) -> None:
    lease = tmp_path / "lease.txt"
    lease.write_text("until April\n")
    store.remember("A heron is a bird.", id="bird")
    if is_replaced:
        store.attach("bird", [lease])
    store.sync()
    other.sync()
    lease.write_text("until May\n")
    store.attach("bird", [lease], replace=True)
    store.archive(["bird"])
    store.sync()
    other.append("bird", "It is grey.")
    other.sync()
    shown = other.show("bird").memory
    assert shown.body == "A heron is a bird.\nIt is grey.\n"
    assert shown.attachments == ("lease.txt",)
    kept = top(other) / shown.path.removesuffix(".md")
    assert kept.with_suffix(".files").joinpath("lease.txt").read_text() == "until May\n"
    assert doubled(other) == []


def on_archive(store: Store) -> list[Memory]:
    snapshot = store.place.snapshot_of("archive")
    return sorted((snapshot.read(*file) for file in snapshot.files()), key=lambda memory: memory.id)


def test_a_text_that_came_another_way_is_no_older_one(store: Store, other: Store, folder: Path) -> None:
    """Plain git brought both together: a person decides, and doctor takes neither away."""
    store.remember("A heron is a bird.", id="bird", path="bird.md")
    store.archive(["bird"])
    store.sync()
    other.remember("A bird may be a heron.", id="bird", path="bird.md")
    there = top(other)
    git(there, "pull", "-q", "--no-rebase", "--no-edit", "origin", "main")
    git(there, "fetch", "-q", "origin", "archive:archive")
    (found,) = doubled(Store.open(there), fix=True)
    assert not found.is_fixed and "with another text" in found.message
    assert len(Store.open(there).place.snapshot_of("archive").named("bird")) == 1
