"""The stems that are written down are those that texts are indexed by."""

from __future__ import annotations

from gitmem.index.analysis import term_of
from gitmem.recall.lexicon import words
from gitmem.recall.lexicon_stems import stems


def test_the_stems_of_the_lexicon_are_those_of_texts() -> None:
    expected = {word: term_of(word) for word in words() if term_of(word) != word}
    assert stems() == expected
