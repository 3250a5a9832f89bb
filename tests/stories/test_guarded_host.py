"""A guarded store at a host: what would lose or break something is refused over HTTP too, in one line."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import git
from tests.flows.clones import use_this_gitmem_in_hooks
from tests.stories.user import User

KEPT = "semantic/ke/kept.md"
CONFIG = ".gitmem/config.toml"


@pytest.fixture
def hub(host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A guarded store at the host."""
    use_this_gitmem_in_hooks(tmp_path, monkeypatch)
    User(tmp_path / "host").do("init", "--bare", "--guard", "team.git")
    git(tmp_path / "host" / "team.git", "config", "http.receivepack", "true")
    return tmp_path / "host" / "team.git"


@pytest.fixture
def user(hub: Path, host: str, tmp_path: Path) -> User:
    """A clone of it, with a memory that both have."""
    User(tmp_path).do("clone", f"{host}/team.git", "desk")
    user = User(tmp_path / "desk")
    user.do("remember", "Kept.", "--id", "kept")
    user.do("sync")
    return user


def rewritten(user: User) -> None:
    user.git("reset", "-q", "--hard", "HEAD~1")
    user.git("commit", "-q", "--allow-empty", "-m", "another history")


def deleted(user: User) -> None:
    user.git("rm", "-q", KEPT)


def unreadable(user: User) -> None:
    (user.folder / CONFIG).write_text("[store\n")


def no_store(user: User) -> None:
    user.git("rm", "-q", "--cached", CONFIG)


DAMAGES: dict[str, Callable[[User], None]] = {
    "main may only grow here": rewritten,
    f"{KEPT} would be gone, and not archived": deleted,
    f"the store could not be read any more: main:{CONFIG}": unreadable,
    f"the store could not be read any more: {CONFIG} would be gone from main": no_store,
}
"""By what is said of them."""


def test_what_would_harm_the_store_is_refused_in_one_line(hub: Path, user: User) -> None:
    """The host has what it had, and takes what comes after it."""
    before = git(hub, "for-each-ref")
    for said, damage in DAMAGES.items():
        damage(user)
        user.git("commit", "-q", "--allow-empty", "-am", "harm")
        push = ["git", "push", "--force", "origin", "main"]
        pushed = subprocess.run(push, cwd=user.folder, capture_output=True, text=True, check=False)
        assert pushed.returncode == 1
        [line] = [line for line in pushed.stderr.splitlines() if line.startswith("remote: gitmem")]
        assert said in line
        assert git(hub, "for-each-ref") == before
        user.git("reset", "-q", "--hard", "origin/main")

    deleted(user)
    user.git("commit", "-qm", "harm")
    refused = user.run("sync")
    assert refused.code == 8 and refused.out == ""
    assert refused.err.startswith("gitmem: origin does not take main: ") and refused.err.count("\n") == 1
    assert f"{KEPT} would be gone, and not archived" in refused.err
    user.git("revert", "--no-edit", "HEAD")
    user.do("sync")
    assert git(hub, "rev-parse", "main") == user.git("rev-parse", "main")
