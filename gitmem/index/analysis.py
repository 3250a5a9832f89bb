"""How text becomes terms; the same rules for what is stored and for what is asked.

Nothing depends on what stands beyond a blank, so text is taken piece by piece between blanks, and what
became of a short piece is kept: most text is made of the same few thousand.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from gitmem.index.cutting import (
    AMOUNT,
    HUMP,
    MAX_TERM_CHARACTERS,
    Word,
    is_unspaced,
    term_in,
    with_humps,
    words_in,
)
from gitmem.index.folding import fold, fold_with_offsets
from gitmem.index.stopwords import DROPPED, LIGHT

__all__ = [
    "AMOUNT",
    "MAX_TERM_CHARACTERS",
    "QueryTerm",
    "TermCounts",
    "count_terms",
    "index_terms",
    "is_unspaced",
    "plain_words",
    "query_terms",
    "query_words",
    "spans",
    "term_of",
    "whole_terms",
]

ANALYZER_VERSION = 5
"""Raised whenever the same text gives other terms, so that older indexes are built anew."""

MAX_QUERY_TERMS = 512
_PENDING_TERMS = 100_000
_KEPT_PIECES = 20_000
_LONGEST_KEPT = 32
_PART = re.compile(r"(?s:.){1,65536}\S*")
"""What is taken apart at once of a large text; it ends before a blank."""


class TermCounts(NamedTuple):
    """The terms of one field: `words` make up its length, `extras` are found but not counted."""

    words: Counter[str]
    extras: Counter[str]

    @property
    def length(self) -> int:
        return self.words.total()

    def add(self, words: Iterable[str], extras: Iterable[str]) -> None:
        """Counts more terms in."""
        self.words.update(words)
        self.extras.update(extras)


def term_of(word: str) -> str:
    """The term of one word without joiners: how it is found whatever its form."""
    return term_in(fold(word))


def count_terms(text: str) -> TermCounts:
    """The terms of `text` with how often each occurs."""
    counts = TermCounts(Counter(), Counter())
    words: list[str] = []
    extras: list[str] = []
    for word in _words(text):
        words.extend(word.terms)
        if word.extras or word.humps or word.names:
            extras.extend((*word.extras, *map(term_in, word.humps), *map(term_in, word.names)))
        if len(words) >= _PENDING_TERMS:
            # Counted at once, the terms of a large text would take a hundred times its size.
            counts.add(words, extras)
            words, extras = [], []
    counts.add(words, extras)
    return counts


def index_terms(text: str) -> Counter[str]:
    """All terms by which `text` is found, words and exact forms, with their counts."""
    counts = count_terms(text)
    return counts.words + counts.extras


class QueryTerm(NamedTuple):
    """One term to look for, the word it stands for, and whether that is a light one or a name.

    Light words say how to answer more than what about: `first`, `many`, `last month`. A name has a
    capital where no sentence begins.
    """

    term: str
    word: str
    is_light: bool = False
    is_name: bool = False


def query_words(text: str) -> list[QueryTerm]:
    """The distinct terms to look for, in the order of the text, each with its word as folded.

    Question words and common words are dropped unless nothing else is left.
    """
    kept: dict[str, QueryTerm] = {}
    dropped: dict[str, QueryTerm] = {}
    for piece in _pieces(text):
        sought = _sought_in_short(piece) if len(piece) <= _LONGEST_KEPT else _sought_in(_words_of(piece))
        for is_dropped, found in sought:
            (dropped if is_dropped else kept).setdefault(found.term, found)
            if len(kept) == MAX_QUERY_TERMS:
                return list(kept.values())
    return list((kept or dropped).values())[:MAX_QUERY_TERMS]


def _sought_in(words: Iterable[Word]) -> Iterator[tuple[bool, QueryTerm]]:
    """What each word is looked for by, and whether that is dropped."""
    for word in words:
        is_common = True
        for plain, term in zip(word.plain, word.terms, strict=True):
            is_common = is_common and plain in DROPPED
            yield plain in DROPPED, QueryTerm(term, plain, plain in LIGHT)
        is_common = is_common and "'" in next(iter(word.extras), "")
        for extra in word.extras:
            yield is_common or extra in DROPPED, QueryTerm(extra, extra)
        for hump in word.humps:
            yield False, QueryTerm(term_in(hump), hump, is_light=True)


@lru_cache(maxsize=_KEPT_PIECES)
def _sought_in_short(piece: str) -> tuple[tuple[bool, QueryTerm], ...]:
    return tuple(_sought_in(_words_of_short(piece)))


def plain_words(text: str) -> list[str]:
    """The words of `text` in order, folded and not stemmed; of a text without blanks each character."""
    return [plain for word in _words(text) for plain in word.plain]


def whole_terms(text: str) -> list[str]:
    """The exact forms by which the whole of one word is found: `e-mail` and `email` for `e-mail`."""
    words = list(_words(text))
    if len(words) != 1 or len(words[0].plain) < 2:
        return []
    whole = {"".join(words[0].plain), fold(text.strip())}
    return [extra for extra in words[0].extras if extra in whole or extra in map(term_in, whole)]


def query_terms(text: str) -> list[str]:
    """The distinct terms to look for, in the order of the text; see `query_words`."""
    return [found.term for found in query_words(text)]


def spans(text: str, sought: Set[str]) -> Iterator[tuple[int, int, str]]:
    """Where each of the terms `sought` stands in `text` as it was written: start, end, term."""
    for part in _PART.finditer(text):
        begin = part.start()
        for piece in part[0].split(" "):
            is_long = len(piece) > _LONGEST_KEPT
            if is_long or not sought.isdisjoint(_terms_of_short(piece)):
                for start, end, term in _spans_of(piece, sought) if is_long else _spans_of_short(piece):
                    if term in sought:
                        yield begin + start, begin + end, term
            begin += len(piece) + 1


def _words(text: str) -> Iterator[Word]:
    """The words of `text`; their places are those in their pieces."""
    for piece in _pieces(text):
        yield from _words_of_short(piece) if len(piece) <= _LONGEST_KEPT else _words_of(piece)


def _pieces(text: str) -> Iterator[str]:
    """What stands between blanks."""
    for part in _PART.finditer(text):
        yield from part[0].split()


def _words_of(piece: str) -> Iterator[Word]:
    return words_in(fold(with_humps(piece)))


@lru_cache(maxsize=_KEPT_PIECES)
def _words_of_short(piece: str) -> tuple[Word, ...]:
    return tuple(_words_of(piece))


@lru_cache(maxsize=_KEPT_PIECES)
def _terms_of_short(piece: str) -> frozenset[str]:
    found: set[str] = set()
    for word in _words_of_short(piece):
        found.update(word.terms, word.extras, map(term_in, word.humps), map(term_in, word.names))
    return frozenset(found)


def _spans_of(piece: str, sought: Set[str]) -> Iterator[tuple[int, int, str]]:
    """The places of all terms of each word that may have any of those `sought`."""
    marked = with_humps(piece)
    folded, offsets = fold_with_offsets(marked)
    if len(marked) != len(piece):
        offsets = _without_marks(marked, offsets)
    for word in words_in(folded):
        if word.humps or word.names or not (sought.isdisjoint(word.terms) and sought.isdisjoint(word.extras)):
            for start, end, term in _places(folded, word):
                yield *_place(offsets, start, end), term


@lru_cache(maxsize=_KEPT_PIECES)
def _spans_of_short(piece: str) -> tuple[tuple[int, int, str], ...]:
    return tuple(_spans_of(piece, _terms_of_short(piece)))


def _places(folded: str, word: Word) -> Iterator[tuple[int, int, str]]:
    """Where each term of `word` stands in folded text; a form that is not written there is the whole word."""
    if not word.extras and not word.humps and word.plain == (folded[word.start : word.end],):
        yield word.start, word.end, word.terms[0]
        for name in word.names:
            yield word.start, word.start + len(name), term_in(name)
        return
    kept = [place for place in range(word.start, word.end) if folded[place] != HUMP]
    bare = "".join(folded[place] for place in kept)
    position = 0
    for plain, term in zip(word.plain, word.terms, strict=True):
        position = bare.index(plain, position)
        yield kept[position], kept[position + len(plain) - 1] + 1, term
        position += len(plain)
    for extra in word.extras:
        if folded.startswith(extra, word.start):
            yield word.start, word.start + len(extra), extra
        else:
            found = max(bare.find(extra), 0)
            last = found + len(extra) if bare.startswith(extra, found) else len(bare)
            yield kept[found], kept[last - 1] + 1, extra
    for parts in (word.humps, word.names):
        position = 0
        for part in parts:
            position = bare.index(part, position)
            yield kept[position], kept[position + len(part) - 1] + 1, term_in(part)
            position += len(part)


def _without_marks(marked: str, offsets: Sequence[int]) -> list[int]:
    """`offsets` into text with marks as offsets into the text without them."""
    before = [0, *accumulate(character == HUMP for character in marked)]
    return [offset - before[offset] for offset in offsets]


def _place(offsets: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """The original place of folded characters, never empty: one character may fold to several."""
    while offsets[end] <= offsets[start]:
        end += 1
    return offsets[start], offsets[end]
