"""A store of the sample memories, made once and copied for each page."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.docs.console import make_sample_store


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as a store; copy it before you change it."""
    folder = tmp_path_factory.mktemp("sample") / "team"
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.startswith(("GIT_", "GITMEM_")):
                patch.delenv(name)
        patch.setenv("HOME", str(tmp_path_factory.mktemp("sample-home")))
        patch.setenv("GIT_CONFIG_NOSYSTEM", "1")
        patch.setenv("GITMEM_HOOKS", "off")
        make_sample_store(folder)
    return folder
