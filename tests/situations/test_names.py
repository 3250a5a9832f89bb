"""Names that differ only in case or in the form of their accents: two files for some systems, one for others."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import Conflict
from gitmem.store import Store
from tests.conftest import assert_sound, git

COMPOSED, DECOMPOSED = "caf\u00e9", "cafe\u0301"
SETTINGS = {
    "as usual": {},
    "ignorecase": {"core.ignorecase": "true"},
    "precomposeunicode": {"core.precomposeunicode": "true"},
}


@pytest.fixture(params=SETTINGS)
def settings(request: pytest.FixtureRequest, store: Store, folder: Path) -> None:
    """Git's own settings for systems that fold names; the answer must not depend on them."""
    for name, value in SETTINGS[request.param].items():
        git(folder, "config", name, value)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("notes/a.md", "notes/A.md"),
        ("notes/a.md", "Notes/a.md"),
        (f"{COMPOSED}.md", f"{DECOMPOSED}.md"),
        (f"{COMPOSED}/x.md", f"{DECOMPOSED}/X.md"),
    ],
)
def test_no_second_file_is_made_that_another_system_takes_for_the_first(
    store: Store, folder: Path, settings: None, first: str, second: str
) -> None:
    """A clone on macOS or Windows has a file for each memory."""
    store.remember("one", path=first, id="first")
    other = store.remember("two", path="elsewhere.md", id="second")
    with pytest.raises(Conflict, match="exists already"):
        store.remember("three", path=second)
    with pytest.raises(Conflict):
        store.rename("second", path=second)
    assert store.show("second").memory.path == other.path
    assert_sound(folder)


def test_a_folder_in_another_case_is_no_second_folder(store: Store, folder: Path, settings: None) -> None:
    """Where only the folder's case differs the memory is recorded, once, under a name that stays its own."""
    store.remember("one", path="notes/a.md", id="first")
    store.remember("two", path="NOTES/b.md", id="second")
    assert store.show("second").memory.body == "two\n"
    assert store.list().total == 2
    assert_sound(folder)


def test_a_memory_may_be_renamed_to_another_case_of_its_own_name(
    store: Store, folder: Path, settings: None
) -> None:
    """That is no clash with another memory; history and content stay."""
    store.remember("one", path="notes/a.md", id="first")
    store.rename("first", path="notes/A.md")
    assert store.show("first").memory.path == "notes/A.md"
    assert len(store.log("first").entries) == 2
    assert_sound(folder)


def test_names_that_clash_already_are_both_read_and_the_clash_is_reported(store: Store, folder: Path) -> None:
    """As a person on Linux may have committed them: both are memories, and `check` names them."""
    for name, text in (("a.md", "lower heron"), ("A.md", "upper heron")):
        (folder / name).write_text(f"---\nid: {text.split()[0]}\n---\n{text}\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "both")
    assert store.recall("heron").total == 2
    assert store.show("A.md").memory.body == "upper heron\n"
    assert store.show("a.md").memory.body == "lower heron\n"
    assert any("A.md" in f"{each.path} {each.message}" for each in store.check().findings)
