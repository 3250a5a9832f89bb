"""Clones that write and sync at the same time; `python -m tests.machines.sync_clones --writes 50` is longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.machines.merge_fuzz import sealed
from tests.machines.sync_clones import run

WRITES = 8


def test_clones_that_sync_meanwhile_come_to_the_same_and_lose_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four processes, one bare repository; every acknowledged memory and word is there on each at the end."""
    for name, value in sealed().items():
        monkeypatch.setenv(name, value)
    outcome = run(tmp_path, clones=4, writes=WRITES, seed=1)
    assert sum(count for verb, count in outcome.verbs.items() if verb != "sync") == 4 * WRITES
    assert outcome.verbs["sync"] > 4
