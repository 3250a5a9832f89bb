"""A committed config that is huge, of the wrong types, or names what it must not name."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.errors import NewerFormat, StoreProblem
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.hostile.conftest import Outside
from tests.hostile.crafting import FILE, FOLDER, commit_with, entries_of, huge_blob, tree

HOSTILE = [
    "x" * 70_000,
    "a = " + "[" * 5_000,
    "a." * 20_000 + "b = 1",
    "a = {" * 2_000,
    "main = 1",
    "main = []",
    'main = ""',
    'main = "../main"',
    'main = "refs/heads/../x"',
    'main = "a b"',
    'main = "x\\u0000y"',
    'main = "-main"',
    'main = "@{-1}"',
    "format = -1",
    "format = 1.0",
    "format = true",
    'format = "1"',
    f"format = {'9' * 5_000}",
    "branches = 1",
    "[branches]\narchive = 1",
    '[branches]\narchive = "../../x"',
    '[branches]\narchive = "Main"',
    '[branches]\narchive = "WORKING"',
    '[branches]\narchive = "x.lock"',
    "memories = 1",
    "[memories]\nexclude = 'x'",
    "[memories]\nexclude = [1]",
    "[memories]\nexclude = [" + "'a'," * 2_000 + "]",
    "main = 'main'\nmain = 'main'",
    "\ufeffmain = 'x",
]


@pytest.mark.parametrize("config", HOSTILE, ids=lambda text: text[:24])
def test_a_config_that_cannot_be_meant_is_one_line(store: Store, folder: Path, config: str) -> None:
    """Exit code 7, the file named, nothing written; and at once, whatever its size and depth."""
    store.remember("fine zebra", id="ok")
    (folder / ".gitmem/config.toml").write_text(config + "\n")
    git(folder, "commit", "-qam", "config")
    before = git(folder, "for-each-ref")
    for verb in (Store.open, Store.init):
        with pytest.raises(StoreProblem, match=r"\.gitmem/config\.toml") as caught:
            verb(folder)
        assert "\n" not in caught.value.message and len(caught.value.message) < 1_000
    assert git(folder, "for-each-ref") == before


def test_a_newer_format_is_not_touched(store: Store, folder: Path) -> None:
    """A number that this program does not know stops everything, with the way out."""
    (folder / ".gitmem/config.toml").write_text("format = 2\n")
    git(folder, "commit", "-qam", "config")
    with pytest.raises(NewerFormat):
        Store.open(folder)


def test_a_config_of_gigabytes_is_not_loaded(store: Store, folder: Path) -> None:
    """A few kilobytes can be a file of any size."""
    kept = [entry for entry in entries_of(folder) if entry[1] != ".gitmem"]
    config = tree(folder, [(FILE, "config.toml", huge_blob(folder, 2**27))])
    root = tree(folder, [(FOLDER, ".gitmem", config), *kept])
    commit = git(folder, "commit-tree", root, "-p", "HEAD", "-m", "x").strip()
    git(folder, "update-ref", "refs/heads/main", commit)
    with pytest.raises(StoreProblem, match="64 KiB"):
        Store.open(folder)


@pytest.mark.parametrize(
    "pattern",
    ["../**", "/etc/*", "**/../../x", "[", "[!", "*" * 5_000, "a*" * 200 + "b", "(?R)", "\\", "{a,b}"],
)
def test_patterns_are_only_compared_with_paths_of_the_store(
    store: Store, folder: Path, outside: Outside, pattern: str
) -> None:
    """A pattern reads no file, leads nowhere, and costs little however it is written."""
    store.remember("fine zebra", id="ok", path="a" * 170 + ".md")
    (folder / ".gitmem/config.toml").write_text(f"[memories]\nexclude = ['{pattern}']\n")
    git(folder, "commit", "-qam", "config")
    outside.seal()
    again = Store.open(folder)
    assert again.recall("zebra").total == (0 if set(pattern) == {"*"} else 1)
    outside.assert_untouched()


def test_many_patterns_are_one_comparison(store: Store, folder: Path) -> None:
    """A config full of patterns does not multiply the time for each memory."""
    patterns = ", ".join(f"'*{number}*x*{number}*'" for number in range(1_000))
    (folder / ".gitmem/config.toml").write_text(f"[memories]\nexclude = [{patterns}]\n")
    git(folder, "commit", "-qam", "config")
    again = Store.open(folder)
    again.remember_all([])
    for number in range(20):
        again.place.config.is_memory_path(f"notes/{'y' * 100}{number}.md")
    assert again.place.config.is_memory_path("a.md")
    assert not again.place.config.is_memory_path("a7x7.md")


def test_settings_of_gits_config_that_gitmem_reads_are_judged_too(store: Store, folder: Path) -> None:
    """`gitmem.main` in the git directory names a branch, or is passed over."""
    store.remember("fine zebra", id="ok")
    for value in ("../x", "-x", "", "x" * 10_000, "refs/heads/main", "no-such-branch"):
        git(folder, "config", "gitmem.main", value)
        assert Store.open(folder).recall("zebra").total == 1
    assert_sound(folder)


def test_an_unknown_setting_is_left_alone(store: Store, folder: Path) -> None:
    """A newer gitmem of the same format may know more settings than this one."""
    (folder / ".gitmem/config.toml").write_text(
        "format = 1\nfuture = {a = [1, 2]}\n[sections.of.others]\nx = 1\n"
    )
    git(folder, "commit", "-qam", "config")
    Store.open(folder).remember("x")
    assert_sound(folder)
    assert commit_with(folder, [])
