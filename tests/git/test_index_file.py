"""Splicing git's index by bytes gives what git itself would have made."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import Damaged
from gitmem.git.index_file import IndexFile, Put, UnusualIndex, empty_index
from gitmem.git.repository import Repository
from tests.git.helpers import git

NAMES = st.sampled_from(["a", "b", "ab", "a.b", "a-b", "a0", "é", "z" * 9, "long" * 20, "B", "~"])
PATHS = st.lists(NAMES, min_size=1, max_size=4).map("/".join)
CHANGES = st.dictionaries(PATHS, st.one_of(st.none(), st.integers(0, 3)), max_size=8)


@pytest.fixture(scope="module")
def place() -> Iterator[Repository]:
    """One repository for all examples; only its index changes."""
    with tempfile.TemporaryDirectory() as folder:
        yield Repository.create(Path(folder) / "r")


def without_clashes(state: dict[str, int], changes: dict[str, int | None]) -> dict[str, int | None]:
    """Those of `changes` after which no name is both file and folder."""
    kept: dict[str, int | None] = {}
    now = dict(state)
    for path, value in changes.items():
        if value is None:
            now.pop(path, None)
            kept[path] = None
            continue
        above = ["/".join(path.split("/")[:n]) for n in range(1, path.count("/") + 1)]
        if not any(other in now for other in above) and not any(o.startswith(path + "/") for o in now):
            now[path] = value
            kept[path] = value
    return kept


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rounds=st.lists(CHANGES, min_size=1, max_size=4), extended=st.booleans())
def test_splices_equal_what_git_makes(
    place: Repository, rounds: list[dict[str, int | None]], extended: bool
) -> None:
    """After any row of splices `ls-files` and `write-tree` agree with an index that git built."""
    root = place.git_dir.parent
    index, other = place.git_dir / "index", place.git_dir / "other"
    index.unlink(missing_ok=True)
    other.unlink(missing_ok=True)
    blobs = [place.write_blob(b"%d" % n) for n in range(4)]
    data = empty_index()
    state: dict[str, int] = {}
    for changes in rounds:
        wanted = without_clashes(state, changes)
        puts = {
            path.encode(): None
            if value is None
            else Put(blobs[value], 0o100644, None, extended and value == 3)
            for path, value in wanted.items()
        }
        data = IndexFile(data).changed(puts)
        for path, value in wanted.items():
            if value is None:
                state.pop(path, None)
            else:
                state[path] = value
        index.write_bytes(data)
        lines = "".join(f"100644 {blobs[value]}\t{path}\n" for path, value in state.items())
        other.unlink(missing_ok=True)
        os.environ["GIT_INDEX_FILE"] = str(other)
        try:
            git(root, "update-index", "--index-info", input=lines or "\n", check=bool(lines))
            expected = git(root, "ls-files", "-s", "-z"), git(root, "write-tree")
        finally:
            del os.environ["GIT_INDEX_FILE"]
        # write-tree stores the cache tree, so that the next round has nodes to invalidate.
        assert (git(root, "ls-files", "-s", "-z"), git(root, "write-tree")) == expected
        git(root, "fsck", "--cache", "--strict")
        data = index.read_bytes() if index.exists() else empty_index()


def test_untouched_entries_stay_byte_for_byte(repo: Repository) -> None:
    """Times, flags and conflict stages of other entries are carried over."""
    assert repo.worktree is not None
    root = repo.worktree
    git(root, "update-index", "--assume-unchanged", "two.md")
    (root / "later.md").write_text("x")
    git(root, "add", "-N", "later.md")
    before = git(root, "ls-files", "--debug", "-v", "-s")
    index = repo.git_dir / "index"
    index.write_bytes(IndexFile(index.read_bytes()).changed({b"m.md": Put("1" * 40, 0o100644)}))
    index.write_bytes(IndexFile(index.read_bytes()).changed({b"m.md": None}))
    assert git(root, "ls-files", "--debug", "-v", "-s") == before


def test_very_long_paths(repo: Repository) -> None:
    """A path beyond the 12 bits of the length field ends at its NUL."""
    assert repo.worktree is not None
    long = "/".join(["d" * 200] * 22)
    data = empty_index()
    for path in (long + "/x", long + "/y", "a"):
        data = IndexFile(data).changed({path.encode(): Put(repo.write_blob(b"x"), 0o100644)})
    (repo.git_dir / "index").write_bytes(data)
    assert git(repo.worktree, "ls-files").split() == ["a", long + "/x", long + "/y"]
    assert IndexFile(data).find((long + "/y").encode()) is not None


def test_damage_and_unusual_kinds_are_told_apart(repo: Repository) -> None:
    """A wrong checksum is never made right by writing it anew."""
    assert repo.worktree is not None
    data = (repo.git_dir / "index").read_bytes()
    for broken in (b"", data[:40], data[:-1] + bytes([data[-1] ^ 1]), b"X" + data[1:]):
        with pytest.raises(Damaged):
            IndexFile(broken)
    assert IndexFile(data[:-20] + bytes(20)).find(b"two.md") is not None
    git(repo.worktree, "update-index", "--index-version=4")
    with pytest.raises(UnusualIndex):
        IndexFile((repo.git_dir / "index").read_bytes())
