"""The judgement of pairs, by a table of labels: what is called known is known, and most of it is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.evolve.measure import HELD_OUT, PAIRS, measured, pairs

LEAST_PAIRS = 150


def test_the_table_is_large_and_in_two_languages() -> None:
    chinese = [pair for pair in pairs(PAIRS) if pair.is_chinese]
    assert len(pairs(PAIRS)) >= LEAST_PAIRS and len(chinese) >= LEAST_PAIRS // 4
    assert {pair.label for pair in chinese} == {"same", "contrary", "other"}


@pytest.mark.parametrize("file", [PAIRS, HELD_OUT], ids=["tuned on", "held out"])
@pytest.mark.parametrize("is_chinese", [False, True], ids=["english", "chinese"])
def test_nothing_new_is_called_known(file: Path, is_chinese: bool) -> None:
    """What is taken for a repetition is not written: there must be none that is not."""
    count = measured([pair for pair in pairs(file) if pair.is_chinese is is_chinese])["same"]
    assert not count.mistaken


@pytest.mark.parametrize("is_chinese", [False, True], ids=["english", "chinese"])
def test_most_repetitions_and_contradictions_are_found(is_chinese: bool) -> None:
    counts = measured([pair for pair in pairs(PAIRS) if pair.is_chinese is is_chinese])
    assert counts["same"].recall >= 0.75
    assert counts["contrary"].recall >= 0.85
    assert counts["contrary"].precision == 1.0
