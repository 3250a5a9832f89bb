"""The labelled lines: the figures that the documentation names hold."""

from __future__ import annotations

import pytest

from tests.privacy.labelled import Measured, measure

FORMATS = ("secret", "email", "phone", "card", "iban", "cn_id", "ssn")
"""Kinds with a form of their own, or a check digit."""


@pytest.fixture(scope="module")
def measured() -> Measured:
    return measure()


def test_the_set_is_large_enough_to_tell(measured: Measured) -> None:
    """More than 400 lines that hold something, and four times as many that hold nothing."""
    assert measured.lines["positive"] >= 400
    assert measured.lines["negative"] >= 1_600


def test_precision_is_at_least_99_percent(measured: Measured) -> None:
    """Over all, and no kind is much worse."""
    assert measured.total().precision >= 0.99, measured.wrong
    assert all(each.precision >= 0.95 for each in measured.kinds.values()), measured.wrong


@pytest.mark.parametrize("kind", FORMATS)
def test_recall_is_at_least_95_percent_for_kinds_with_a_form(measured: Measured, kind: str) -> None:
    """Each kind by itself."""
    assert measured.of(kind).recall >= 0.95, [line for line in measured.missed if line[0] == kind]


def test_what_is_found_is_found_whole(measured: Measured) -> None:
    """Half a number tells as much as the whole."""
    total = measured.total()
    assert total.gone >= 0.99 * total.found
