"""How text becomes terms; the same rules for what is stored and for what is asked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from gitmem.index.folding import clusters, fold, fold_with_offsets, mark_class
from gitmem.index.irregular import base_stem
from gitmem.index.stopwords import DROPPED, LIGHT

ANALYZER_VERSION = 2
"""Raised whenever the same text gives other terms, so that older indexes are built anew."""

AMOUNT = "$"
"""What every sum of money is found by as well, besides its digits."""

MAX_TERM_CHARACTERS = 64
MAX_QUERY_TERMS = 512
_LONGEST_RUN = 4
_MOST_JOINED = 63
"""Parts of one word that are looked at together; in a longer chain another word begins."""
_WINDOW_CHARACTERS = 4096
_PENDING_TERMS = 100_000

# Scripts written without blanks between words: Thai, Lao, Myanmar, Khmer, Hangul, kana, Han.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\uaa60-\uaa7f\ua9e0-\ua9ff\u1780-\u17ff"
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
    "\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_SYMBOLS = "\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff"
_JOINERS = "-_./:@+'"
_LEAD = "(?P<lead>(?<![^\\s(\\[{<\"'`=,;|])(?:--?|[@#.$~/]))?"
_TRAIL = "(?P<trail>(?:\\+\\+|\\#)(?![\\w\\#+]))?"
_SPLIT = re.compile(f"([{_JOINERS}])")


class Word(NamedTuple):
    """One word as it stands in folded text; `extras` are the exact forms it is found by as well."""

    start: int
    end: int
    terms: tuple[str, ...]
    extras: tuple[str, ...]
    plain: tuple[str, ...]


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


def _word_pattern(part: str) -> str:
    return f"{_LEAD}(?P<word>{part}(?:[{_JOINERS}]{part}){{0,{_MOST_JOINED}}}){_TRAIL}"


_ASCII = re.compile(_word_pattern("[a-z0-9]+") + "|(?P<run>(?!))|(?P<symbol>(?!))")


@lru_cache(maxsize=1)
def _any_script() -> re.Pattern[str]:
    letter = f"[^\\W_{_UNSPACED}]"
    part = f"{letter}(?:{letter}|[{mark_class()}])*"
    return re.compile(f"(?P<run>[{_UNSPACED}]+)|(?P<symbol>[{_SYMBOLS}])|" + _word_pattern(part))


def _words(folded: str) -> Iterator[Word]:
    pattern = _ASCII if folded.isascii() else _any_script()
    for match in pattern.finditer(folded):
        word = match["word"]
        if word is not None:
            lead, trail = match["lead"], match["trail"]
            if lead is None and trail is None and word.isalnum():
                yield Word(*match.span(), (_term(word),), (), (word,))
            else:
                yield _compound(match.start(), match.end(), word, lead or "", trail or "")
        elif match["run"] is not None:
            yield from _run_words(match.start(), match["run"])
        else:
            yield Word(*match.span(), (match["symbol"],), (), (match["symbol"],))


def _compound(start: int, end: int, word: str, lead: str, trail: str) -> Word:
    """Case `stock-feed-eu`: its parts, each run of two to four of them, and the whole."""
    pieces = _SPLIT.split(word)
    parts, joiners = pieces[::2], pieces[1::2]
    while len(parts) > 1 and parts[-1] == "s" and joiners[-1] == "'":
        parts.pop()
        joiners.pop()
    extras: list[str] = []
    for first in range(len(parts)):
        text = parts[first]
        for last in range(first + 1, min(first + _LONGEST_RUN, len(parts))):
            text += joiners[last - 1] + parts[last]
            extras.append(text[:MAX_TERM_CHARACTERS])
    if len(parts) > _LONGEST_RUN:
        extras.append(word[:MAX_TERM_CHARACTERS])
    if lead or trail:
        extras.append((lead + word + trail)[:MAX_TERM_CHARACTERS])
    if lead == "$" and word[0].isdigit():
        extras.append(AMOUNT)
    return Word(start, end, tuple(map(_term, parts)), tuple(extras), tuple(parts))


def _run_words(start: int, run: str) -> Iterator[Word]:
    """Case 日本酒: each character, and each pair of neighbours as an extra of the first."""
    at = 0
    while at < len(run):
        # In windows, of which each begins with the last character of the one before.
        units = clusters(run[at : at + _WINDOW_CHARACTERS])
        is_last = at + _WINDOW_CHARACTERS >= len(run) or len(units) == 1
        for index, unit in enumerate(units if is_last else units[:-1]):
            following = units[index + 1 : index + 2]
            term = unit[:MAX_TERM_CHARACTERS]
            pair = tuple((unit + other)[:MAX_TERM_CHARACTERS] for other in following)
            yield Word(start + at, start + at + len(unit), (term,), pair, (unit,))
            at += len(unit)


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    return base_stem(word)


def term_of(word: str) -> str:
    """The term of one word without joiners: how it is found whatever its form."""
    return _term(fold(word))


def _term(word: str) -> str:
    word = word[:MAX_TERM_CHARACTERS]
    return _stem(word) if word.isascii() and word.isalpha() else word


def count_terms(text: str) -> TermCounts:
    """The terms of `text` with how often each occurs."""
    counts = TermCounts(Counter(), Counter())
    words: list[str] = []
    extras: list[str] = []
    for word in _words(fold(text)):
        words.extend(word.terms)
        if word.extras:
            extras.extend(word.extras)
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
    for word in _words(fold(text)):
        for plain, term in zip(word.plain, word.terms, strict=True):
            (dropped if plain in DROPPED else kept).setdefault(term, QueryTerm(term, plain, plain in LIGHT))
        for extra in word.extras:
            kept.setdefault(extra, QueryTerm(extra, extra))
        if len(kept) >= MAX_QUERY_TERMS:
            break
    return list((kept or dropped).values())[:MAX_QUERY_TERMS]


def query_terms(text: str) -> list[str]:
    """The distinct terms to look for, in the order of the text; see `query_words`."""
    return [found.term for found in query_words(text)]


def spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each term stands in `text` as it was written: start, end, term."""
    folded, offsets = fold_with_offsets(text)
    for word in _words(folded):
        position = word.start
        for plain, term in zip(word.plain, word.terms, strict=True):
            position = folded.index(plain, position)
            yield *_place(offsets, position, position + len(plain)), term
            position += len(plain)
        for extra in word.extras:
            if extra == AMOUNT:
                continue
            position = folded.index(extra, word.start)
            yield *_place(offsets, position, position + len(extra)), extra


def _place(offsets: list[int], start: int, end: int) -> tuple[int, int]:
    """The original place of folded characters, never empty: one character may fold to several."""
    while offsets[end] <= offsets[start]:
        end += 1
    return offsets[start], offsets[end]
