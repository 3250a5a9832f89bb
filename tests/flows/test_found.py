"""init and uninit: making a store, adopting a repository, and taking it all back."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from gitmem.errors import NotAStore, Refused
from gitmem.store import Store
from tests.conftest import assert_sound, git, gitmem


@pytest.fixture
def notes(person: None, tmp_path: Path) -> Path:
    """A repository with a hand-kept note, a staged file, an edit, an untracked file and a hook."""
    folder = tmp_path / "notes"
    git(tmp_path, "init", "-q", "-b", "trunk", "notes")
    (folder / "note.md").write_text("# Spare key\n\nUnder the blue pot.\n")
    (folder / "code.py").write_text("print()\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "notes")
    (folder / "staged.md").write_text("staged\n")
    git(folder, "add", "staged.md")
    (folder / "code.py").write_text("print(1)\n")
    (folder / "draft.txt").write_text("draft\n")
    return folder


def test_a_new_store_is_a_repository_with_its_own_description(store: Store, folder: Path) -> None:
    assert git(folder, "ls-files").split() == [".gitattributes", ".gitmem/config.toml", ".gitmem/schema.json"]
    assert tomllib.loads((folder / ".gitmem/config.toml").read_text())["main"] == "main"
    assert json.loads((folder / ".gitmem/schema.json").read_text())["required"] == ["id", "type"]
    assert_sound(folder)


def test_adopting_adds_one_commit_that_adds_only_gitmem(notes: Path) -> None:
    before = git(notes, "status", "--porcelain")
    founded = Store.found(notes)
    assert (founded.created, founded.adopted, founded.main, founded.memories) == (False, True, "trunk", 1)
    assert git(notes, "show", "--format=", "--name-status").split() == [
        "A", ".gitmem/config.toml", "A", ".gitmem/schema.json"
    ]  # fmt: skip
    assert git(notes, "status", "--porcelain") == before
    assert Store.open(notes).recall("where is the spare key?").hits[0].hit.record.path == "note.md"


def test_init_counts_the_notes_that_are_in_no_commit_wherever_they_lie(notes: Path) -> None:
    assert "1 Markdown file is not committed yet; commit it to recall it" in gitmem(notes, "init", ".").out
    (notes / "vault/daily").mkdir(parents=True)
    (notes / "vault/daily/monday.md").write_text("Monday\n")
    (notes / "vault/ignored.md").write_text("not wanted\n")
    (notes / "vault/.gitignore").write_text("ignored.md\n")
    assert "2 Markdown files are not committed yet" in gitmem(notes, "init", ".").out


def test_init_may_be_repeated(notes: Path) -> None:
    Store.found(notes)
    head = git(notes, "rev-parse", "HEAD")
    again = Store.found(notes)
    assert (again.created, again.adopted) == (False, False)
    assert git(notes, "rev-parse", "HEAD") == head


def test_branch_names_that_are_taken_are_left_to_their_owner(notes: Path) -> None:
    git(notes, "branch", "archive")
    Store.found(notes)
    assert Store.open(notes).place.config.branches["archive"] == "gitmem/archive"


def test_a_folder_inside_another_repository_is_not_taken(notes: Path) -> None:
    (notes / "sub").mkdir()
    (notes / "sub" / "x.md").write_text("x")
    with pytest.raises(Refused, match="belongs to the repository"):
        Store.found(notes / "sub")


@pytest.mark.parametrize("has_commits", [True, False])
def test_main_is_not_where_proposals_stand(notes: Path, tmp_path: Path, has_commits: bool) -> None:
    folder = notes
    if has_commits:
        git(folder, "switch", "-q", "-c", "proposals/idea")
    else:
        folder = tmp_path / "new"
        git(tmp_path, "init", "-q", "-b", "proposals/idea", "new")
    with pytest.raises(Refused, match="HEAD is on proposals/idea"):
        Store.init(folder)
    assert not (folder / ".gitmem").exists()


def test_a_repository_that_is_no_store_is_not_made_one_by_asking(notes: Path) -> None:
    with pytest.raises(NotAStore, match="not a gitmem store"):
        Store.open(notes)
    assert not (notes / ".git" / "gitmem").exists()


def test_a_strangers_hook_is_kept_called_and_put_back(notes: Path) -> None:
    hook = notes / ".git" / "hooks" / "post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho ran >> .git/stranger\n")
    hook.chmod(0o755)
    text = hook.read_bytes()
    Store.found(notes)
    git(notes, "commit", "-qm", "by hand", "--allow-empty")
    assert (notes / ".git" / "stranger").read_text() == "ran\n"
    Store.open(notes).uninit()
    assert hook.read_bytes() == text
    assert sorted(each.name for each in hook.parent.iterdir() if "sample" not in each.name) == ["post-commit"]


def test_uninit_leaves_the_memories_and_no_trace(notes: Path) -> None:
    config = git(notes, "config", "--local", "--list")
    before = git(notes, "status", "--porcelain")
    tree = git(notes, "rev-parse", "HEAD^{tree}")
    Store.found(notes)
    store = Store.open(notes)
    store.recall("key")
    store.uninit()
    assert git(notes, "rev-parse", "HEAD^{tree}") == tree
    assert git(notes, "config", "--local", "--list") == config
    assert git(notes, "status", "--porcelain") == before
    assert not (notes / ".git" / "gitmem").exists()


def test_a_shared_hooks_folder_is_left_alone(notes: Path, tmp_path: Path) -> None:
    shared = tmp_path / "husky"
    shared.mkdir()
    git(notes, "config", "core.hooksPath", str(shared))
    founded = Store.found(notes)
    assert founded.hooks.reason is not None
    assert "core.hooksPath" in founded.hooks.reason
    assert list(shared.iterdir()) == []
    assert any("hooks are not installed" in note for note in Store.open(notes).status().notes)


def test_main_is_found_from_another_branch_and_from_a_detached_head(store: Store, folder: Path) -> None:
    store.remember("alpha", id="one")
    git(folder, "checkout", "-q", "--orphan", "other")
    git(folder, "rm", "-rqf", ".")
    git(folder, "commit", "-q", "--allow-empty", "-m", "something else")
    written = Store.open(folder).remember("beta", id="two")
    assert written.branch == "main"
    assert any("not checked out" in notice for notice in written.notices)
    assert git(folder, "status", "--porcelain") == ""
    git(folder, "checkout", "-q", "--detach", "main~1")
    Store.open(folder).remember("gamma", id="three")
    git(folder, "checkout", "-q", "main")
    assert Store.open(folder).list().total == 3
    assert_sound(folder)
