"""How text becomes terms; the same rules for what is stored and for what is asked."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from gitmem.index.folding import clusters, fold, fold_with_offsets, mark_class
from gitmem.index.irregular import base_stem
from gitmem.index.stopwords import DROPPED, LIGHT

ANALYZER_VERSION = 3
"""Raised whenever the same text gives other terms, so that older indexes are built anew."""

AMOUNT = "$"
"""What every sum of money is found by as well, besides its digits."""

MAX_TERM_CHARACTERS = 64
MAX_QUERY_TERMS = 512
_LONGEST_RUN = 4

# Scripts written without blanks between words: Thai, Lao, Myanmar, Khmer, Hangul, kana, Han.
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\uaa60-\uaa7f\ua9e0-\ua9ff\u1780-\u17ff"
    "\u1100-\u11ff\u3130-\u318f\ua960-\ua97f\uac00-\ud7ff"
    "\u3005-\u3007\u3041-\u3096\u3099\u309a\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
_SYMBOLS = (
    "\u00a2-\u00a5\u00a9\u00ae\u20a0-\u20cf\u2190-\u23ff\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\U0001f000-\U0001faff"
)
_JOINER = "(?:::|[-_./:@+'&\\\\])"
_HUMP = "\x1f"
"""Stands in folded text where a capital began a part of a word: `taskPool`."""
_LEAD = "(?P<lead>(?<![^\\s(\\[{<\"'`=,;|])(?:--?|[@#.$~/]))?"
_TRAIL = "(?P<trail>(?:\\+\\+|\\#)(?![\\w\\#+]))?"
_SPLIT = re.compile(f"({_JOINER})")
_HAS_HUMP = re.compile(f"[A-Z](?:(?<=[a-z0-9].)|[A-Z][a-z]{{2}})|{_HUMP}")
_HUMP_PLACE = re.compile("(?<=[a-z])(?=[A-Z])|(?<=[a-z][0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_GLUED_BY = "-_.'"
_VERSION = re.compile("v[0-9]+")


class Word(NamedTuple):
    """One word as it stands in folded text.

    `extras` are the exact forms that it is found by as well, `humps` the parts that begin with a
    capital: `task` and `pool` of `taskPool`.
    """

    start: int
    end: int
    terms: tuple[str, ...]
    extras: tuple[str, ...]
    plain: tuple[str, ...]
    humps: tuple[str, ...] = ()


class TermCounts(NamedTuple):
    """The terms of one field: `words` make up its length, `extras` are found but not counted."""

    words: Counter[str]
    extras: Counter[str]

    @property
    def length(self) -> int:
        return self.words.total()


def _word_pattern(part: str) -> str:
    return f"{_LEAD}(?P<word>{part}(?:{_JOINER}{part})*){_TRAIL}"


_ASCII = re.compile(_word_pattern(f"[a-z0-9]+(?:{_HUMP}[a-z0-9]+)*") + "|(?P<run>(?!))|(?P<symbol>(?!))")


@lru_cache(maxsize=1)
def _any_script() -> re.Pattern[str]:
    letter = f"[^\\W_{_UNSPACED}]"
    part = f"{letter}(?:{letter}|{_HUMP}|[{mark_class()}])*"
    return re.compile(f"(?P<run>[{_UNSPACED}]+)|(?P<symbol>[{_SYMBOLS}])|" + _word_pattern(part))


def _with_humps(text: str) -> str:
    """`text` with a mark where a capital begins a part of a word; no such mark stays from before."""
    if _HAS_HUMP.search(text) is None:
        return text
    return _HUMP_PLACE.sub(_HUMP, text.replace(_HUMP, " "))


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
            symbol = match["symbol"]
            amount = (AMOUNT,) if unicodedata.category(symbol) == "Sc" else ()
            yield Word(*match.span(), (symbol,), amount, (symbol,))


def _compound(start: int, end: int, word: str, lead: str, trail: str) -> Word:
    """Case `stock-feed-eu`: its parts, each run of two to four of them, the whole, and `stockfeedeu`."""
    pieces = _SPLIT.split(word)
    parts, joiners = pieces[::2], pieces[1::2]
    while len(parts) > 1 and parts[-1] == "s" and joiners[-1] == "'":
        parts.pop()
        joiners.pop()
    humps = [hump for part in parts if _HUMP in part for hump in part.split(_HUMP) if hump]
    parts = [part.replace(_HUMP, "") for part in parts]
    word = word.replace(_HUMP, "")
    extras: list[str] = []
    for first in range(len(parts)):
        text = parts[first]
        for last in range(first + 1, min(first + _LONGEST_RUN, len(parts))):
            text += joiners[last - 1] + parts[last]
            extras.append(text[:MAX_TERM_CHARACTERS])
            if first == 0 and _VERSION.fullmatch(parts[0]):
                extras.append(text[1:MAX_TERM_CHARACTERS])
    if len(parts) > _LONGEST_RUN:
        extras.append(word[:MAX_TERM_CHARACTERS])
    if lead or trail:
        extras.append((lead + word + trail)[:MAX_TERM_CHARACTERS])
    if lead == "$" and word[0].isdigit():
        extras.append(AMOUNT)
    if _is_glued(parts, joiners):
        extras.append(_term("".join(parts)))
    return Word(start, end, tuple(map(_term, parts)), tuple(extras), tuple(parts), tuple(humps))


def _is_glued(parts: list[str], joiners: list[str]) -> bool:
    """Whether it may be written as one word: `e-mail`, `don't`, `node.js`; not `2020-2024`, `a/b`, `1.2`."""
    if len(parts) < 2 or len(set(joiners)) > 1 or joiners[0] not in _GLUED_BY:
        return False
    return (all if joiners[0] == "." else any)(not part.isdigit() for part in parts)


def _run_words(start: int, run: str) -> Iterator[Word]:
    """Case 日本酒: each character, and each pair of neighbours as an extra of the first."""
    units = clusters(run)
    position = start
    for index, unit in enumerate(units):
        following = units[index + 1 : index + 2]
        term = unit[:MAX_TERM_CHARACTERS]
        pair = tuple((unit + other)[:MAX_TERM_CHARACTERS] for other in following)
        yield Word(position, position + len(unit), (term,), pair, (unit,))
        position += len(unit)


def is_unspaced(term: str) -> bool:
    """Whether a term is made of letters that are written without blanks: 花, 花生."""
    match = None if term.isascii() else _any_script().fullmatch(term)
    return match is not None and match["run"] is not None


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
    words: list[str] = []
    extras: list[str] = []
    for word in _words(fold(_with_humps(text))):
        words.extend(word.terms)
        if word.extras or word.humps:
            extras.extend((*word.extras, *map(_term, word.humps)))
    return TermCounts(Counter(words), Counter(extras))


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
    for word in _words(fold(_with_humps(text))):
        is_common = True
        for plain, term in zip(word.plain, word.terms, strict=True):
            is_common = is_common and plain in DROPPED
            (dropped if plain in DROPPED else kept).setdefault(term, QueryTerm(term, plain, plain in LIGHT))
        is_common = is_common and "'" in next(iter(word.extras), "")
        for extra in word.extras:
            is_dropped = is_common or extra in DROPPED
            (dropped if is_dropped else kept).setdefault(extra, QueryTerm(extra, extra))
        for hump in word.humps:
            kept.setdefault(_term(hump), QueryTerm(_term(hump), hump, is_light=True))
        if len(kept) >= MAX_QUERY_TERMS:
            break
    return list((kept or dropped).values())[:MAX_QUERY_TERMS]


def plain_words(text: str) -> list[str]:
    """The words of `text` in order, folded and not stemmed; of a text without blanks each character."""
    return [plain for word in _words(fold(_with_humps(text))) for plain in word.plain]


def whole_terms(text: str) -> list[str]:
    """The exact forms by which the whole of one word is found: `e-mail` and `email` for `e-mail`."""
    words = list(_words(fold(_with_humps(text))))
    if len(words) != 1 or len(words[0].plain) < 2:
        return []
    whole = {"".join(words[0].plain), fold(text.strip())}
    return [extra for extra in words[0].extras if extra in whole or extra in map(_term, whole)]


def query_terms(text: str) -> list[str]:
    """The distinct terms to look for, in the order of the text; see `query_words`."""
    return [found.term for found in query_words(text)]


def spans(text: str) -> Iterator[tuple[int, int, str]]:
    """Where each term stands in `text` as it was written: start, end, term."""
    marked = _with_humps(text)
    folded, offsets = fold_with_offsets(marked)
    if len(marked) != len(text):
        offsets = _without_marks(marked, offsets)
    for word in _words(folded):
        for start, end, term in _places(folded, word):
            yield *_place(offsets, start, end), term


def _places(folded: str, word: Word) -> Iterator[tuple[int, int, str]]:
    """Where each term of `word` stands in folded text; a form that is not written there is the whole word."""
    kept = [place for place in range(word.start, word.end) if folded[place] != _HUMP]
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
    position = 0
    for hump in word.humps:
        position = bare.index(hump, position)
        yield kept[position], kept[position + len(hump) - 1] + 1, _term(hump)
        position += len(hump)


def _without_marks(marked: str, offsets: list[int]) -> list[int]:
    """`offsets` into text with marks as offsets into the text without them."""
    before = [0, *accumulate(character == _HUMP for character in marked)]
    return [offset - before[offset] for offset in offsets]


def _place(offsets: list[int], start: int, end: int) -> tuple[int, int]:
    """The original place of folded characters, never empty: one character may fold to several."""
    while offsets[end] <= offsets[start]:
        end += 1
    return offsets[start], offsets[end]
