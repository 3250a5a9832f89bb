"""Edits that are not committed are found and marked, and never committed by the way."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gitmem.errors import Conflict
from gitmem.store import Store
from tests.conftest import git


@pytest.fixture
def edited(store: Store, folder: Path) -> Store:
    """A committed memory with an edit, a new note, and a committed one that was deleted by hand."""
    store.remember("kestrel", id="one", path="one.md", title="first")
    store.remember("kestrel two", id="two", path="two.md", title="second")
    store.recall("kestrel")
    (folder / "one.md").write_text((folder / "one.md").read_text().replace("kestrel", "merlin"))
    (folder / "new.md").write_text("---\nid: new\n---\na merlin in spring\n")
    (folder / "two.md").unlink()
    return store


def found(store: Store, query: str) -> dict[str, tuple[str, ...]]:
    return {each.hit.record.id: each.hit.labels for each in store.recall(query).hits}


def test_recall_and_list_find_what_stands_in_the_worktree(edited: Store, folder: Path) -> None:
    before = git(folder, "status", "--porcelain"), git(folder, "rev-parse", "HEAD")
    assert found(edited, "merlin") == {"one": ("changed, not committed",), "new": ("added, not committed",)}
    assert found(edited, "kestrel") == {"two": ("removed, not committed",)}
    listing = edited.list()
    assert {record.id: listing.labels[record.path] for record in listing.records} == {
        "one": ("changed, not committed",),
        "new": ("added, not committed",),
        "two": ("removed, not committed",),
    }
    assert (git(folder, "status", "--porcelain"), git(folder, "rev-parse", "HEAD")) == before


def test_show_gives_the_edit_and_the_version_beneath_it(edited: Store) -> None:
    shown = edited.show("one")
    assert (shown.memory.body, shown.edit) == ("merlin\n", "changed, not committed")
    assert shown.version is not None
    assert b"merlin" in shown.raw
    new = edited.show("new")
    assert (new.version, new.edit) == (None, "added, not committed")
    assert edited.show("one@v1").memory.body == "kestrel\n"
    with pytest.raises(Conflict):
        edited.update("one", "overwritten", expect=shown.version)


def test_nothing_of_an_edit_is_left_when_it_is_taken_back(edited: Store, folder: Path) -> None:
    edited.recall("merlin")
    git(folder, "stash", "-q", "--include-untracked")
    assert found(edited, "merlin") == {}
    assert found(edited, "kestrel") == {"one": (), "two": ()}
    git(folder, "stash", "pop", "-q")
    assert set(found(edited, "merlin")) == {"one", "new"}


def test_a_memory_moved_by_hand_is_found_once(store: Store, folder: Path) -> None:
    store.remember("kestrel", id="one", path="one.md")
    (folder / "one.md").rename(folder / "moved.md")
    assert found(store, "kestrel") == {"one": ("added, not committed",)}


def test_an_unmerged_file_is_shown_as_it_was_committed(store: Store, folder: Path) -> None:
    """Conflict markers are no text of a memory."""
    store.remember("base", id="one", path="one.md")
    git(folder, "checkout", "-qb", "side")
    (folder / "one.md").write_text("---\nid: one\n---\ntheirs\n")
    git(folder, "commit", "-qam", "side")
    git(folder, "checkout", "-q", "main")
    (folder / "one.md").write_text("---\nid: one\n---\nours\n")
    git(folder, "commit", "-qam", "main")
    git(folder, "config", "--unset", "merge.gitmem.driver")
    git(folder, "merge", "-q", "side", check=False)
    assert "<<<<" in (folder / "one.md").read_text()
    assert store.show("one").memory.body == "ours\n"
    assert found(store, "theirs") == {}


def test_other_branches_and_the_past_have_no_edits(edited: Store, folder: Path) -> None:
    past = edited.at("HEAD")
    assert found(past, "merlin") == {}
    git(folder, "stash", "-q", "--include-untracked")
    git(folder, "checkout", "-q", "--detach")
    (folder / "one.md").write_text("---\nid: one\n---\nmerlin elsewhere\n")
    assert found(Store.open(folder), "merlin") == {}


def test_where_looking_is_dear_the_answer_says_what_it_shows(
    edited: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gitmem.flows.reading.edits.CHEAP_FILES", 1)
    answer = edited.recall("kestrel")
    assert any("committed" in note for note in answer.notes)
    assert {each.hit.record.id for each in answer.hits} == {"one", "two"}


def test_edits_that_are_remembered_between_questions_are_still_those_in_the_files(
    edited: Store, folder: Path
) -> None:
    """What git said of a worktree is used again only while the worktree is as it was."""
    time.sleep(0.3)
    first = found(edited, "merlin")
    assert edited._work.kept.worktree is not None
    assert found(edited, "merlin") == first
    (folder / "one.md").write_text((folder / "one.md").read_text().replace("merlin", "osprey"))
    assert set(found(edited, "merlin")) == {"new"}
    assert set(found(edited, "osprey")) == {"one"}
    (folder / "new.md").unlink()
    assert found(edited, "merlin") == {}
    git(folder, "checkout", "-q", "--", ".")
    assert found(edited, "kestrel") == {"one": (), "two": ()}


def test_git_is_asked_once_while_nothing_changes(edited: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking at a worktree that was looked at starts no process; nor does one without edits."""
    time.sleep(0.3)
    before = found(edited, "merlin")

    def refuse(_repository: object) -> list[tuple[str, str]]:
        raise AssertionError("git was asked")

    monkeypatch.setattr("gitmem.git.worktree_state.changed_by_git", refuse)
    assert found(edited, "merlin") == before
    edited.close()
    with pytest.raises(AssertionError, match="git was asked"):
        edited.recall("merlin")


@pytest.mark.parametrize("name", [".gitattributes", ".git/info/attributes"])
def test_a_filter_that_comes_up_counts_between_questions(edited: Store, folder: Path, name: str) -> None:
    """A file with a filter is not looked at, also where its edit was shown before."""
    time.sleep(0.3)
    assert set(found(edited, "merlin")) == {"one", "new"}
    (folder / name).write_text("one.md filter=nothing\n")
    assert set(found(edited, "merlin")) == set(found(Store.open(folder), "merlin")) == {"new"}


def test_an_edit_of_a_file_that_was_missing_is_shown_once_that_is_back(edited: Store, folder: Path) -> None:
    """While the object of what was committed is gone, nothing can be said of the edit."""
    blob = git(folder, "rev-parse", "HEAD:one.md").strip()
    place = folder / ".git/objects" / blob[:2] / blob[2:]
    away = place.rename(place.with_name("away"))
    time.sleep(0.3)
    asked = Store.open(folder)
    assert set(found(asked, "merlin")) == {"new"}
    away.rename(place)
    assert set(found(asked, "merlin")) == {"one", "new"}
