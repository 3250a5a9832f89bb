"""A host that stories take place at, and what a person does there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import git
from tests.stories.http_git import served


@pytest.fixture
def host(person: None, tmp_path: Path) -> Iterator[str]:
    """The address of a git host on loopback, which serves what is below `tmp_path / "host"`."""
    (tmp_path / "host").mkdir()
    with served(tmp_path / "host") as address:
        yield address


@pytest.fixture
def shared(host: str, tmp_path: Path) -> str:
    """The address of an empty repository there, as a hosting service makes it."""
    git(tmp_path / "host", "init", "-q", "--bare", "team.git")
    git(tmp_path / "host" / "team.git", "config", "http.receivepack", "true")
    return f"{host}/team.git"
