"""Whether a file waits to be merged is told from the index as git tells it."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from gitmem.git.unmerged import may_be_unmerged, unmerged_paths
from tests.conftest import git

WAYS = (["merge", "side"], ["merge", "--squash", "side"], ["cherry-pick", "side"], ["rebase", "side"])


def _edit(folder: Path, chance: random.Random, word: str) -> None:
    for name in chance.sample([f"{'TREE' if number % 2 else 'a/b'}/{number}.md" for number in range(8)], 5):
        file = folder / name
        if chance.random() < 0.2 and file.exists():
            file.unlink()
            continue
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{word} {chance.random()}\n")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", word, "--allow-empty")


@pytest.mark.parametrize("seed", range(8))
def test_no_file_that_waits_to_be_merged_is_passed_over(tmp_path: Path, seed: int) -> None:
    """After conflicts of every kind, and whatever was staged since; and git is not asked after a plain commit."""
    chance = random.Random(seed)
    git(tmp_path, "init", "-q", "-b", "main")
    _edit(tmp_path, chance, "first")
    _edit(tmp_path, chance, "second")
    assert not may_be_unmerged(tmp_path / ".git", tmp_path / "no-map", {b"TREE/1.md"})
    git(tmp_path, "checkout", "-q", "-b", "side", "HEAD~1")
    _edit(tmp_path, chance, "side")
    git(tmp_path, "checkout", "-q", "main")
    git(tmp_path, *WAYS[seed % len(WAYS)], check=False)
    for command in (["status"], ["write-tree"], ["add", "a/b"], ["status"]):
        for path in unmerged_paths(tmp_path):
            assert may_be_unmerged(tmp_path / ".git", tmp_path / "no-map", {path})
        git(tmp_path, *command, check=False)


def test_what_only_looks_like_a_tree_says_nothing(tmp_path: Path) -> None:
    """Bytes in the place of a tree, behind which no extensions go up to the end."""
    staged = b"\x20\x01a\0"
    like_a_tree = b"TREE\0\0\0\x05\x001 0\n"
    start = b"DIRC\0\0\0\x02\0\0\0\x01" + staged
    (tmp_path / "index").write_bytes(start + like_a_tree + b"no extension" + bytes(20))
    assert may_be_unmerged(tmp_path, tmp_path / "no-map", {b"a"})
    assert not may_be_unmerged(tmp_path, tmp_path / "no-map", {b"b"})
    (tmp_path / "index").write_bytes(start + like_a_tree + bytes(20))
    assert not may_be_unmerged(tmp_path, tmp_path / "no-map", {b"a"})
