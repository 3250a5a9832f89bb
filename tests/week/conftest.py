"""The week, lived through once for all tests that look at what is left of it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.founded import copy_store
from tests.week.play import Week, play


@pytest.fixture(scope="session")
def lived_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Week]:
    folder = tmp_path_factory.mktemp("week") / "team"
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home-of-week")
        (home / ".gitconfig").write_text("[user]\n\tname = Test Person\n\temail = person@example.com\n")
        for name in [name for name in os.environ if name.startswith(("GIT_", "GITMEM_"))]:
            patch.delenv(name)
        for name, value in (
            ("HOME", str(home)),
            ("GIT_CONFIG_NOSYSTEM", "1"),
            ("GITMEM_HOOKS", "off"),
            ("GITMEM_IDENTITY", "person:tester"),
        ):
            patch.setenv(name, value)
        yield play(folder)


@pytest.fixture
def week(person: None, lived_once: Week) -> Week:
    """The store after the week; not to be changed."""
    return lived_once


@pytest.fixture
def own_week(week: Week, tmp_path: Path) -> Week:
    """A copy of it, to be changed."""
    folder = tmp_path / "team"
    copy_store(week.folder, folder)
    return replace(week, folder=folder)
