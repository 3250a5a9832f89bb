"""From words that name times to the period that `created` must be in, for one person at one moment."""

from __future__ import annotations

from datetime import UTC, datetime, time, tzinfo

from msgspec.structs import replace

from gitmem.clock import from_wall_time, wall_time
from gitmem.index.moments import NO_MOMENT, micros_of
from gitmem.index.period import LAST_MICROS, NEVER, Period
from gitmem.recall.spans import MOMENT, Span
from gitmem.recall.when import span_named
from gitmem.recall.where import Where


def resolved(where: Where, now: datetime, zone: tzinfo | None) -> Where:
    """`where` with `during` in place of the words for times; words that name none match nothing."""
    bounds = {name: getattr(where, name) for name in ("since", "until", "before", "after")}
    period = where.during
    for name, words in bounds.items():
        if words is not None:
            found = period_of(name, words, now, zone)
            period = found if period is None else period.both(found)
    return replace(where, since=None, until=None, before=None, after=None, during=period)


def period_of(bound: str, words: str, now: datetime, zone: tzinfo | None) -> Period:
    """What `since`, `until`, `before` or `after` (`bound`) the span that `words` name lets through.

    `since` and `until` take the span in, `before` and `after` leave it out.
    """
    span = span_named(words, wall_time(now, zone))
    if span is None:
        return NEVER
    edge = span.start if bound in ("since", "before") else span.end
    return (_from if bound in ("since", "after") else _to)(edge, zone)


def period_of_span(span: Span, zone: tzinfo | None) -> Period:
    """The period of everything in `span`."""
    return _from(span.start, zone).both(_to(span.end, zone))


def _from(edge: datetime, zone: tzinfo | None) -> Period:
    moment, wall = _both_ways(edge, zone)
    return Period(first=moment, wall_first=wall)


def _to(edge: datetime, zone: tzinfo | None) -> Period:
    moment, wall = _both_ways(edge, zone)
    return Period(last=moment - 1, wall_last=wall - 1)


def period_in_words(period: Period) -> tuple[str | None, str | None]:
    """The first and the last day of `period`, or the time if it is no whole day; None if open."""
    first = None if period.wall_first <= NO_MOMENT + 1 else _wall_clock(period.wall_first)
    last = None if period.wall_last >= LAST_MICROS else _wall_clock(period.wall_last)
    if last is not None and _is_midnight(last + MOMENT):
        last = datetime.combine(last, time())
    return _written(first), _written(last)


def _wall_clock(micros: int) -> datetime | None:
    try:
        return datetime(1970, 1, 1) + micros * MOMENT
    except OverflowError:
        return None


def _is_midnight(at: datetime) -> bool:
    return at.time() == time()


def _written(at: datetime | None) -> str | None:
    if at is None:
        return None
    return at.date().isoformat() if _is_midnight(at) else at.isoformat(timespec="seconds")


def _both_ways(edge: datetime, zone: tzinfo | None) -> tuple[int, int]:
    """An edge as a moment, and by the wall clock as if that were UTC; at the ends of time both are UTC."""
    is_wall = edge.tzinfo is None
    try:
        moment = from_wall_time(edge, zone) if is_wall else edge
        wall = edge if is_wall else wall_time(edge, zone)
    except (OverflowError, ValueError, OSError):
        moment = wall = edge.replace(tzinfo=None)
    return micros_of(moment.replace(tzinfo=moment.tzinfo or UTC)), micros_of(wall.replace(tzinfo=UTC))
