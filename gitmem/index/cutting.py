"""How folded text is cut into words: compounds, versions, capitals inside, scripts without blanks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from gitmem.index.folding import clusters, mark_class, stand_alone
from gitmem.index.stems import stem

AMOUNT = "$"
"""What every sum of money is found by as well, besides its digits."""

MAX_TERM_CHARACTERS = 64
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
HUMP = "\x1f"
"""Stands in folded text where a capital began a part of a word: `taskPool`."""
_LEAD = "(?P<lead>(?<![^\\s(\\[{<\"'`=,;|])(?:--?|[@#.$~/]))?"
_TRAIL = "(?P<trail>(?:\\+\\+|\\#)(?![\\w\\#+]))?"
_SPLIT = re.compile(f"({_JOINER})")
_HAS_HUMP = re.compile(f"[A-Z](?:(?<=[a-z0-9].)|[A-Z][a-z]{{2}})|{HUMP}")
_HUMP_PLACE = re.compile("(?<=[a-z])(?=[A-Z])|(?<=[a-z][0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
_GLUED_BY = "-_.'"
_MOST_JOINED = 63
"""Parts of one word that are looked at together; in a longer chain another word begins."""
_WINDOW_CHARACTERS = 4096
_HASH = re.compile("[0-9a-f]+")
_HASH_CHARACTERS = (40, 64)
_SHORT_HASH_CHARACTERS = range(7, 13)
_VERSION = re.compile("v[0-9]+")
_NUMBERED = re.compile(r"([^\W\d_]{3,})[0-9]{1,4}")


class Word(NamedTuple):
    """One word as it stands in folded text.

    `extras` are the exact forms that it is found by as well, `humps` the parts that begin with a
    capital: `task` and `pool` of `taskPool`. `names` are parts without the number behind
    them, `python` of `python3`: a text is found by them, and no query asks for them.
    """

    start: int
    end: int
    terms: tuple[str, ...]
    extras: tuple[str, ...]
    plain: tuple[str, ...]
    humps: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


def _word_pattern(part: str) -> str:
    return f"{_LEAD}(?P<word>{part}(?:{_JOINER}{part}){{0,{_MOST_JOINED}}}){_TRAIL}"


_ASCII = re.compile(_word_pattern(f"[a-z0-9]+(?:{HUMP}[a-z0-9]+)*") + "|(?P<run>(?!))|(?P<symbol>(?!))")


@lru_cache(maxsize=1)
def _standing_alone() -> re.Pattern[str]:
    letter = "[^\\W_]"
    part = f"{letter}(?:{letter}|{HUMP})*"
    return re.compile(f"(?P<run>(?!))|(?P<symbol>[{_SYMBOLS}])|" + _word_pattern(part))


@lru_cache(maxsize=1)
def _any_script() -> re.Pattern[str]:
    letter = f"[^\\W_{_UNSPACED}]"
    part = f"{letter}(?:{letter}|{HUMP}|[{mark_class()}])*"
    return re.compile(f"(?P<run>[{_UNSPACED}]+)|(?P<symbol>[{_SYMBOLS}])|" + _word_pattern(part))


def _pattern_for(folded: str) -> re.Pattern[str]:
    if folded.isascii():
        return _ASCII
    return _standing_alone() if stand_alone(folded) else _any_script()


def with_humps(text: str) -> str:
    """`text` with a mark where a capital begins a part of a word; no such mark stays from before."""
    if _HAS_HUMP.search(text) is None:
        return text
    return _HUMP_PLACE.sub(HUMP, text.replace(HUMP, " "))


def words_in(folded: str) -> Iterator[Word]:
    """The words of folded text."""
    for match in _pattern_for(folded).finditer(folded):
        lead, word, trail = match.group("lead", "word", "trail")
        if word is not None:
            if lead is None and trail is None and word.isalnum():
                extras, names = _short_hashes(word), _names_in((word,))
                yield Word(*match.span(), (term_in(word),), extras, (word,), names=names)
            else:
                yield _compound(match.start(), match.end(), word, lead or "", trail or "")
        elif match["run"] is not None:
            yield from _run_words(match.start(), match["run"])
        else:
            symbol = match["symbol"]
            amount = (AMOUNT,) if unicodedata.category(symbol) == "Sc" else ()
            yield Word(*match.span(), (symbol,), amount, (symbol,))


def _short_hashes(word: str) -> tuple[str, ...]:
    """The forms in which git and people shorten `word`, where it is the whole hash of a commit or file."""
    if len(word) not in _HASH_CHARACTERS or _HASH.fullmatch(word) is None:
        return ()
    return tuple(dict.fromkeys(term_in(word[:size]) for size in _SHORT_HASH_CHARACTERS))


def _compound(start: int, end: int, word: str, lead: str, trail: str) -> Word:
    """Case `stock-feed-eu`: its parts, each run of two to four of them, the whole, and `stockfeedeu`."""
    pieces = _SPLIT.split(word)
    parts, joiners = pieces[::2], pieces[1::2]
    while len(parts) > 1 and parts[-1] == "s" and joiners[-1] == "'":
        parts.pop()
        joiners.pop()
    humps = [hump for part in parts if HUMP in part for hump in part.split(HUMP) if hump]
    parts = [part.replace(HUMP, "") for part in parts]
    word = word.replace(HUMP, "")
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
        extras.append(term_in("".join(parts)))
    return Word(
        start, end, tuple(map(term_in, parts)), tuple(extras), tuple(parts), tuple(humps), _names_in(parts)
    )


def _names_in(parts: Sequence[str]) -> tuple[str, ...]:
    """The names with a number behind them, without it: none of `v2`, `42`, `covid20261201`."""
    numbered = (_NUMBERED.fullmatch(part) for part in parts if part[-1].isdigit())
    return tuple(found[1] for found in numbered if found)


def _is_glued(parts: list[str], joiners: list[str]) -> bool:
    """Whether it may be written as one word: `e-mail`, `don't`, `node.js`; not `2020-2024`, `a/b`, `1.2`."""
    if len(parts) < 2 or len(set(joiners)) > 1 or joiners[0] not in _GLUED_BY:
        return False
    return (all if joiners[0] == "." else any)(not part.isdigit() for part in parts)


def _run_words(start: int, run: str) -> Iterator[Word]:
    """Case 日本酒: each character, and each pair of neighbours as an extra of the first."""
    at = 0
    while at < len(run):
        # In windows, of which each begins with the last character of the one before.
        units = clusters(run[at : at + _WINDOW_CHARACTERS])
        is_last = at + _WINDOW_CHARACTERS >= len(run) or len(units) == 1
        for unit, following in zip_longest(units if is_last else units[:-1], units[1:]):
            term = unit[:MAX_TERM_CHARACTERS]
            pair = () if following is None else ((unit + following)[:MAX_TERM_CHARACTERS],)
            yield Word(start + at, start + at + len(unit), (term,), pair, (unit,))
            at += len(unit)


def is_unspaced(term: str) -> bool:
    """Whether a term is made of letters that are written without blanks: 花, 花生."""
    match = None if term.isascii() else _any_script().fullmatch(term)
    return match is not None and match["run"] is not None


def term_in(word: str) -> str:
    """The term of one folded word without joiners."""
    return stem(word[:MAX_TERM_CHARACTERS])
