"""Trees compared by their bytes: the same differences as by taking them apart."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.errors import Damaged
from gitmem.git.commits import tree_with
from gitmem.git.folders import FolderReader, Held
from gitmem.git.repository import Repository
from gitmem.git.trees import decode_path, encode_path

NAMES = st.sampled_from(
    [
        "a",
        "a.md",
        "ab",
        "b",
        "b 100644 a",
        "100644 a",
        "x100644 a.md",
        "ü.md",
        "z" * 40,
        "40000 a",
        "aa",
        "c.files",
    ]
)
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
TREES = st.dictionaries(PATHS, st.integers(0, 3), max_size=14)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository.create(tmp_path_factory.mktemp("folders") / "bare.git", bare=True)


def written(repository: Repository, files: dict[str, int]) -> str:
    """A tree of `files`, without those that stand where a folder has to be."""
    folders = {path[:end] for path in files for end, letter in enumerate(path) if letter == "/"}
    blobs: dict[str, str | None] = {
        path: repository.write_blob(b"%d" % number) for path, number in files.items() if path not in folders
    }
    return tree_with(repository, None, blobs)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(TREES, min_size=2, max_size=4))
def test_differences_are_those_of_trees_taken_apart(
    repository: Repository, drawn: list[dict[str, int]]
) -> None:
    """Step by step forwards with what was read kept, and from each to each backwards."""
    trees = [written(repository, files) for files in drawn]
    kept = FolderReader(repository)
    for old, new in [
        *zip([None, *trees], trees, strict=False),
        *zip(trees[::-1], trees[-2::-1], strict=False),
    ]:
        expected = {
            change.path: (
                change.old and (change.old.oid, change.old.mode),
                change.new and (change.new.oid, change.new.mode),
            )
            for change in repository.diff_trees(old, new)
        }
        for reader in (kept, FolderReader(repository)):
            found: dict[str, tuple[object, object]] = {}
            for folder in reader.differences(old, new):
                for name in folder.names():
                    sides = tuple(_file(side.get(name)) for side in (folder.old, folder.new))
                    if sides != (None, None):
                        found[decode_path(folder.path + name)] = sides  # type: ignore[assignment]
            assert found == expected


def _file(held: Held | None) -> tuple[str, int] | None:
    return None if held is None or held.is_folder else (held.oid.hex(), int(held.mode, 8))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TREES, TREES, PATHS)
def test_a_path_is_found_in_a_tree_and_in_the_one_before(
    repository: Repository, older: dict[str, int], newer: dict[str, int], path: str
) -> None:
    """A name may stand inside a longer one, or be one that looks like the head of an entry."""
    old, new = written(repository, older), written(repository, newer)
    reader = FolderReader(repository)
    for each in {path, *newer}:
        expected = repository.entry(new, each)
        held = reader.find(new, encode_path(each))
        assert (held and held.oid.hex()) == (expected and expected.oid)
        if held is not None:
            before = repository.entry(old, each)
            for one in (reader, FolderReader(repository)):
                found = one.find_older(old, new, encode_path(each), held)
                assert (found and found.oid.hex()) == (before and before.oid)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ({"a/a": 0}, {"a/b 100644 a": 0}),
        ({"a/a": 0}, {"a/100644 a": 0, "a.md/a": 0}),
        ({"a/a": 0, "a/z": 1}, {"a/b 100644 a": 0, "a/z": 1}),
        ({"a/b 100644 a": 0, "a/z": 1}, {"a/a": 0, "a/z": 1}),
    ],
)
def test_a_name_that_ends_like_an_entry_is_not_taken_for_one(
    repository: Repository, older: dict[str, int], newer: dict[str, int]
) -> None:
    """The trees end in the same bytes, which are an entry in one and the end of a name in the other."""
    old, new = written(repository, older), written(repository, newer)
    reader = FolderReader(repository)
    for path in newer:
        held = reader.find(new, encode_path(path))
        assert held is not None
        expected = repository.entry(old, path)
        for one in (reader, FolderReader(repository)):
            found = one.find_older(old, new, encode_path(path), held)
            assert (found and found.oid.hex()) == (expected and expected.oid)
    changed = {
        decode_path(folder.path + name) for folder in reader.differences(old, new) for name in folder.names()
    }
    assert changed >= older.keys() ^ newer.keys()


def test_a_damaged_tree_is_named(repository: Repository, tmp_path: Path) -> None:
    """Bytes that are no entries are never skipped."""
    from gitmem.git import folders

    with pytest.raises(Damaged, match="tree 00"):
        folders._starts(b"100644 a\0" + b"x" * 19, 0, 28, b"\0" * 20)
