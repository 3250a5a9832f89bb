"""What git can put in the place of history: replaced objects, grafts; and refs that move on their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.store import Store
from tests.conftest import assert_sound, git


@pytest.fixture
def versions(store: Store, folder: Path) -> list[str]:
    """A memory in three versions; their commits, the oldest first."""
    made = [store.remember("v1", path="a.md", id="a").version]
    made += [store.update("a", text).version for text in ("v2", "v3")]
    return [str(each) for each in made]


def numbers(store: Store) -> list[int | None]:
    return [entry.number for entry in store.log("a").entries]


def test_a_replaced_commit_is_shown_as_it_was_made_and_that_is_said(
    store: Store, folder: Path, versions: list[str]
) -> None:
    """`git replace --graft` hides no version from any reading, and writes go on from the real commit."""
    git(folder, "replace", "--graft", versions[2], git(folder, "rev-parse", f"{versions[0]}~1").strip())
    assert numbers(store) == [3, 2, 1]
    assert store.at("HEAD~1").show("a").memory.body == "v2\n"
    assert any("git replace" in note for note in store.status().notes)
    store.append("a", "more")
    assert git(folder, "cat-file", "commit", "HEAD").split("\n")[1] == f"parent {versions[2]}"
    assert numbers(store) == [4, 3, 2, 1]
    assert_sound(folder)


def test_a_replaced_text_is_shown_as_it_was_written(store: Store, folder: Path, versions: list[str]) -> None:
    """The memory is what was committed; a file that git checked out from the replacement is an edit."""
    other = git(folder, "hash-object", "-w", "--stdin", input=b"other\n").strip()
    git(folder, "replace", git(folder, "rev-parse", "HEAD:a.md").strip(), other)
    assert store.show("a").memory.body == "v3\n"
    store.append("a", "more")
    assert store.show("a").memory.body == "v3\nmore\n"
    git(folder, "replace", "-d", *git(folder, "replace", "-l").split())
    assert_sound(folder)


def test_grafts_are_followed_as_git_follows_them_and_that_is_said(
    store: Store, folder: Path, versions: list[str]
) -> None:
    """History, numbers and the past agree with `git log` while `info/grafts` is there, and again without it."""
    assert store.at("2026-11-29").show("a").memory.body == "v3\n"
    grafts = folder / ".git/info/grafts"
    grafts.write_text(f"{versions[2]} {git(folder, 'rev-parse', versions[0] + '~1').strip()}\n")
    grafted = Store.open(folder)
    assert len(git(folder, "log", "--format=%H", "--", "a.md").split()) == len(numbers(grafted)) == 1
    assert grafted.at("HEAD~1").list().total == 0
    assert any("info/grafts" in note for note in grafted.status().notes)
    grafted.append("a", "more")
    assert numbers(grafted) == [2, 1]
    grafts.unlink()
    assert numbers(Store.open(folder)) == [4, 3, 2, 1]
    assert Store.open(folder).at("HEAD~2").show("a").memory.body == "v2\n"
    assert_sound(folder)


@pytest.mark.parametrize("how", ["reset", "amend"])
def test_a_rewritten_branch_is_the_branch(store: Store, folder: Path, versions: list[str], how: str) -> None:
    """What a person takes out of history, or writes anew, is out of every answer and of the past."""
    assert store.recall("v3").total == store.at("2026-11-29").recall("v3").total == 1
    if how == "reset":
        git(folder, "reset", "-q", "--hard", "HEAD~1")
    else:
        (folder / "a.md").write_text((folder / "a.md").read_text().replace("v3", "v2"))
        git(folder, "commit", "-qa", "--amend", "--allow-empty", "-m", "amended")
    assert store.show("a").memory.body == "v2\n"
    assert store.recall("v3").total == store.at("2026-11-29").recall("v3").total == 0
    store.append("a", "more")
    assert_sound(folder)
