"""The table of words for times says what they mean, and names every filter that there is."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest

from gitmem.recall.syntax import FILTER_NAMES
from gitmem.recall.when import span_named
from tests.docs.pages import DOCS, section, table_rows

PAGE = (DOCS / "reference/query-syntax.md").read_text("utf-8")
NOW = datetime(2026, 11, 30, 15, 20)
ROWS = {
    words: row[1]
    for row in table_rows(section(PAGE, "## Times"))
    for words in re.findall(r"`([^`]+)`", row[0])
}


@pytest.mark.parametrize("words", ROWS)
def test_words_mean_what_the_table_says(words: str) -> None:
    """Its first and its last day."""
    span = span_named(words, NOW)
    assert span is not None
    first, last = span.start.date(), (span.end - timedelta(days=1)).date()
    assert ROWS[words] == (f"{first}" if first == last else f"{first} to {last}")


def test_what_the_page_says_of_other_times() -> None:
    """Moments are moments, and what means two days is refused."""
    for words in ("2 hours ago", "now", "2026-05-08T15:30", "2026-05-08T15:30+02:00"):
        assert f"`{words}`" in PAGE
        span = span_named(words, NOW)
        assert span is not None
        assert span.end - span.start < timedelta(seconds=1)
    assert "`05/08/2026`" in PAGE
    assert span_named("05/08/2026", NOW) is None


def test_every_filter_is_named() -> None:
    """In the grammar's list."""
    listed = re.search(r"NAME is (.+?), in any case", PAGE, re.DOTALL)
    assert listed is not None
    assert tuple(re.findall(r"`(\w+)`", listed[1])) == FILTER_NAMES
