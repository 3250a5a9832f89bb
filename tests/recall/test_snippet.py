"""Snippets."""

from __future__ import annotations

import time
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from gitmem.index.analysis import query_terms
from gitmem.recall.snippet import ELLIPSIS, snippet

LONG = "Nothing here. " * 40 + "Alice was running the monthly reports by e-mail. " + "And more of it. " * 40


def marked(body: str, query: str, width: int = 80) -> list[str]:
    shown = snippet(body, query_terms(query), width)
    return [shown.text[start:end] for start, end in shown.marks]


def test_the_window_is_where_the_words_are() -> None:
    """Stemmed words are marked as they are written."""
    shown = snippet(LONG, query_terms("who runs a report"), 80)
    assert [shown.text[start:end] for start, end in shown.marks] == ["running", "reports"]
    assert shown.text.startswith(ELLIPSIS)
    assert shown.text.endswith(ELLIPSIS)
    assert "Alice was running" in shown.text


def test_a_short_text_is_shown_whole() -> None:
    """On one line, without an ellipsis."""
    shown = snippet("# Plan\n\nBuy  milk.\n", query_terms("milk"), 80)
    assert shown.text == "# Plan Buy milk."
    assert shown.marks == ((11, 15),)


def test_without_a_match_the_beginning_is_shown() -> None:
    """And nothing is marked."""
    shown = snippet(LONG, query_terms("zebra"), 40)
    assert shown.text.startswith("Nothing here.")
    assert shown.marks == ()


def test_wide_scripts_take_two_columns() -> None:
    """A Chinese window holds half as many characters; neighbours are one mark."""
    body = "今天天气很好。" * 30 + "用户对花生过敏。" + "明天也一样。" * 30
    shown = snippet(body, query_terms("花生过敏"), 40)
    assert [shown.text[start:end] for start, end in shown.marks] == ["花生过敏"]
    assert len(shown.text) <= 22


def test_exact_forms_are_marked_whole() -> None:
    """`stock-feed-eu` is one mark, accents and case do not matter."""
    assert marked("see the stock-feed-eu now", "stock-feed-eu") == ["stock-feed-eu"]
    assert marked("a Crème brûlée please", "creme BRULEE") == ["Crème", "brûlée"]


@given(st.text(st.characters(), max_size=300) | st.text("ab e\u0301กำ花\n", max_size=300), st.integers(1, 60))
def test_any_text_gives_a_clean_line(body: str, width: int) -> None:
    """One line, marks inside and in order, no combining sequence cut at its head."""
    shown = snippet(body, [*query_terms(body[5:15]), "a", "e"], width)
    assert "\n" not in shown.text
    assert not any(unicodedata.category(character) == "Cc" for character in shown.text)
    ends = [0]
    for start, end in shown.marks:
        assert ends[-1] <= start < end <= len(shown.text)
        ends.append(end)
    head = shown.text.removeprefix(ELLIPSIS)[:1]
    if shown.text.startswith(ELLIPSIS) and head:
        assert unicodedata.category(head)[0] != "M"


def test_a_huge_text_takes_no_time() -> None:
    """Megabytes are cut first."""
    start = time.process_time()
    snippet("word another " * 300_000, ["word", "anoth"], 100)
    assert time.process_time() - start < 2
