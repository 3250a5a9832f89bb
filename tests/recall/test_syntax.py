"""The query syntax, taken apart and written again."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.recall.syntax import FILTER_NAMES, Item, Kind, parse, written

WORD, PHRASE, PREFIX, FILTER = Kind.WORD, Kind.PHRASE, Kind.PREFIX, Kind.FILTER
PIECES = [
    "tag:",
    "-",
    '"',
    "“",
    "”",
    "„",
    "«",
    "»",
    "「",
    "」",
    "since:",
    "x",
    " ",
    "*",
    "a b",
    ":",
    "-tag:",
    "\n",
]
ANY_QUERY = (
    st.text()
    | st.text(st.characters(), max_size=40)
    | st.text('ab -":*“”„«»「」『』：taginsc \n\u3000', max_size=30)
    | st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
)


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("two words", [Item(WORD, "two"), Item(WORD, "words")]),
        ('"a  phrase" more', [Item(PHRASE, "a phrase"), Item(WORD, "more")]),
        (
            "“curly” 「角括号」 «guillemets»",
            [Item(PHRASE, "curly"), Item(PHRASE, "角括号"), Item(PHRASE, "guillemets")],
        ),
        ("-gone", [Item(WORD, "gone", is_negated=True)]),
        ('-"not this"', [Item(PHRASE, "not this", is_negated=True)]),
        ("rate*", [Item(PREFIX, "rate")]),
        ("-rate**", [Item(PREFIX, "rate", is_negated=True)]),
        ("tag:x -TAG:y", [Item(FILTER, "x", "tag"), Item(FILTER, "y", "tag", is_negated=True)]),
        ('tag:"two words"', [Item(FILTER, "two words", "tag")]),
        ("entity:person:alice", [Item(FILTER, "person:alice", "entity")]),
        ("since:上周三 tag：食物", [Item(FILTER, "上周三", "since"), Item(FILTER, "食物", "tag")]),
        ('"tag:x"', [Item(PHRASE, "tag:x")]),
        ("foo:bar", [Item(WORD, "foo:bar")]),
        ("tag: x", [Item(WORD, "tag:"), Item(WORD, "x")]),
        ('tag:""', [Item(WORD, 'tag:""')]),
        ("--dry-run", [Item(WORD, "--dry-run")]),
        ("a - b", [Item(WORD, "a"), Item(WORD, "-"), Item(WORD, "b")]),
        ("* ra*te", [Item(WORD, "*"), Item(WORD, "ra*te")]),
        ('5" disk', [Item(WORD, '5"'), Item(WORD, "disk")]),
        ('"where is the', [Item(WORD, "where"), Item(WORD, "is"), Item(WORD, "the")]),
        ('""', []),
        ("", []),
    ],
)
def test_what_a_query_is_made_of(text: str, items: list[Item]) -> None:
    """Each operator, and what only looks like one."""
    assert list(parse(text)) == items


@pytest.mark.parametrize("name", FILTER_NAMES)
def test_every_filter_has_a_value(name: str) -> None:
    """Bare or quoted, and negated."""
    assert parse(f'-{name}:"a b" {name}:c') == (
        Item(FILTER, "a b", name, is_negated=True),
        Item(FILTER, "c", name),
    )


@given(ANY_QUERY)
def test_any_text_is_a_query(text: str) -> None:
    """Nothing fails, no item is empty, and nothing with a letter is lost."""
    items = parse(text)
    assert all(item.text and item.text == item.text.strip() for item in items)
    kept = "".join(written(items).split()).lower()
    assert all(letter.lower() in kept for letter in text if letter.isalnum() and letter.lower() == letter)


@given(ANY_QUERY)
def test_a_query_written_and_read_again_is_the_same(text: str) -> None:
    """So what is shown of a query is one that means the same; writing it twice changes nothing."""
    items = parse(text)
    assert parse(written(items)) == items
    assert written(parse(written(items))) == written(items)


@pytest.mark.parametrize(
    "text", ['"' * 50_001, '“"' * 25_000, "-" * 50_000, 'tag:"' * 10_000, "a* " * 20_000]
)
def test_reading_is_linear(text: str) -> None:
    """100 KB of anything takes well under a second."""
    start = time.process_time()
    parse(text)
    assert time.process_time() - start < 3
