"""Locks that somebody else holds: waited for, worked around where that is safe, never taken away."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gitmem.errors import Busy
from gitmem.git import branch_lock, publication
from gitmem.store import Store
from tests.conftest import assert_sound, git


@pytest.fixture(autouse=True)
def short_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits are the same, only nearer."""
    monkeypatch.setattr(publication, "INDEX_LOCK_SECONDS", 0.1)
    monkeypatch.setattr(branch_lock, "REF_LOCK_SECONDS", 0.1)


def hold(folder: Path, name: str) -> Path:
    """A lock of another program."""
    lock = folder / ".git" / name
    lock.parent.mkdir(parents=True, exist_ok=True)
    lock.write_bytes(b"")
    return lock


@pytest.mark.parametrize("name", ["HEAD.lock", "packed-refs.lock", "config.lock", "shallow.lock", "gc.pid"])
def test_a_lock_that_guards_something_else_stands_in_no_way(store: Store, folder: Path, name: str) -> None:
    """A write touches the branch, git's index and files; what guards other things stays where it is."""
    lock = hold(folder, name)
    store.remember("otter", id="o")
    store.archive(["o"])
    store.restore(["o"])
    assert store.recall("otter").total == 1
    assert lock.exists()
    lock.unlink()
    assert_sound(folder)


def test_with_the_index_of_git_locked_a_write_is_committed_and_the_index_follows(
    store: Store, folder: Path
) -> None:
    """An editor may keep it for hours: the commit is made, that git's index lags is said, and mended later."""
    lock = hold(folder, "index.lock")
    written = store.remember("otter", id="o")
    assert any("git's index is locked" in each and f"remove {lock}" in each for each in written.notices)
    assert store.recall("otter").total == 1
    assert any(f"remove {lock}" in str(each) for each in store.doctor(fix=True))
    assert lock.exists()
    lock.unlink()
    Store.open(folder)
    assert_sound(folder)


MOVES: dict[str, Callable[[Store], object]] = {
    "remember": lambda store: store.remember("x"),
    "archive": lambda store: store.archive(["here"]),
    "restore": lambda store: store.restore(["away"]),
    "undo": lambda store: store.undo(),
}


@pytest.mark.parametrize("branch", ["main", "archive"])
@pytest.mark.parametrize("verb", MOVES)
def test_with_a_branch_locked_nothing_is_written_then_or_later(
    store: Store, folder: Path, verb: str, branch: str
) -> None:
    """Exit code 6, and no later command does what was reported as not done; another branch is no matter."""
    for id in ("here", "away"):
        store.remember(id, id=id)
    store.archive(["away"])
    lock = hold(folder, f"refs/heads/{branch}.lock")
    before = git(folder, "for-each-ref", "--format=%(refname) %(tree)", "refs/heads")
    if (verb, branch) == ("remember", "archive"):
        MOVES[verb](store)
    else:
        with pytest.raises(Busy):
            MOVES[verb](store)
        assert lock.exists()
        lock.unlink()
        assert Store.open(folder).list().total == 1
        assert git(folder, "for-each-ref", "--format=%(refname) %(tree)", "refs/heads") == before
        MOVES[verb](Store.open(folder))
    assert_sound(folder)
