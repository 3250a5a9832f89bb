"""What git may do to a file between the worktree and its objects: line ends, keywords, encodings, filters."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from gitmem.errors import UnsupportedRepository
from gitmem.store import Store
from tests.conftest import assert_sound, git


def attributes(folder: Path, text: str) -> None:
    """The attributes of the tree are `text`, committed."""
    (folder / ".gitattributes").write_text(text)
    git(folder, "add", ".gitattributes")
    git(folder, "commit", "-qm", "attributes")


def checked_out_anew(folder: Path, path: str) -> bytes:
    """The file as git itself writes it."""
    (folder / path).unlink()
    git(folder, "checkout", "-q", "--", path)
    return (folder / path).read_bytes()


CONVERSIONS = {
    "autocrlf true": ("", {"core.autocrlf": "true"}),
    "autocrlf input": ("", {"core.autocrlf": "input"}),
    "eol crlf": ("*.md text eol=crlf\n", {}),
    "text auto and core.eol": ("*.md text=auto\n", {"core.eol": "crlf"}),
    "eol lf over autocrlf": ("*.md text eol=lf\n", {"core.autocrlf": "true"}),
    "the old name crlf": ("*.md crlf\n", {"core.eol": "crlf"}),
    "ident": ("*.md ident\n", {}),
    "ident and crlf": ("*.md ident text eol=crlf\n", {}),
    "binary": ("*.md binary\n", {"core.autocrlf": "true"}),
}


@pytest.mark.parametrize("name", CONVERSIONS)
def test_files_stand_in_the_worktree_as_git_itself_writes_them(store: Store, folder: Path, name: str) -> None:
    """Every write leaves the bytes that a checkout would, the status clean, and the text what was given."""
    rules, settings = CONVERSIONS[name]
    for key, value in settings.items():
        git(folder, "config", key, value)
    attributes(folder, rules)
    path = store.remember("one\ntwo $Id$", id="a").path
    store.append("a", "three")
    store.tag("a", add=["x"])
    store.archive(["a"])
    store.restore(["a"])
    mine = (folder / path).read_bytes()
    assert git(folder, "status", "--porcelain") == ""
    assert mine == checked_out_anew(folder, path)
    assert store.show("a").memory.body == "one\ntwo $Id$\nthree\n"
    with (folder / path).open("ab") as file:
        file.write(b"by hand\n")
    assert store.recall("hand").total == 1
    store.commit_edits()
    checked_out_anew(folder, path)
    assert_sound(folder)


@pytest.mark.parametrize("encoding", ["UTF-16", "UTF-16LE-BOM", "ISO-8859-1"])
def test_an_encoding_of_the_worktree_is_read_and_not_written(
    store: Store, folder: Path, encoding: str
) -> None:
    """Committed or edited by hand, the memory is its text; gitmem's own writes are refused in one line."""
    attributes(folder, f"*.md -text\nnotes/*.md working-tree-encoding={encoding} text\n")
    python_name = encoding.removesuffix("-BOM")
    (folder / "notes").mkdir()
    (folder / "notes/n.md").write_bytes("café otter\n".encode(python_name))
    git(folder, "add", "notes")
    git(folder, "commit", "-qm", "note")
    assert store.recall("otter").hits[0].hit.record.title == "café otter"
    (folder / "notes/n.md").write_bytes("café heron\n".encode(python_name))
    assert store.recall("heron").hits[0].hit.record.title == "café heron"
    with pytest.raises(UnsupportedRepository, match=f"working-tree-encoding={encoding}"):
        store.append("notes/n.md", "x")
    with pytest.raises(UnsupportedRepository, match=f"working-tree-encoding={encoding}"):
        store.remember("x", path="notes/x.md")
    store.commit_edits()
    assert git(folder, "show", "HEAD:notes/n.md") == "café heron\n"
    assert_sound(folder)


def test_an_edit_in_an_encoding_that_is_none_is_said_not_to_be_shown(store: Store, folder: Path) -> None:
    """Bytes that cannot be read are no text of odd characters: the committed text is shown, and why."""
    written = store.remember("otter", path="n.md", id="n")
    attributes(folder, "*.md working-tree-encoding=punycode text\n")
    (folder / written.path).write_text("heron\n")
    said: list[str] = []
    again = Store.open(folder, notice=said.append)
    assert again.recall("heron").total == 0
    assert any("n.md: the edit in the worktree is not in punycode" in each for each in said)


@pytest.mark.parametrize("filter", ["lfs", "git-crypt"])
def test_memories_behind_a_filter_are_read_as_stored_and_not_written(
    store: Store, folder: Path, filter: str
) -> None:
    """The program would have to run for that: each write is refused with its name, each read says it was not asked."""
    written = store.remember("otter", id="n")
    store.remember("outside", path="plain/p.md", id="p")
    attributes(folder, f"*.md -text\nsemantic/**/*.md filter={filter} diff={filter}\n")
    for write in (
        lambda: store.append("n", "x"),
        lambda: store.remember("x", type="semantic"),
        lambda: store.archive(["n"]),
        lambda: store.rename("p", namespace="inside"),
    ):
        with pytest.raises(UnsupportedRepository, match=f"filter={filter}"):
            write()
    (folder / written.path).write_text("encrypted\n")
    assert store.recall("otter").total == 1
    assert any("git filter" in note for note in store.recall("otter").notes)
    assert any(finding.code == "filter" for finding in store.check().findings)
    store.append("p", "more")
    assert git(folder, "status", "--porcelain").split() == ["M", written.path]


@pytest.mark.parametrize("is_edited", [False, True])
def test_a_mode_that_comes_by_a_merge_is_the_mode_of_the_file(
    store: Store, folder: Path, tmp_path: Path, is_edited: bool
) -> None:
    """Whether or not the text changed on the other side too; both ways, with nothing left to commit."""
    store.remember("alpha", path="a.md", id="a")
    git(tmp_path, "clone", "-q", str(folder), "other")
    other = tmp_path / "other"
    for executable in (True, False):
        (other / "a.md").chmod(0o755 if executable else 0o644)
        git(other, "commit", "-qam", "mode")
        if is_edited:
            store.append("a", f"more {executable}")
        store.remember(f"beta {executable}")
        git(folder, "fetch", "-q", str(other), "main:theirs", "--force")
        store.merge("theirs")
        assert os.access(folder / "a.md", os.X_OK) is executable
        assert_sound(folder)
        git(other, "pull", "-q", str(folder), "main")
