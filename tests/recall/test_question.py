"""A question as it was typed: what stands in quotation marks, and how long it takes to tell."""

from __future__ import annotations

import pytest

from gitmem.recall.question import Question
from tests.timing import cpu_seconds


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('say "one two" and “three”', ("one two", "three")),
        ("„eins” „zwei“ «trois» 「四」『五』", ("eins", "zwei", "trois", "四", "五")),
        ('"" «»', ()),
        ('never “closed "but this"', ("but this",)),
        ('"a “b" c”', ("a “b",)),
        ('a " b “c” "', ("b “c”",)),
    ],
)
def test_what_stands_in_quotation_marks_is_a_phrase(text: str, phrases: tuple[str, ...]) -> None:
    assert Question.parse(text).phrases == phrases


@pytest.mark.parametrize("unit", ["“", "„", '"', "«", "「", "“a", '„"'])
def test_many_marks_take_no_longer_than_so_much_text(unit: str) -> None:
    """Twice as much of anything takes about twice as long."""
    short = cpu_seconds(lambda: Question.parse(unit * 10_000))
    long = cpu_seconds(lambda: Question.parse(unit * 40_000))
    assert long < 10 * short + 0.05
