"""Nothing relevant: when the best that was found is no answer.

Calibrated on questions that were put to stores which cannot answer them; see docs/benchmarks.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from gitmem.index.analysis import QueryTerm, is_unspaced
from gitmem.recall.weights import (
    CUTOFF_LEAST_WORDS,
    CUTOFF_MOST_WORDS,
    EXACT_NUMBER_DIGITS,
    TERMS_OF_UNSPACED_WORD,
)

SURE_STAGES = frozenset(("exact", "id", "phrase"))
"""What these stages find was asked for as it stands."""


def can_be_cut(words: Collection[QueryTerm], found: Iterable[QueryTerm]) -> bool:
    """Whether a question of these words may be answered with "nothing relevant".

    One or two words are a search for them, and a long text is more than a question: its words
    are never all in one memory. A word that was `found` in a form of its own, as code, ids and
    long numbers have it, is what was looked for.
    """
    size = words_in(words)
    if not CUTOFF_LEAST_WORDS <= size <= CUTOFF_MOST_WORDS:
        return False
    return not any(has_form_of_its_own(word.term) for word in found)


def words_in(words: Collection[QueryTerm]) -> float:
    """How many words a person would count: a character of a script without blanks is half a word."""
    terms = {word.term for word in words}
    # What `stock-feed` is found by when it is written as one word.
    joined = {"".join(filter(str.isalnum, term)) for term in terms if not term.isalnum()}
    return sum(_size(term, terms) for term in terms - joined)


def _size(term: str, terms: Collection[str]) -> float:
    if term.isascii():
        # The parts of `stock-feed` are terms of their own.
        return 1.0 if term.isalnum() else 0.0
    if len(term) == 1:
        return 0.5
    return 0.0 if term[0] in terms and term[-1] in terms else 1.0


def terms_of_a_word(words: Collection[QueryTerm]) -> float:
    """By how many terms a word of this question is found: one, on average more where blanks part no words."""
    unspaced = sum(is_unspaced(word.term) for word in words)
    return 1.0 + (TERMS_OF_UNSPACED_WORD - 1.0) * unspaced / max(1, len(words))


def has_form_of_its_own(term: str) -> bool:
    """Whether a term is no plain word: `adr-0007`, `pkg.mod`, `x86`, a number of many digits."""
    if len(term) < 3 or not term.isascii():
        return False
    digits = sum(character.isdigit() for character in term)
    if term.isalnum():
        return 0 < digits < len(term) or digits >= EXACT_NUMBER_DIGITS
    return any(character.isalnum() for character in term)
