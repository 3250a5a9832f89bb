"""When: the span of time that words name, in English, Chinese, Japanese, Korean or digits."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from functools import cache

from gitmem.index.folding import fold
from gitmem.recall import spans
from gitmem.recall.spans import Span

Reading = Callable[[re.Match[str], datetime], Span]
MOST_CHARACTERS = 60
_CUE = re.compile("\\b(?:ago|last|past|previous|this|today|yesterday)\\b|[今前去昨上本这這]", re.IGNORECASE)
"""A word without which nothing is relative: reading all the others in takes longer than an answer."""


def span_named(text: str, now: datetime) -> Span | None:
    """The span that the whole of `text` names; None if it names none.

    `now` is the person's wall time, without an offset; so is the span, unless `text` is a time with
    an offset of its own. The reference page of the query syntax lists what is understood.
    """
    folded = " ".join(fold(text).split()) if len(text) <= MOST_CHARACTERS else ""
    try:
        for words, readings in ((folded, _spaced), (folded.replace(" ", ""), _unspaced)):
            for pattern, read in readings() if readings is _spaced or not words.isascii() else ():
                match = pattern.fullmatch(words)
                if match is not None:
                    return read(match, now)
        return _iso_time(text.strip())
    except (ValueError, OverflowError):
        return None


def is_time(text: str) -> bool:
    """Whether `text` names a time, whatever day it is."""
    return span_named(text, datetime(2000, 2, 29)) is not None


def relative_spans(text: str, now: datetime) -> tuple[list[Span], str]:
    """The spans that `text` names by their distance from now, and the text without them."""
    found: list[Span] = []
    if _CUE.search(text) is None:
        return found, text

    def take(match: re.Match[str]) -> str:
        named = span_named(match[0], now)
        if named is None:
            return match[0]
        found.append(named)
        return " "

    return found, _relative().sub(take, text)


@cache
def _spaced() -> tuple[tuple[re.Pattern[str], Reading], ...]:
    from gitmem.recall.when_english import readings

    return (*readings(), *_DIGITS)


@cache
def _unspaced() -> tuple[tuple[re.Pattern[str], Reading], ...]:
    from gitmem.recall.when_asian import readings

    return tuple(readings())


@cache
def _relative() -> re.Pattern[str]:
    from gitmem.recall.when_asian import RELATIVE as ASIAN
    from gitmem.recall.when_english import RELATIVE as ENGLISH

    return re.compile(f"{ENGLISH}|{ASIAN}", re.IGNORECASE)


def _iso_time(text: str) -> Span | None:
    if not re.match(r"\d{4}-?\d\d-?\d\d.\d|\d{4}-?W\d", text):
        return None
    at = datetime.fromisoformat(text)
    return spans.day(at) if "W" in text and len(text) <= len("2026-W19-3") else spans.moment(at)


def _digits(make: Callable[..., Span]) -> Reading:
    """A reading that hands the groups of digits to `make`."""

    def read(match: re.Match[str], now: datetime) -> Span:
        del now
        return make(*map(int, match.groups()))

    return read


def _iso_week(year: int, number: int) -> Span:
    return spans.week(datetime.fromisocalendar(year, number, 1))


_DIGITS: tuple[tuple[re.Pattern[str], Reading], ...] = (
    (re.compile(r"(\d{4})"), _digits(spans.year)),
    (re.compile(r"(\d{4})[-/.](\d\d?)"), _digits(spans.month)),
    (re.compile(r"(\d{4})([01]\d)([0-3]\d)"), _digits(spans.date)),
    (re.compile(r"(\d{4})[-/.](\d\d?)[-/.](\d\d?)"), _digits(spans.date)),
    (re.compile(r"(\d{4})-?w(\d\d)"), _digits(_iso_week)),
)
