"""Moments: what an ISO date or time names, and the number it is compared by."""

from __future__ import annotations

import re
from datetime import MAXYEAR, UTC, date, datetime, timedelta
from functools import lru_cache

PLAIN_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}")
_PARTIAL = re.compile(r"(\d{4})(?:-(\d{2}))?")
LAST_MOMENT = 2**63 - 1
"""Stands for an end that is open."""
NO_MOMENT = -(2**63)
"""Stands for a date that is missing or cannot be read; earlier than any other."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


@lru_cache(maxsize=16384)
def parse_moment(text: str | None) -> datetime | None:
    """The moment an ISO date or time names, in UTC where it has no offset; None if it names none."""
    if text is None:
        return None
    text = text.strip()
    try:
        if PLAIN_DATE.fullmatch(text):
            day = date.fromisoformat(text)
            return datetime(day.year, day.month, day.day, tzinfo=UTC)
        moment = datetime.fromisoformat(text)
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def micros_of(moment: datetime | None) -> int:
    """Microseconds since 1970 in UTC, exactly; `NO_MOMENT` where there is none."""
    return NO_MOMENT if moment is None else (moment - _EPOCH) // _MICROSECOND


def moment_of(micros: int) -> datetime | None:
    """The moment so many microseconds after 1970; None for `NO_MOMENT` and what no calendar holds."""
    try:
        return None if micros == NO_MOMENT else _EPOCH + timedelta(microseconds=micros)
    except OverflowError:
        return None


@lru_cache(maxsize=16384)
def span_of(text: str | None) -> tuple[int, int] | None:
    """The first and the last microsecond that a date names; None where it names none.

    `2026` is the year, `2026-05` the month, `2026-05-03` the day, all in UTC; a time is one moment.
    """
    if text is None:
        return None
    try:
        first, following = _bounds(text.strip())
    except (ValueError, OverflowError):
        return None
    return micros_of(first), max(micros_of(first), micros_of(following) - 1)


def beginning(created: int, end: int) -> int:
    """From when a memory holds that does not say so: from `created` on, or always where it ended before."""
    return created if created <= end else NO_MOMENT


def is_year_or_month(text: str) -> bool:
    """Whether `text` is a date that names no day: `2026` or `2026-05`."""
    return bool(_PARTIAL.fullmatch(text.strip())) and span_of(text) is not None


def _bounds(text: str) -> tuple[datetime, datetime]:
    """The beginning of what `text` names, and of what comes after it."""
    partial = _PARTIAL.fullmatch(text)
    if partial and partial[2]:
        year, month = int(partial[1]), int(partial[2])
        return datetime(year, month, 1, tzinfo=UTC), _first_of(year + month // 12, month % 12 + 1)
    if partial:
        return datetime(int(partial[1]), 1, 1, tzinfo=UTC), _first_of(int(partial[1]) + 1, 1)
    moment = parse_moment(text)
    if moment is None:
        raise ValueError(text)
    return moment, moment + timedelta(days=1) if PLAIN_DATE.fullmatch(text) else moment


def _first_of(year: int, month: int) -> datetime:
    return datetime(year, month, 1, tzinfo=UTC) if year <= MAXYEAR else datetime.max.replace(tzinfo=UTC)
