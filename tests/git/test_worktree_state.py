"""The quick look at a worktree misses nothing that git itself calls changed."""

from __future__ import annotations

import os
import random
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.git.repository import Repository
from gitmem.git.worktree_state import changed_by_git, look_quickly
from tests.conftest import git


def is_note(path: str) -> bool:
    return path.endswith(".md")


def quick(folder: Path) -> set[str] | None:
    """The notes that the quick look calls changed; None where it leaves the question to git."""
    state = look_quickly(Repository.discover(folder), is_note)
    return None if state is None else {path for path, _ in state.changed}


def asked(folder: Path) -> set[str]:
    return {path for _, path in changed_by_git(Repository.discover(folder)) if is_note(path)}


@pytest.fixture
def notes(person: None, tmp_path: Path) -> Path:
    """A repository with five committed notes, old enough that git need not read them again."""
    folder = tmp_path / "notes"
    git(tmp_path, "init", "-q", "notes")
    for name in ("a.md", "b.md", "deep/c.md", "deep/er/d.md", "umläut 山.md"):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"text of {name}\n", encoding="utf-8")
        os.utime(file, (time.time() - 100,) * 2)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "notes")
    return folder


def _same_size_and_time(folder: Path) -> None:
    file = folder / "a.md"
    before = file.stat()
    file.write_text("Text of a.md\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def put(folder: Path, path: str, text: str) -> int:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    return file.write_text(text, encoding="utf-8")


def _made_a_link(folder: Path) -> None:
    (folder / "a.md").unlink()
    (folder / "a.md").symlink_to("b.md")


def _made_a_folder(folder: Path) -> None:
    (folder / "a.md").unlink()
    (folder / "a.md").mkdir()


SITUATIONS: dict[str, Callable[[Path], object]] = {
    "nothing": Path.stat,
    "edited": lambda folder: put(folder, "a.md", "other\n"),
    "edited, same size and time": _same_size_and_time,
    "touched": lambda folder: os.utime(folder / "a.md"),
    "new": lambda folder: put(folder, "new.md", "new\n"),
    "new in a new folder": lambda folder: (put(folder, "x/y/n.md", "new\n"),),
    "removed": lambda folder: (folder / "deep/c.md").unlink(),
    "removed from the index": lambda folder: git(folder, "rm", "-q", "--cached", "a.md"),
    "staged": lambda folder: (put(folder, "a.md", "other\n"), git(folder, "add", "a.md")),
    "staged and taken back": lambda folder: (
        put(folder, "a.md", "other\n"),
        git(folder, "add", "a.md"),
        put(folder, "a.md", "text of a.md\n"),
    ),
    "meant to be added": lambda folder: (
        put(folder, "n.md", "n\n"),
        git(folder, "add", "-N", "n.md"),
    ),
    "moved": lambda folder: (folder / "a.md").rename(folder / "z.md"),
    "made a link": _made_a_link,
    "made a folder": _made_a_folder,
    "other name": lambda folder: put(folder, "neu äö 花.md", "n\n"),
    "branch moved": lambda folder: (
        git(folder, "commit", "-q", "--allow-empty", "-m", "empty"),
        git(folder, "rm", "-q", "b.md"),
        git(folder, "commit", "-qm", "gone"),
        git(folder, "update-ref", "refs/heads/trunk", "HEAD~1"),
    ),
    "ignored": lambda folder: (
        put(folder, ".gitignore", "drafts/\n*.tmp.md\n"),
        put(folder, "drafts/n.md", "n\n"),
        put(folder, "x.tmp.md", "n\n"),
        put(folder, "deep/y.md", "n\n"),
    ),
    "ignored here only": lambda folder: (
        put(folder, ".git/info/exclude", "n.md\n"),
        put(folder, "n.md", "n\n"),
        put(folder, "m.md", "n\n"),
    ),
    "taken out of an ignored folder again": lambda folder: (
        put(folder, ".git/info/exclude", "sub/*\n!keep.md\n"),
        put(folder, "sub/keep.md", "n\n"),
        put(folder, "sub/one/keep.md", "n\n"),
    ),
    "line ends": lambda folder: (
        git(folder, "config", "core.autocrlf", "true"),
        (folder / "a.md").write_bytes(b"text of a.md\r\n"),
    ),
    "nested repository": lambda folder: (
        git(folder, "init", "-q", "inner"),
        put(folder, "inner/n.md", "n\n"),
    ),
    "assumed unchanged": lambda folder: (
        git(folder, "update-index", "--assume-unchanged", "a.md"),
        put(folder, "a.md", "other\n"),
    ),
    "left out of the worktree": lambda folder: (
        git(folder, "sparse-checkout", "set", "--no-cone", "/a.md"),
        put(folder, "b.md", "back again\n"),
    ),
    "index of version 4": lambda folder: (
        put(folder, ".gitignore", "!n.md\n"),
        git(folder, "add", ".gitignore"),
        git(folder, "update-index", "--index-version", "4"),
        put(folder, "n.md", "n\n"),
    ),
    "split index": lambda folder: (
        git(folder, "update-index", "--split-index"),
        put(folder, "a.md", "other\n"),
    ),
    "merge with a conflict": lambda folder: (
        git(folder, "checkout", "-qb", "side"),
        put(folder, "a.md", "side\n"),
        git(folder, "commit", "-qam", "side"),
        git(folder, "checkout", "-q", "trunk"),
        put(folder, "a.md", "trunk\n"),
        git(folder, "commit", "-qam", "trunk"),
        git(folder, "merge", "-q", "side", check=False),
    ),
    "index cut off": lambda folder: os.truncate(folder / ".git/index", 40),
}


@pytest.mark.parametrize("name", SITUATIONS)
def test_what_git_calls_changed_the_quick_look_calls_changed(notes: Path, name: str) -> None:
    """It may see more, and it may leave the question to git; it never sees less."""
    SITUATIONS[name](notes)
    found = quick(notes)
    if name == "index cut off":
        assert found is None
    elif found is not None:
        assert found >= asked(notes)


def test_the_quick_look_is_used_where_it_can_be(notes: Path) -> None:
    """Without exclamation marks it answers by itself."""
    (notes / ".gitignore").write_text("*.tmp\n")
    (notes / "a.md").write_text("other\n")
    assert quick(notes) == {"a.md"}
    (notes / "deep/.gitignore").write_text("*.md\n!x.md\n")
    assert quick(notes) is None


def test_patterns_without_exclamation_marks_mean_the_same_to_both(notes: Path) -> None:
    """Twenty folders of notes beside patterns that were drawn by lot."""
    draw = random.Random(11)
    for top in "abc":
        for middle in ("a", "b", ".x"):
            (notes / top / middle).mkdir(parents=True)
            for name in ("a.md", "b.md"):
                (notes / top / middle / name).write_text("n\n")
    parts = ("a", "b", "*", "**", "a*", "?", "[ab]", ".x", "a.md", "*.md")
    for _ in range(25):
        for place in (".gitignore", "a/.gitignore", ".git/info/exclude"):
            lines = [
                draw.choice(("", "/", "**/"))
                + "/".join(draw.choices(parts, k=draw.randint(1, 3)))
                + draw.choice(("", "/", "/*", "/**", " "))
                for _ in range(2)
            ]
            (notes / place).write_text("\n".join(lines) + "\n")
        found = quick(notes)
        assert found is not None and found >= asked(notes)


def test_a_state_is_settled_once_a_change_would_show_in_the_times(notes: Path) -> None:
    """What was written just now may be written again without a trace in its times."""
    repository = Repository.discover(notes)
    (notes / "a.md").write_text("first!\n")
    state = look_quickly(repository, is_note)
    assert state is not None and not state.is_settled
    os.utime(notes / "a.md", (time.time() - 60,) * 2)
    # The time of the last change of the inode is the present one, whatever the file's own time says.
    state = look_quickly(repository, is_note)
    assert state is not None and not state.is_settled
    time.sleep(0.3)
    state = look_quickly(repository, is_note)
    again = look_quickly(repository, is_note)
    assert state is not None and again is not None and state.is_settled and state.is_same(again)
    (notes / "a.md").write_text("second\n")
    again = look_quickly(repository, is_note)
    assert again is not None and not state.is_same(again)


def test_a_filter_is_run_by_neither(notes: Path) -> None:
    """With it git would call a file changed whose bytes are those of its head; but it is a program."""
    (notes / ".gitattributes").write_text("*.md filter=upper\n")
    git(notes, "config", "filter.upper.clean", "tr a-z A-Z")
    (notes / "new.md").write_text("n\n")
    (notes / "b.md").write_text("other\n")
    os.utime(notes / "a.md")
    found = quick(notes)
    assert found is not None and asked(notes) == found
    assert git(notes, "show", "HEAD:a.md") == (notes / "a.md").read_text()


def test_git_is_asked_in_a_process_and_libgit2_is_not(notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise AssertionError("a process was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    assert quick(notes) == set()
