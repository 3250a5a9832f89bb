"""A home of its own for every test: no setting of the machine reaches git."""

from __future__ import annotations

from pathlib import Path

import pytest

from gitmem.git.repository import Repository
from tests.git.helpers import git


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home with an identity, and no system-wide config."""
    home = tmp_path_factory.mktemp("home")
    for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    (home / ".gitconfig").write_text(
        "[user]\n\tname = Ada\n\temail = ada@example.org\n[init]\n\tdefaultBranch = trunk\n"
        "[gc]\n\tauto = 0\n[advice]\n\tdetachedHead = false\n"
    )
    return home


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """A repository with one commit of two files."""
    made = Repository.create(tmp_path / "store")
    assert made.worktree is not None
    (made.worktree / "a").mkdir()
    (made.worktree / "a" / "one.md").write_text("one\n")
    (made.worktree / "two.md").write_text("two\n")
    git(made.worktree, "add", ".")
    git(made.worktree, "commit", "-qm", "first")
    return made
