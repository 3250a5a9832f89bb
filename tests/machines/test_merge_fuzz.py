"""A few random histories on three clones; `python -m tests.machines.merge_fuzz --examples 2000` runs many."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.machines.merge_fuzz import make_template, run_example, sealed


@pytest.mark.parametrize(("by", "examples"), [("git", 8), ("gitmem", 16)])
def test_random_histories_converge_and_lose_nothing(
    by: str, examples: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both directions of a merge give one tree; at the end one commit, valid files, every word still there."""
    for name, value in sealed().items():
        monkeypatch.setenv(name, value)
    template = tmp_path / "template"
    template.mkdir()
    make_template(template)
    for seed in range(examples):
        run_example(template, tmp_path / f"example{seed}", seed, by)
