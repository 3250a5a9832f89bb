"""What changed between two texts, by sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.sentences import changed_sentences, sentences_of


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?\n", ["One.", "Two!", "Three?"]),
        ("It is 3.5 m, e.g. a car.", ["It is 3.5 m, e.g. a car."]),
        ("- an item. With more\n1. first. Second", ["- an item. With more", "1. first. Second"]),
        ("# A heading. Really\n\ntext", ["# A heading. Really", "text"]),
        ("一。二！", ["一。", "二！"]),
        ("", []),
    ],
)
def test_a_text_is_cut_into_sentences(text: str, sentences: list[str]) -> None:
    assert sentences_of(text) == sentences


def test_a_sentence_that_changed_stands_beside_what_it_was() -> None:
    changes = changed_sentences("One. Two. Three.", "One. Second. Three. Four.")
    assert [(each.old, each.new) for each in changes] == [("Two.", "Second."), (None, "Four.")]


def test_line_ends_alone_are_no_change() -> None:
    assert changed_sentences("One. Two.", "One.\n\nTwo.\n") == []


@given(st.text(st.sampled_from("aB .\n-。"), max_size=40), st.text(st.sampled_from("aB .\n-。"), max_size=40))
def test_nothing_is_left_out(old: str, new: str) -> None:
    """Every sentence that only one side has is named."""
    changes = changed_sentences(old, new)
    assert set(sentences_of(old)) - set(sentences_of(new)) <= {each.old for each in changes}
    assert set(sentences_of(new)) - set(sentences_of(old)) <= {each.new for each in changes}
