"""Spans of time: a day, a week from Monday, a month, a quarter, a year, all in somebody's wall time."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import NamedTuple

DAY = timedelta(days=1)
MOMENT = timedelta(microseconds=1)


class Span(NamedTuple):
    """From `start` up to, not including, `end`. Without an offset both are wall time."""

    start: datetime
    end: datetime


def moment(at: datetime) -> Span:
    """`at` alone."""
    return Span(at, at + MOMENT)


def day(at: datetime, days: int = 0) -> Span:
    """The day of `at`, or the one so many days later."""
    start = datetime.combine(at.date(), time()) + days * DAY
    return Span(start, start + DAY)


def week(at: datetime, weeks: int = 0) -> Span:
    """The week of `at`, Monday to Sunday, or the one so many weeks later."""
    start = day(at, 7 * weeks - at.weekday()).start
    return Span(start, start + 7 * DAY)


def weekend(at: datetime, weeks: int = 0) -> Span:
    """Saturday and Sunday of the week of `at`, or of the one so many weeks later."""
    return Span(week(at, weeks).start + 5 * DAY, week(at, weeks).end)


def month(year: int, number: int, months: int = 0) -> Span:
    """A month by its number, or the one so many months later. Raises ValueError out of range."""
    if not 1 <= number <= 12:
        raise ValueError(f"no month {number}")
    return Span(_first(year, number, months), _first(year, number, months + 1))


def quarter(year: int, number: int, quarters: int = 0) -> Span:
    """A quarter by its number, or the one so many quarters later."""
    first = 3 * (number + quarters) - 2
    return Span(_first(year, 1, first - 1), _first(year, 1, first + 2))


def year(number: int) -> Span:
    """A calendar year."""
    return Span(datetime(number, 1, 1), datetime(number + 1, 1, 1))


def date(year: int, month: int, number: int) -> Span:
    """A calendar day. Raises ValueError where there is no such day."""
    return day(datetime(year, month, number))


def weekday(now: datetime, number: int, *, before_today: bool = False) -> Span:
    """The latest day of this name (0 is Monday): today counts, unless `before_today`."""
    back = (now.weekday() - number) % 7
    return day(now, -(back or 7 if before_today else back))


def weekday_of(now: datetime, number: int, weeks: int) -> Span:
    """The day of this name in the week so many weeks later."""
    return day(week(now, weeks).start, number)


def month_before(now: datetime, number: int, *, before_this: bool = False) -> Span:
    """The latest month of this number that has begun; with `before_this`, not the present one."""
    is_ahead = number > now.month or (before_this and number == now.month)
    return month(now.year - is_ahead, number)


def date_before(now: datetime, month: int, number: int) -> Span:
    """The latest day of this month and number that has begun, at most eight years back (29 February)."""
    for back in range(9):
        try:
            found = date(now.year - back, month, number)
        except ValueError:
            continue
        if found.start <= now:
            return found
    raise ValueError(f"no day {number} in month {month}")


def quarter_before(now: datetime, number: int) -> Span:
    """The latest quarter of this number that has begun."""
    return quarter(now.year - (number > (now.month + 2) // 3), number)


def ago(now: datetime, count: int, unit: str) -> Span:
    """The day, or for hours and minutes the moment, so many units before now."""
    if unit in ("hour", "minute"):
        return moment(now - timedelta(**{f"{unit}s": count}))
    if unit in ("day", "week"):
        return day(now, -count * (7 if unit == "week" else 1))
    months = count * (12 if unit == "year" else 1)
    there = month(now.year, now.month, -months)
    last = (there.end - DAY).day
    return date(there.start.year, there.start.month, min(now.day, last))


def last_so_many(now: datetime, count: int, unit: str) -> Span:
    """From so many units ago to the end of today."""
    return Span(ago(now, count, unit).start, day(now).end)


def _first(year: int, number: int, months: int) -> datetime:
    total = year * 12 + number - 1 + months
    return datetime(total // 12, total % 12 + 1, 1)
