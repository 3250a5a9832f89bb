"""The guard of a shared repository: it takes what grows, and refuses what would lose memories."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import OutsideFailure
from gitmem.store import Store
from tests.conftest import NOW, git
from tests.flows.clones import top, use_this_gitmem_in_hooks
from tests.flows.test_sync import ids


@pytest.fixture
def hub(person: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A guarded bare store, whose hook runs the gitmem of these tests."""
    use_this_gitmem_in_hooks(tmp_path, monkeypatch)
    Store.found(tmp_path / "hub.git", bare=True, guard=True)
    return tmp_path / "hub.git"


@pytest.fixture
def clone(hub: Path, tmp_path: Path) -> Store:
    """A clone of it with a memory that was pushed."""
    Store.clone(str(hub), tmp_path / "clone")
    clone = Store.open(tmp_path / "clone", clock=FixedClock(NOW))
    clone.remember("Kept.", id="kept")
    clone.sync()
    return clone


def test_what_grows_and_what_is_archived_is_taken(hub: Path, clone: Store) -> None:
    """An archived memory is gone from main, and comes on the archive in the same push."""
    clone.remember("More.", id="more")
    clone.rename("more", "Another title")
    clone.archive(["kept"])
    clone.sync()
    shared = Store.open(hub)
    assert ids(shared) == ["more"] and ids(shared, "archive") == ["kept"]
    clone.restore(["kept"])
    clone.sync()
    assert ids(shared) == ["kept", "more"]


def test_a_memory_that_is_deleted_and_not_archived_is_refused(hub: Path, clone: Store) -> None:
    """The push names it, and once it is back all goes through."""
    before = git(hub, "for-each-ref")
    path = clone.show("kept").memory.path
    git(top(clone), "rm", "-q", path)
    git(top(clone), "commit", "-qm", "gone")
    with pytest.raises(OutsideFailure, match=f"{path} would be gone, and not archived"):
        clone.sync()
    assert git(hub, "for-each-ref") == before
    git(top(clone), "revert", "--no-edit", "HEAD")
    clone.sync()
    assert ids(Store.open(hub)) == ["kept"]


def test_main_and_archive_are_neither_rewritten_nor_deleted(hub: Path, clone: Store) -> None:
    """Not even by force; other branches are nobody's business here."""
    git(top(clone), "checkout", "-q", "-b", "side", "main~1")
    git(top(clone), "commit", "-q", "--allow-empty", "-m", "other")
    git(hub, "config", "receive.denyDeleteCurrent", "ignore")
    before = git(hub, "rev-parse", "main")
    for target in ("+side:main", ":main"):
        git(top(clone), "push", "-q", "origin", target, check=False)
        assert git(hub, "rev-parse", "main") == before
    git(top(clone), "push", "-q", "origin", "side")


@pytest.mark.parametrize("text", ["[store\n", "format = 9000\n", None])
def test_a_push_after_which_the_store_cannot_be_read_is_refused(
    hub: Path, clone: Store, text: str | None
) -> None:
    """Over a path as over HTTP: a config that is broken, that is of a newer gitmem, or that is gone."""
    config = top(clone) / ".gitmem" / "config.toml"
    if text is None:
        config.unlink()
    else:
        config.write_text(text)
    git(top(clone), "commit", "-qam", "broken")
    before = git(hub, "for-each-ref")
    git(top(clone), "push", "-q", "origin", "main", check=False)
    assert git(hub, "for-each-ref") == before
    assert ids(Store.open(hub)) == ["kept"]


def test_a_hook_that_was_there_is_asked_first(hub: Path, clone: Store) -> None:
    """It gets the same lines on its standard input, and may refuse too."""
    hook = hub / "hooks" / "pre-receive.before-gitmem"
    hook.write_text(
        '#!/bin/sh\nread old new ref\n[ "$ref" = refs/heads/main ] && echo "first: $ref" >&2\nexit 1\n'
    )
    hook.chmod(0o755)
    clone.remember("More.")
    with pytest.raises(OutsideFailure, match="first: refs/heads/main"):
        clone.sync()
