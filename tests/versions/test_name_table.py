"""Names are found without a walk, and the same ones as by a walk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.git.commits import make_commit, tree_with
from gitmem.git.repository import Repository
from gitmem.model.ids import CommitId, id_key
from gitmem.model.place import name_key
from gitmem.store import Store
from gitmem.versions import name_table
from gitmem.versions.config import StoreConfig
from gitmem.versions.naming import Naming
from gitmem.versions.snapshot import Snapshot, name_ends_in_id
from tests.conftest import NOW, git

NAMES = st.sampled_from(
    ["a.md", "x-a.md", "A.md", "b-a.md", "é-b.md", "É-B.MD", "x-b-a.md", "b.txt", "aa.md", "-a.md"]
)
FOLDERS = st.sampled_from(["", "f/", "F/", "f/g/", "b.files/"])
PATHS = st.tuples(FOLDERS, NAMES).map("".join)
COMMITS = st.lists(
    st.dictionaries(PATHS, st.sampled_from([None, "1", "2"]), max_size=4), min_size=1, max_size=6
)
KEYS = ["a", "b", "b-a", "aa", "x", "é-b", "md"]


@pytest.fixture
def few_recent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is written anew after three changes already."""
    monkeypatch.setattr(name_table, "_MOST_RECENT", 3)


def commit_of(repository: Repository, parent: str | None, files: dict[str, str | None]) -> CommitId:
    blobs = {
        path: None if text is None else repository.write_blob(text.encode()) for path, text in files.items()
    }
    tree = tree_with(repository, parent, blobs)
    parents = [parent] if parent else []
    return CommitId(make_commit(repository, tree=tree, parents=parents, message="x", when=NOW))


def by_walk(repository: Repository, commit: CommitId, key: str) -> list[str]:
    paths = (path for path, _ in Snapshot(repository, StoreConfig(), commit).files())
    return sorted(path for path in paths if name_ends_in_id(path, key))


def by_table(repository: Repository, folder: Path, commit: CommitId, key: str) -> list[str]:
    return Snapshot(repository, StoreConfig(), commit, names=(folder, "main")).names_ending_in(key)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(histories=COMMITS, order=st.lists(st.integers(0, 5), max_size=5))
def test_the_table_finds_what_a_walk_finds(
    person: None,
    few_recent: None,
    tmp_path_factory: pytest.TempPathFactory,
    histories: list[dict[str, str | None]],
    order: list[int],
) -> None:
    """For every key, at every commit, asked in any order: forwards, backwards, over gaps."""
    folder = tmp_path_factory.mktemp("r")
    repository = Repository.create(folder)
    commits: list[CommitId] = []
    for files in histories:
        commits.append(commit_of(repository, commits[-1] if commits else None, files))
    for commit in [*commits, *(commits[number % len(commits)] for number in order)]:
        for key in KEYS:
            found = by_table(repository, folder / "gitmem" / "names", commit, key)
            assert found == by_walk(repository, commit, key)


def test_a_following_table_is_not_made_by_a_walk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the first question a write walks no tree, whoever made the commits between."""
    store.remember("one", id="one")
    store.remember("a heron stands in the reeds")
    store.show("one")
    top = store.place.repository.worktree
    assert top is not None
    (top / "by-hand-two.md").write_text("two\n")
    git(top, "add", "by-hand-two.md")
    git(top, "commit", "-qm", "by hand")

    def refuse(*_: object) -> Iterator[object]:
        raise AssertionError("walked")

    monkeypatch.setattr(Repository, "walk", refuse)
    assert store.show("one").memory.id == "one"
    snapshot = store.place.snapshot_of("main")
    assert snapshot.names_ending_in("two") == ["by-hand-two.md"]
    assert snapshot.names_ending_in(id_key("three")) == []
    store.remember("four")
    store.update("one", "changed")


@pytest.mark.parametrize("name", ["main.table", "main.recent"])
@pytest.mark.parametrize("damage", [b"", b"gitmem", None])
def test_a_damaged_table_is_made_anew(store: Store, name: str, damage: bytes | None) -> None:
    """Cut off, empty, or of a commit that is gone: the answer is that of a walk."""
    store.remember("one", id="one")
    store.show("one")
    store.remember("two", id="two")
    store.show("two")
    file = store.place.home / "names" / name
    whole = file.read_bytes()
    commit = store.place.repository.local_tip("main") or ""
    parent = store.place.repository.commit(commit).parents[0]
    file.write_bytes(
        whole.replace(commit.encode(), b"1" * 40).replace(parent.encode(), b"1" * 40)
        if damage is None
        else damage
    )
    assert store.show("two").memory.id == "two"
    assert store.place.snapshot_of("main").names_ending_in("two") != []
    store.remember("three", id="three")
    assert len(store.place.snapshot_of("main").names_ending_in("three")) == 1


def test_without_a_place_to_write_names_are_still_found(store: Store) -> None:
    """A file where the folder should be stops nothing."""
    store.remember("one", id="one")
    store.show("one")
    names = store.place.home / "names"
    for file in names.iterdir():
        file.unlink()
    names.rmdir()
    names.write_text("in the way")
    assert store.show("one").memory.id == "one"
    store.remember("two", id="two")
    assert store.show("two").memory.id == "two"


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.sets(PATHS, max_size=8), asked=PATHS)
def test_a_path_is_taken_where_any_file_system_would_say_so(
    person: None, tmp_path_factory: pytest.TempPathFactory, files: set[str], asked: str
) -> None:
    """Looking into the folders on the way gives what comparing with all paths gives."""
    repository = Repository.create(tmp_path_factory.mktemp("r"))
    commit = commit_of(repository, None, dict.fromkeys(files, "x"))
    naming = Naming(Snapshot(repository, StoreConfig(), commit))
    assert naming.is_taken(asked) == (name_key(asked) in {name_key(path) for path in files})
    naming.take(asked)
    assert naming.is_taken(asked.swapcase())


def test_a_memory_that_leaves_makes_room_for_itself(store: Store) -> None:
    """A rename that changes only the case of a name is no clash with the file itself."""
    written = store.remember("one", title="Plan", id="one", path="notes/plan.md")
    assert Naming(store.place.snapshot_of("main"), leaving=written.path).is_taken("notes/Plan.md") is False
    assert Naming(store.place.snapshot_of("main")).is_taken("notes/Plan.md")
