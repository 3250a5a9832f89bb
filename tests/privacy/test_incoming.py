"""What comes in with a merge or a sync: every version of it is judged, none is changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.clock import FixedClock
from gitmem.errors import Refused
from gitmem.store import Store
from tests.conftest import NOW, git

SECRET = "hunter2" + "-x9Q"
MAIL = "mara.o@example.com"


@pytest.fixture
def hub(store: Store, folder: Path, tmp_path: Path) -> Path:
    """A bare repository that `store` is a clone of."""
    store.remember("first", id="one")
    git(tmp_path, "clone", "-q", "--bare", str(folder), "hub.git")
    git(folder, "remote", "add", "origin", "../hub.git")
    git(folder, "fetch", "-q", "origin")
    return tmp_path / "hub.git"


@pytest.fixture
def other(hub: Path, tmp_path: Path) -> Path:
    """Another clone of it, in which somebody works with plain git."""
    git(tmp_path, "clone", "-q", str(hub), "other")
    return tmp_path / "other"


def write_by_hand(folder: Path, line: str, message: str = "by hand") -> str:
    """A line more in the first memory, committed; the blob."""
    path = next(folder.glob("semantic/*/*one.md"))
    path.write_text(path.read_text("utf-8") + line + "\n", "utf-8")
    git(folder, "commit", "--quiet", "--all", "--message", message)
    return git(folder, "rev-parse", f"HEAD:{path.relative_to(folder).as_posix()}").strip()


def has(folder: Path, blob: str) -> bool:
    return bool(git(folder, "cat-file", "-t", blob, check=False).strip())


def test_a_blocked_secret_is_fetched_merged_and_kept_nowhere(store: Store, folder: Path, other: Path) -> None:
    """Also where a later commit took it out again: it stays in that history. The remote's branch stands as before."""
    blob = write_by_hand(other, f"password: {SECRET}")
    git(other, "revert", "--no-edit", "HEAD")
    git(other, "push", "-q")
    store.remember("second", id="two")
    before, known = git(folder, "rev-parse", "HEAD"), git(folder, "rev-parse", "origin/main")
    with pytest.raises(
        Refused, match=r"origin/main brings a secret in line 7 of .* fetched is gone again"
    ) as refused:
        store.sync()
    assert SECRET not in f"{refused.value} {refused.value.hint}"
    assert git(folder, "rev-parse", "HEAD") == before
    assert git(folder, "rev-parse", "origin/main") == known
    assert not has(folder, blob)
    log = folder / ".git/logs/refs/remotes/origin/main"
    assert git(other, "rev-parse", "HEAD").strip() not in log.read_text("utf-8")
    git(other, "reset", "--quiet", "--hard", known.strip())
    git(other, "push", "-q", "--force")
    assert store.sync().is_pushed


def test_a_large_fetch_that_came_as_a_pack_is_taken_back_too(store: Store, folder: Path, other: Path) -> None:
    """Git keeps what is large as a pack; one that holds nothing else goes."""
    git(folder, "config", "fetch.unpackLimit", "1")
    blob = write_by_hand(other, f"password: {SECRET}")
    git(other, "push", "-q")
    with pytest.raises(Refused, match=r"until 'git gc|gone again"):
        store.sync()
    git(folder, "gc", "--quiet", "--prune=now")
    assert not has(folder, blob)


def test_what_would_be_redacted_comes_in_as_it_is_and_is_told(
    store: Store, folder: Path, other: Path
) -> None:
    """Other commits than those of the other side would never meet them again."""
    write_by_hand(other, f"mail {MAIL}", f"asked {MAIL}")
    git(other, "push", "-q")
    synced = store.sync()
    told = [notice for notice in synced.notices if "e-mail" in notice]
    assert len(told) == 1 and told[0].startswith("an e-mail address came in as written")
    assert MAIL not in told[0]
    assert MAIL in store.show("one").memory.body
    assert store.sync().notices == ()


def test_a_merge_of_a_branch_is_judged_by_what_main_does_not_have(store: Store, folder: Path) -> None:
    """Refused without moving anything; a proposal that follows main is no news."""
    store.remember("first", id="one")
    git(folder, "checkout", "-q", "-b", "topic")
    write_by_hand(folder, f"password: {SECRET}")
    git(folder, "checkout", "-q", "main")
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(Refused, match=r"a secret in line 7 of .*: nothing was taken in"):
        store.merge("topic")
    assert git(folder, "rev-parse", "HEAD") == before
    git(folder, "branch", "-q", "-D", "topic")
    store.propose(batch='{"text": "an idea"}', title="idea")
    write_by_hand(folder, f"mail {MAIL}")
    store = Store.open(folder, clock=FixedClock(NOW))
    amended = store.amend("idea", batch='{"text": "one more"}')
    assert not [notice for notice in amended.notices if "e-mail" in notice]


def test_accepting_a_proposal_that_was_written_by_hand_is_judged(store: Store, folder: Path) -> None:
    """In part, too: what is taken in without its history comes from there all the same."""
    store.remember("first", id="one")
    store.propose(batch='{"text": "an idea", "id": "idea"}', title="idea")
    git(folder, "checkout", "-q", "proposals/idea")
    write_by_hand(folder, f"password: {SECRET}")
    git(folder, "checkout", "-q", "main")
    for only in ([], ["one"]):
        with pytest.raises(Refused, match="a secret in line 7 of"):
            store.accept("idea", only=only)
    assert SECRET not in git(folder, "log", "--patch", "main")


def test_what_a_remote_had_before_stops_no_sync(
    store: Store, folder: Path, hub: Path, tmp_path: Path
) -> None:
    """A store whose archive held a secret before there were rules can be cloned and synced."""
    write_by_hand(folder, f"password: {SECRET}")
    Store.open(folder, clock=FixedClock(NOW)).archive(["one"])
    git(folder, "push", "-q", "origin", "main", "archive")
    git(tmp_path, "clone", "-q", str(hub), "later")
    later = Store.open(tmp_path / "later", clock=FixedClock(NOW))
    later.remember("second", id="two")
    assert later.sync().is_pushed
    later.restore(["one"])
    assert SECRET in later.show("one").memory.body


def test_what_plain_git_fetched_is_refused_where_it_is_merged(
    store: Store, folder: Path, other: Path
) -> None:
    """The remote branch stays where git put it; main does not move."""
    write_by_hand(other, f"password: {SECRET}")
    git(other, "push", "-q")
    git(folder, "fetch", "-q")
    before = git(folder, "rev-parse", "HEAD")
    with pytest.raises(Refused, match="nothing was taken in"):
        store.sync()
    assert git(folder, "rev-parse", "HEAD") == before
