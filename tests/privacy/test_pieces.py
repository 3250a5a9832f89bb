"""The pieces by which a text is known, and the form in which sentences are compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.privacy.normal import normal, telling_parts, telling_sentences, words_in
from gitmem.privacy.pieces import Piece, Sought, is_telling, pieces_of_id, pieces_of_text


@pytest.mark.parametrize(
    ("word", "tells"),
    [
        ("swordfish-2290417", True),
        ("0170-5550199", True),
        ("hunter2hunter2", True),
        ("preferences", False),
        ("2026-11-29", False),
        ("2026-11-29T15", False),
        ("v1.2.3", False),
        ("da39a3ee5e6b4b0d3255bfef95601890afd80709", False),
    ],
)
def test_a_word_tells_if_no_other_text_has_it_by_chance(word: str, tells: bool) -> None:
    assert is_telling(word) is tells


def test_pieces_are_long_lines_and_telling_words() -> None:
    text = "Short line.\nA line that is longer than twenty-four characters.\nIts key is abcd-12345 here."
    assert {piece.text for piece in pieces_of_text(text)} == {
        b"a line that is longer than twenty-four characters.",
        b"its key is abcd-12345 here.",
        b"abcd-12345",
    }


def test_an_id_is_found_as_a_word_and_not_inside_one() -> None:
    sought = Sought(pieces_of_id("m7k2q9xw"))
    assert sought.found_in(b"see M7K2Q9XW-old.md") and not sought.found_in(b"xm7k2q9xw or m7k2q9xw8")
    assert sought.redacted(b"(m7k2q9xw)") == b"(forgotten)"


@given(
    st.lists(st.text("abc 12-\n中文", min_size=4, max_size=12), min_size=1, max_size=60, unique=True),
    st.text("abc 12-\n中文", max_size=80),
)
def test_one_look_finds_what_looking_for_each_finds(texts: list[str], data: str) -> None:
    """However many pieces there are, and in whatever script."""
    pieces = [Piece(text.encode()) for text in texts]
    found = Sought(pieces).found_in(data.encode())
    assert found == {piece for piece in pieces if piece.text in data.encode()}


def test_sentences_are_compared_without_case_marks_and_line_ends() -> None:
    assert normal("Ａlice  keeps\nher KEY—here!") == "alice keeps her key here"
    assert telling_sentences("Too short. But this one has more than five words.") == [
        "but this one has more than five words"
    ]
    assert "alice keeps it below the old mat" in telling_parts("He said: “Alice keeps it below the old mat”.")


def test_chinese_counts_by_characters() -> None:
    assert words_in("他住在上海") < 6 <= words_in("他住在上海市浦东新区的老房子")
    assert telling_sentences("他住在上海市浦东新区的老房子。你好。") == ["他住在上海市浦东新区的老房子"]
