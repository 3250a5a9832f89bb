"""The page of situations and the tests of situations are about the same things."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, table_rows

PAGE = (DOCS / "explanation/git-situations.md").read_text("utf-8")
TESTS = Path(__file__).parents[1]
ROWS = list(table_rows(PAGE))
OF_SITUATIONS = [
    *(file for file in sorted((TESTS / "situations").glob("test_*.py")) if file != Path(__file__)),
    TESTS / "cases/test_git_situations.py",
]


def names_in(row: list[str]) -> list[str]:
    """The tests that the comment of a row names."""
    return [name for comment in re.findall(r"<!--(.*?)-->", " ".join(row)) for name in comment.split()]


def found_in(file: Path) -> set[str]:
    return set(re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.MULTILINE))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: re.sub(r"<!--.*?-->", "", row[0]).strip()[:40])
def test_each_situation_of_the_page_has_tests(row: list[str]) -> None:
    """It says what reading and writing do, in four cells, and names tests that there are."""
    assert len(row) == 4 and row[1] and row[2]
    assert names_in(row)
    known = set().union(*map(found_in, OF_SITUATIONS))
    assert not set(names_in(row)) - known


def test_each_test_of_a_situation_has_a_row() -> None:
    """Whoever adds a situation says on the page what becomes of it."""
    named = {name for row in ROWS for name in names_in(row)}
    missing = {f"{file.name}: {name}" for file in OF_SITUATIONS for name in found_in(file) - named}
    assert not missing
