"""Splicing git's index by bytes gives what git itself would have made."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gitmem.errors import Damaged
from gitmem.git.index_file import IndexFile, Put, UnusualIndex, empty_index
from gitmem.git.index_map import read_map, write_map
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


def spliced(data: bytes, puts: dict[bytes, Put | None]) -> bytes:
    """The changed index; a second change with the map of the first gives what one without a map gives."""
    half = len(puts) // 2
    first, second = dict(list(puts.items())[:half]), dict(list(puts.items())[half:])
    pieces, known = IndexFile(data).spliced(first, recent=sorted(first), since=0)
    between = b"".join(pieces)
    plain, mapped = IndexFile(between), IndexFile(between, known)
    assert [mapped.find(path) for path in puts] == [plain.find(path) for path in puts]
    assert [list(mapped.below(path)) for path in puts] == [list(plain.below(path)) for path in puts]
    pieces, after = mapped.spliced(second)
    assert b"".join(pieces) == plain.changed(second)
    assert after == replace(IndexFile(b"".join(pieces)).spliced({})[1], anchors=after.anchors)
    return b"".join(pieces)


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
        data = spliced(data, puts)
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


def test_a_map_knows_every_file_that_may_have_changed_unseen(repo: Repository) -> None:
    """Racy entries are those that a look at every entry finds, also after further writes."""
    assert repo.worktree is not None
    index = repo.git_dir / "index"
    data = index.read_bytes()
    seconds = [entry[2][1] for entry in IndexFile(data).racy(0)]
    assert len(seconds) == 2
    stat = (repo.worktree / "two.md").stat()
    known = None
    for number, since in enumerate([min(seconds), min(seconds), max(seconds), max(seconds) + 1]):
        file = IndexFile(data, known)
        assert file.racy(since * 10**9) == IndexFile(data).racy(since * 10**9)
        recent = [path for path, _, _ in file.racy(since * 10**9)]
        put = {b"two-%d.md" % number: Put("1" * 40, 0o100644, stat)}
        pieces, known = file.spliced(put, recent=sorted([*recent, *put]), since=since)
        data = b"".join(pieces)
        for second in (since, since + 1, since - 1):
            mapped, plain = (IndexFile(data, each).racy(second * 10**9) for each in (known, None))
            assert mapped == plain


def test_many_entries_at_one_place_are_still_found_by_few_steps(repo: Repository) -> None:
    """Between two known places of a map there are never more than some ten kilobytes."""
    data, known = empty_index(), None
    names = [b"f/%05d-%b" % (number * 37 % 1000, b"x" * 80) for number in range(1000)]
    for name in names:
        pieces, known = IndexFile(data, known).spliced({name: Put("1" * 40, 0o100644)})
        data = b"".join(pieces)
    assert known is not None
    places = [*known.anchors, known.end]
    assert max(after - before for before, after in pairwise(places)) < 4_000
    assert len(known.anchors) < 400
    assert all(IndexFile(data, known).find(name) for name in names[:100])


def test_a_map_is_kept_and_read_back(tmp_path: Path, place: Repository) -> None:
    """Whole or not at all: for another index, or cut off, there is none."""
    data = IndexFile(empty_index()).changed({b"a/b": Put(place.write_blob(b"x"), 0o100644)})
    (place.git_dir / "index").write_bytes(data)
    git(place.git_dir.parent, "write-tree")
    _, known = IndexFile((place.git_dir / "index").read_bytes()).spliced(
        {b"a/\xff": Put("1" * 40, 0o100644)}, recent=[b"a/\xff"], since=7
    )
    assert known.nodes is not None and len(known.nodes.starts) == 2
    file = tmp_path / "gitmem" / "maps" / "main"
    file.parent.parent.mkdir()
    write_map(file, known)
    assert read_map(file, known.checksum) == known
    assert read_map(file, b"1" * 20) is None
    whole = file.read_bytes()
    for broken in (whole[:-4], whole[:60], b"", whole[:-1] + b"?"):
        file.write_bytes(broken)
        assert read_map(file, known.checksum) is None


def test_what_a_killed_writer_of_a_map_left_goes_with_the_next_map(tmp_path: Path, place: Repository) -> None:
    """What a living process is writing stays."""
    (place.git_dir / "index").write_bytes(IndexFile(empty_index()).changed({b"a": Put("1" * 40, 0o100644)}))
    _, known = IndexFile((place.git_dir / "index").read_bytes()).spliced({b"b": Put("1" * 40, 0o100644)})
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    file = tmp_path / "maps" / "main"
    file.parent.mkdir()
    left = file.with_name(f"main.{ended.pid}.4c9d13d5.new")
    kept = [file.with_name(name) for name in (f"main.{os.getpid()}.0badcafe.new", "main.x.new", "other.new")]
    for each in (left, *kept):
        each.write_bytes(b"half")
    write_map(file, known)
    assert file.exists() and not left.exists()
    assert all(each.exists() for each in kept)


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
