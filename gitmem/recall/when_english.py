"""The English words that name a span of time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import datetime

from gitmem.recall import spans
from gitmem.recall.spans import Span

_MONTHS = "january february march april may june july august september october november december".split()
_WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split()
_NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_OTHER_NUMBERS = {"a": 1, "an": 1, "a couple of": 2}
_ORDINALS = ("first", "second", "third", "fourth")

_MONTH_NAMES = "|".join(f"{name[:3]}(?:{name[3:]}|\\.)?" for name in _MONTHS) + "|sept\\.?"
_DAY_NAMES = "|".join(f"{name[:3]}(?:{name[3:]})?" for name in _WEEKDAYS) + "|tues|thurs?"
_COUNTS = f"\\d{{1,4}}|{'|'.join(_NUMBERS[1:])}|an?|a couple of"
_MONTH = f"(?P<month>{_MONTH_NAMES})"
_WEEKDAY = f"(?P<weekday>{_DAY_NAMES})"
_WHICH = "(?P<which>last|previous|this|current|next)"
_COUNT = f"(?P<count>{_COUNTS})"
_UNIT = "(?P<unit>minute|hour|day|week|month|year)s?"
_DAY = "(?P<day>[0-3]?\\d)(?:st|nd|rd|th)?"
_YEAR = "(?P<year>\\d{4}|(?:last|previous|this|next) year)"
_DAYS = {
    "today": 0,
    "yesterday": -1,
    "day before yesterday": -2,
    "tomorrow": 1,
    "day after tomorrow": 2,
}
_SHIFT = {"last": -1, "previous": -1, "this": 0, "current": 0, "next": 1}

_RELATIVE_WORDS = (
    "(?:the )?day before yesterday",
    "yesterday",
    "today",
    f"(?:last|this|previous) (?:week|month|quarter|year|weekend|{_DAY_NAMES})",
    f"(?:{_COUNTS}) (?:day|week|month|year)s? ago",
    f"(?:last|past) (?:{_COUNTS}) (?:day|week|month|year)s",
)
RELATIVE = "\\b(?:" + "|".join(_RELATIVE_WORDS) + ")\\b"
"""What in a question names a span by its distance from now."""


def _count(text: str) -> int:
    if text.isdigit():
        return int(text)
    return _OTHER_NUMBERS.get(text) or _NUMBERS.index(text)


def _month(text: str) -> int:
    return next(number for number, name in enumerate(_MONTHS, 1) if name.startswith(text[:3]))


def _weekday(text: str) -> int:
    return next(number for number, name in enumerate(_WEEKDAYS) if name.startswith(text[:3]))


def _year(text: str, now: datetime) -> int:
    return int(text) if text.isdigit() else now.year + _SHIFT[text.split()[0]]


def _unit(match: re.Match[str], now: datetime) -> Span:
    shift = _SHIFT[match["which"]]
    unit = match["unit"]
    if unit == "week":
        return spans.week(now, shift)
    if unit == "weekend":
        return spans.weekend(now, shift)
    if unit == "month":
        return spans.month(now.year, now.month, shift)
    if unit == "quarter":
        return spans.quarter(now.year, (now.month + 2) // 3, shift)
    return spans.year(now.year + shift)


def _named_weekday(match: re.Match[str], now: datetime) -> Span:
    """`wednesday` and `last wednesday` look back; `this` and `next` mean that week's."""
    number, which = _weekday(match["weekday"]), match["which"]
    if which in ("this", "current", "next"):
        return spans.weekday_of(now, number, _SHIFT[which])
    return spans.weekday(now, number, before_today=which is not None)


def _named_month(match: re.Match[str], now: datetime) -> Span:
    number, which = _month(match["month"]), match["which"]
    if which in ("this", "current"):
        return spans.month(now.year, number)
    if which == "next":
        return spans.month(now.year + (number <= now.month), number)
    return spans.month_before(now, number, before_this=which is not None)


def _month_day(match: re.Match[str], now: datetime) -> Span:
    month, number, year = _month(match["month"]), int(match["day"]), match["year"]
    if year is None:
        return spans.date_before(now, month, number)
    return spans.date(_year(year, now), month, number)


def _quarter(match: re.Match[str], now: datetime) -> Span:
    word = match["quarter"]
    number = int(word) if word.isdigit() else _ORDINALS.index(word) + 1
    year = match["year"]
    return spans.quarter_before(now, number) if year is None else spans.quarter(_year(year, now), number)


_ON = "(?:(?:in|on|during) )?(?:the )?"
_QUARTER_OF = f"(?:(?:of |in )?{_YEAR})?"
_PATTERNS: tuple[tuple[str, Callable[[re.Match[str], datetime], Span]], ...] = (
    ("now", lambda _, now: spans.moment(now)),
    (
        f"(?:the )?(?P<day>{'|'.join(_DAYS)})",
        lambda match, now: spans.day(now, _DAYS[match["day"]]),
    ),
    (f"{_ON}{_WHICH} (?P<unit>week|weekend|month|quarter|year)", _unit),
    (f"{_ON}(?:{_WHICH} )?{_WEEKDAY}", _named_weekday),
    (
        f"{_ON}{_WEEKDAY},? (?:of )?{_WHICH} week",
        lambda match, now: spans.weekday_of(now, _weekday(match["weekday"]), _SHIFT[match["which"]]),
    ),
    (
        f"{_ON}{_WHICH} week(?:'s)?,? {_ON}{_WEEKDAY}",
        lambda match, now: spans.weekday_of(now, _weekday(match["weekday"]), _SHIFT[match["which"]]),
    ),
    (f"{_COUNT} {_UNIT} ago", lambda match, now: spans.ago(now, _count(match["count"]), match["unit"])),
    (
        f"(?:the )?(?:last|past) {_COUNT} {_UNIT}",
        lambda match, now: spans.last_so_many(now, _count(match["count"]), match["unit"]),
    ),
    (f"{_ON}(?:{_WHICH} )?{_MONTH}", _named_month),
    (
        f"{_ON}{_MONTH},? (?:of )?{_YEAR}",
        lambda match, now: spans.month(_year(match["year"], now), _month(match["month"])),
    ),
    (f"{_ON}{_MONTH} {_DAY}(?:,? {_YEAR})?", _month_day),
    (f"{_ON}{_DAY} (?:of )?{_MONTH}(?:,? {_YEAR})?", _month_day),
    (f"{_ON}q(?P<quarter>[1-4])(?:[ /-]{_YEAR})?", _quarter),
    ("(?P<year>\\d{4})[ /-]?q(?P<quarter>[1-4])", _quarter),
    (f"{_ON}(?P<quarter>first|second|third|fourth) quarter(?: {_QUARTER_OF})?", _quarter),
    (f"{_ON}{_YEAR}", lambda match, now: spans.year(_year(match["year"], now))),
)


def readings() -> Iterator[tuple[re.Pattern[str], Callable[[re.Match[str], datetime], Span]]]:
    """Each pattern with what it means."""
    return ((re.compile(pattern), read) for pattern, read in _PATTERNS)
