"""Where a text may be cut: not in a character, a word, or a code fence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.cutting import (
    character_end,
    closed,
    is_between_characters,
    is_between_words,
    open_fence,
    passage,
    word_end,
)

WHOLE = [
    "e\u0301",  # a letter and its accent
    "\U0001f469\u200d\U0001f469\u200d\U0001f467",  # a family
    "\U0001f44d\U0001f3fd",  # a thumb and its tone
    "\U0001f1e9\U0001f1ea",  # a flag
    "\U0001f3f4\U000e0067\U000e0062\U000e007f",  # a flag spelled by tags
    "\u1112\u1161\u11ab",  # one Hangul syllable in three parts
    "\uff76\uff9e",  # half-width ga
    "\u0915\u094d",  # Devanagari with its sign
    "\r\n",
    "❤\ufe0f",
]
PIECES = [
    "alpha ",
    "beta.",
    " ",
    "\n",
    "\n\n",
    "```\n",
    "~~~\n",
    "``` py\n",
    "报告每月发送一次。",
    "数据库",
    *WHOLE,
]
texts = st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=60)


@pytest.mark.parametrize("character", WHOLE)
def test_what_a_reader_takes_for_one_character_is_not_cut(character: str) -> None:
    """Marks, joiners, tones, tags and the second half of a flag stay with what stands before them."""
    assert [at for at in range(1, len(character)) if is_between_characters(character, at)] == []
    text = f"x{character}y"
    assert {character_end(text, at) for at in range(1, len(character) + 1)} == {1}


def test_flags_in_a_row_are_cut_between_two() -> None:
    """Every second place in a row of halves is between two flags."""
    flags = "\U0001f1e9\U0001f1ea\U0001f1eb\U0001f1f7"
    assert [is_between_characters(flags, at) for at in range(5)] == [True, False, True, False, True]


def test_words_end_at_blanks_and_in_scripts_without_blanks_anywhere() -> None:
    """A Latin word stays whole; Han may be cut between any two; at the border of both it may not."""
    assert word_end("alpha beta", 8) == 6
    assert word_end("alphabet", 5) == 0
    assert word_end("数据库迁移", 3) == 3
    assert not is_between_words("API的", 3)


def test_a_passage_ends_with_a_sentence_where_that_keeps_most_of_it() -> None:
    """Else it ends with a word; what fits is given whole."""
    text = "One sentence that is long enough. And another one."
    assert passage(text, 40) == "One sentence that is long enough."
    assert passage(text, 15) == "One sentence"
    assert passage(text, 100) == text
    assert passage("报告每月发送一次。张三负责这件事情", 12) == "报告每月发送一次。"
    assert passage("1. Tell the team.\n2. Wait for an answer", 22) == "1. Tell the team."


def test_no_code_fence_stays_open_in_a_passage() -> None:
    """The passage ends before the fence that would be cut; a fence of another mark does not close it."""
    text = "Run this:\n\n```sh\nmake all\n~~~\nmake install now\n```\n\nThen look."
    assert passage(text, 45) == "Run this:"
    assert passage(text, 60).endswith("```")
    assert open_fence("```\nx\n````\n") is None
    assert open_fence("````\nx\n```\n") == (0, "````")
    assert closed("text\n```py\nx\n") == "text\n```py\nx\n```"


@given(texts, st.integers(0, 80))
def test_a_passage_is_a_beginning_that_cuts_nothing(text: str, most: int) -> None:
    """For any text and length: no longer than asked for, cut between words, and no fence newly open."""
    part = passage(text, most)
    if part == text:
        return
    assert len(part) <= most and text.startswith(part)
    rest = text[len(part) :]
    assert is_between_words(text, len(part)) or rest[:1].isspace() or not part
    assert open_fence(part) is None


@given(texts, st.integers(0, 80))
def test_ends_are_the_last_that_are_allowed(text: str, at: int) -> None:
    """`character_end` and `word_end` go back no further than they have to."""
    for end, is_between in ((character_end, is_between_characters), (word_end, is_between_words)):
        found = end(text, at)
        assert is_between(text, found)
        assert not any(is_between(text, later) for later in range(found + 1, min(at, len(text)) + 1))
