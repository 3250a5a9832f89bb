"""Git in the middle of something, or with something else checked out: every reading and writing has one answer."""

from __future__ import annotations

import shlex
import subprocess
from pathlib import Path

import pytest

from gitmem.errors import Busy, Conflict, Refused
from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import assert_sound, git

OPERATIONS = {
    "merge": ["merge", "side"],
    "cherry-pick": ["cherry-pick", "side"],
    "revert": ["revert", "--no-edit", "HEAD~1"],
    "rebase": ["rebase", "side"],
    "am": ["am", "-3"],
}
SERIES = {"rebase", "am"}
"""Git gives these up only from an unmoved branch, so nothing is written until they end."""


@pytest.fixture(params=OPERATIONS)
def underway(request: pytest.FixtureRequest, store: Store, folder: Path) -> str:
    """An operation that stopped at a conflict in the memory `torn`; `calm` is as it was."""
    for name in ("torn", "calm"):
        (folder / f"{name}.md").write_text(f"---\nid: {name}\n---\n{name} otter\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "notes")
    git(folder, "config", "merge.gitmem.driver", "false")
    for branch, text in (("side", "sideways"), ("main", "ours"), ("main", "onwards")):
        git(folder, "checkout", "-q", *(["-b"] if branch == "side" else []), branch)
        (folder / "torn.md").write_text(f"---\nid: torn\n---\n{text} otter\n")
        git(folder, "commit", "-qam", text)
    patch = subprocess.run(
        ["git", "format-patch", "-1", "--stdout", "side"], cwd=folder, capture_output=True, check=True
    )
    git(folder, *OPERATIONS[request.param], check=False, input=patch.stdout)
    assert git(folder, "ls-files", "-u") or request.param == "am"
    return str(request.param)


def test_in_the_middle_of_an_operation_every_reading_shows_what_is_committed(
    store: Store, folder: Path, underway: str
) -> None:
    """Recall, list, show, log and status answer from main; no conflict marker is taken for a memory's text."""
    assert {str(hit.hit.record.id) for hit in store.recall("otter").hits} == {"torn", "calm"}
    assert store.recall("onwards").total == 1
    assert store.recall("<<<<<<<").total == 0
    assert store.list().total == 2
    assert store.show("torn").memory.body == "onwards otter\n"
    assert len(store.log("torn").entries) == 3
    assert store.status().operation == underway


def test_in_the_middle_of_an_operation_a_write_is_whole_or_refused(
    store: Store, folder: Path, underway: str
) -> None:
    """What is torn is not changed under the merge; what is calm may be; a series is waited for; all can be given up."""
    if underway in SERIES:
        for write in (
            lambda: store.remember("x"),
            lambda: store.append("calm", "x"),
            lambda: store.archive(["calm"]),
        ):
            with pytest.raises(Busy, match=underway):
                write()
    else:
        store.remember("heron", id="new")
        store.append("calm", "more")
        before = git(folder, "ls-files", "-u"), git(folder, "rev-parse", "HEAD")
        for write in (lambda: store.append("torn", "x"), lambda: store.archive(["torn"])):
            with pytest.raises(Conflict, match=r"torn\.md"):
                write()
        assert (git(folder, "ls-files", "-u"), git(folder, "rev-parse", "HEAD")) == before
    with pytest.raises((Refused, Busy)):
        store.commit_edits()
    git(folder, underway, "--abort")
    if underway not in SERIES:
        assert store.show("calm").memory.body == "calm otter\nmore\n"
        assert store.recall("heron").total == 1
    store.append("torn", "afterwards")
    assert_sound(folder)


def test_in_the_middle_of_a_bisect_everything_means_main(store: Store, folder: Path) -> None:
    """The checkout is an old commit; readings show main, writings move it and leave the checkout alone."""
    for number in range(4):
        store.remember(f"note {number}", id=f"n{number}")
    git(folder, "bisect", "start", "HEAD", "HEAD~3")
    head = git(folder, "rev-parse", "HEAD")
    assert store.list().total == 4
    assert store.append("n3", "more").notices
    store.archive(["n2"])
    assert store.recall("more").total == 1
    assert git(folder, "rev-parse", "HEAD") == head
    assert git(folder, "status", "--porcelain") == ""
    git(folder, "bisect", "reset")
    assert store.list().total == 3
    assert_sound(folder)


@pytest.mark.parametrize("head", ["unborn", "detached", "gone"])
def test_a_head_without_a_commit_of_main_hides_nothing(store: Store, folder: Path, head: str) -> None:
    """An unborn branch, a detached HEAD, a checked-out branch that was deleted: the store is main."""
    store.remember("otter", id="o")
    if head == "unborn":
        git(folder, "checkout", "-q", "--orphan", "fresh")
    elif head == "detached":
        git(folder, "checkout", "-q", "--detach")
    else:
        git(folder, "checkout", "-qb", "fresh")
        git(folder, "update-ref", "-d", "refs/heads/fresh")
    before = git(folder, "status", "--porcelain")
    store.append("o", "more")
    store.remember("heron", id="h")
    store.archive(["h"])
    store.restore(["h"])
    store.undo()
    assert store.recall("otter").total == 1
    assert store.show("o").memory.body == "otter\nmore\n"
    assert git(folder, "status", "--porcelain") == before
    git(folder, "checkout", "-qf", "main")
    assert_sound(folder)


def test_in_a_bare_repository_every_verb_without_files_works(person: None, tmp_path: Path) -> None:
    """Nothing but edits of the worktree is missing there, and that is said."""
    store = Store.init(tmp_path / "b.git", bare=True)
    store.remember("otter", id="o")
    store.append("o", "more")
    store.archive(["o"])
    store.restore(["o"])
    store.undo()
    store.restore(["o"])
    assert store.recall("more").total == store.list().total == 1
    assert len(store.blame("o").lines) > 1
    with pytest.raises(Refused, match="not checked out"):
        store.commit_edits()


@pytest.mark.parametrize("hook", ["pre-commit", "commit-msg", "post-commit"])
def test_a_hook_of_the_store_itself_may_remember_once_the_commit_is_made(
    store: Store, folder: Path, hook: str
) -> None:
    """Before that the branch must not move: git would refuse the commit, now and each time it is tried."""
    file = folder / ".git" / "hooks" / hook
    file.parent.mkdir(exist_ok=True)
    file.write_text(f'#!/bin/sh\n{shlex.join(COMMAND)} remember otter >"$PWD/../said" 2>&1\nexit 0\n')
    file.chmod(0o755)
    (folder / "code").write_text("code\n")
    git(folder, "add", "code")
    git(folder, "commit", "-qm", "code")
    assert "code" in git(folder, "log", "--format=%s").split()
    is_made = hook == "post-commit"
    assert store.recall("otter").total == is_made
    assert (f"its hook {hook} called this" in (folder.parent / "said").read_text()) is not is_made
    assert_sound(folder)
    git(folder, "checkout", "-q", "-b", "other")
    (folder / "code").write_text("more\n")
    git(folder, "commit", "-qam", "more")
    assert store.recall("otter").total == 1
