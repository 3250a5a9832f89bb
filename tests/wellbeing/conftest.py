"""The sample store, grown once for all tests that only look; a copy for those that change it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.founded import copy_store
from tests.wellbeing.sample import Sample, grow


@pytest.fixture(scope="session")
def grown_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sample]:
    folder = tmp_path_factory.mktemp("grown") / "team"
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home-of-grown")
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
        yield grow(folder)


@pytest.fixture
def counting(sealed_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Uses are counted, as for people."""
    monkeypatch.delenv("GITMEM_USAGE")


@pytest.fixture
def sample(person: None, counting: None, grown_once: Sample) -> Sample:
    """The grown store; not to be changed."""
    return grown_once


@pytest.fixture
def own_sample(sample: Sample, tmp_path: Path) -> Sample:
    """A copy of it, to be changed."""
    folder = tmp_path / "team"
    copy_store(sample.folder, folder)
    return replace(sample, folder=folder)
