"""What merges by line broke is found by check and merged by meaning with doctor --fix."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.model.document import parse_document
from gitmem.model.merge.mend import mended, sides_of_markers
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.flows.clones import cloned, fetched, top

MARKED = (
    "---\nid: q\ntype: semantic\ntags:\n  - a\n<<<<<<< HEAD\n  - left\n=======\n  - right\n>>>>>>> other\n---\n"
    "Same.\n\n<<<<<<< HEAD\nLeft.\n=======\nRight.\n>>>>>>> other\n"
)


def test_both_sides_are_read_from_the_markers() -> None:
    """In the header and in the text; with the base where git wrote it; nothing where a set is not whole."""
    sides = sides_of_markers(MARKED)
    assert sides is not None
    assert sides.first == "---\nid: q\ntype: semantic\ntags:\n  - a\n  - left\n---\nSame.\n\nLeft.\n"
    assert sides.second == "---\nid: q\ntype: semantic\ntags:\n  - a\n  - right\n---\nSame.\n\nRight.\n"
    diff3 = MARKED.replace("  - left\n", "  - left\n||||||| base\n  - old\n").replace(
        "Left.\n", "Left.\n||||||| base\nOld.\n"
    )
    found = sides_of_markers(diff3)
    assert found is not None
    assert found.base == "---\nid: q\ntype: semantic\ntags:\n  - a\n  - old\n---\nSame.\n\nOld.\n"
    assert sides_of_markers(MARKED.replace(">>>>>>> other\n", "")) is None
    assert sides_of_markers("a\n=======\nb\n") is None


def test_markers_become_one_memory() -> None:
    text = mended(MARKED)
    assert text is not None
    document = parse_document(text)
    assert document.fields["tags"] == ["a", "left", "right"]
    assert document.fields["status"] == "disputed"
    assert "> Left.\n" in document.body and "> Right.\n" in document.body


def test_an_example_of_a_conflict_in_a_fence_is_left() -> None:
    text = "---\nid: q\n---\nSo it looks:\n\n```\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n```\n"
    assert mended(text) is None


def test_a_field_that_stands_twice_is_merged() -> None:
    """Three times too, and with comments; a header that is broken in another way is left."""
    twice = "---\nid: q\n# one\ntags: [a]\nown: 1\ntags:\n  - b\nconfidence: 0.5\n---\nT.\n"
    assert mended(twice) == "---\nid: q\n# one\ntags:\n  - a\n  - b\nown: 1\nconfidence: 0.5\n---\nT.\n"
    assert (
        mended("---\nid: q\ntags: [a]\ntags: [b]\ntags: [c]\n---\nT.\n")
        == "---\nid: q\ntags: [a, b, c]\n---\nT.\n"
    )
    assert mended("---\nid: q\ntags: [a\n---\nT.\n") is None
    assert mended("---\nid: q\n---\nT.\n") is None


@pytest.mark.parametrize("text", [MARKED, "---\nid: q\ntype: semantic\ntags: [a]\ntags: [b]\n---\nT.\n"])
def test_check_finds_and_doctor_mends(store: Store, folder: Path, text: str) -> None:
    (folder / "q.md").write_text(text)
    git(folder, "add", "q.md")
    git(folder, "commit", "-qm", "broken")
    assert any("doctor --fix" in finding.message for finding in store.check().findings)
    assert [(each.code, each.is_fixed) for each in store.doctor()] == [("merge", False)]
    assert [(each.code, each.is_fixed) for each in store.doctor(fix=True)] == [("merge", True)]
    assert store.check().is_clean
    assert store.doctor() == []
    assert set(store.show("q").memory.tags) >= {"a"}
    assert_sound(folder)
    store.undo()
    assert (folder / "q.md").read_text() == text


def test_one_memory_at_two_paths_after_a_merge_is_one_again(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """Renamed and edited on both sides; plain git keeps both files; a copy made by hand is left alone."""
    store.remember("It is so.\n\nAnd so.", id="one", path="a.md")
    other = cloned(folder, tmp_path / "other", driver=False)
    git(folder, "mv", "a.md", "b.md")
    git(folder, "commit", "-qm", "b")
    store.update("one", "It is left.\n\nAnd so.")
    git(top(other), "mv", "a.md", "c.md")
    git(top(other), "commit", "-qm", "c")
    other.update("one", "It is so.\n\nAnd right.")
    git(folder, "merge", "-q", "--no-edit", "-s", "resolve", fetched(store, other))
    assert {"b.md", "c.md"} <= set(git(folder, "ls-files").split())
    assert "duplicate-id" in [finding.code for finding in store.check().findings]
    assert [(each.code, each.is_fixed) for each in store.doctor(fix=True)] == [("merge", True)]
    assert store.show("one").memory.body == "It is left.\n\nAnd right.\n"
    assert store.show("one").memory.path == "b.md"
    assert store.check().is_clean
    (folder / "copy.md").write_bytes((folder / "b.md").read_bytes())
    git(folder, "add", "copy.md")
    git(folder, "commit", "-qm", "a copy")
    assert {(each.code, each.is_fixed) for each in store.doctor(fix=True)} == {("duplicate-id", False)}
    assert "duplicate-id" in [finding.code for finding in store.check().findings]


def test_two_memories_that_came_to_one_path_get_a_file_each(
    store: Store, folder: Path, tmp_path: Path
) -> None:
    """git's own merge calls the driver for one file: it keeps both whole, and doctor parts them."""
    store.remember("zero", id="zero")
    other = cloned(folder, tmp_path / "other")
    store.remember("One.", id="one", path="same.md")
    other.remember("Two.", id="two", path="same.md")
    git(folder, "merge", "-q", "--no-edit", fetched(store, other))
    (found,) = store.conflicts().memories
    assert (found.id, found.path) == ("one", "same.md")
    with pytest.raises(Exception, match="two memories"):
        store.resolve("one", "first")
    assert [(each.code, each.is_fixed) for each in store.doctor(fix=True)] == [("merge", True)]
    assert (store.show("one").memory.body, store.show("one").memory.path) == ("One.\n", "same.md")
    assert (store.show("two").memory.body, store.show("two").memory.path) == ("Two.\n", "same-two.md")
    assert store.check().is_clean
