"""Periods: what of `created` is in a span of time that a person means in their own time zone.

A memory whose `created` has an offset was made at a moment. One without, `2026-11-29` or
`2026-11-29T15:30`, was made at that time by the wall clock, wherever that was; so it is compared with
the wall clock of the person who asks.
"""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from gitmem.index.moments import NO_MOMENT, micros_of, parse_moment

WALL_TIME = ("time", "wall")
"""The kind and value of the key of memories whose `created` has no offset."""

LAST_MICROS = 2**63 - 1


class Period(NamedTuple):
    """The first and the last moment, and the first and the last time by the wall clock, in microseconds."""

    first: int = NO_MOMENT + 1
    last: int = LAST_MICROS
    wall_first: int = NO_MOMENT + 1
    wall_last: int = LAST_MICROS

    @property
    def hull(self) -> tuple[int, int]:
        """A period that holds both."""
        return min(self.first, self.wall_first), max(self.last, self.wall_last)

    @property
    def is_same_everywhere(self) -> bool:
        """Whether moments and wall clock agree, as in UTC."""
        return (self.first, self.last) == (self.wall_first, self.wall_last)

    def both(self, other: Period) -> Period:
        """What is in this one and in `other`."""
        return Period(
            max(self.first, other.first),
            min(self.last, other.last),
            max(self.wall_first, other.wall_first),
            min(self.wall_last, other.wall_last),
        )

    def has(self, micros: int, *, is_wall_time: bool) -> bool:
        """Whether a memory created then is in it."""
        first, last = (self.wall_first, self.wall_last) if is_wall_time else (self.first, self.last)
        return first <= micros <= last

    def holds(self, created: str | None) -> bool:
        """Whether what `created` names is in it; what names no time never is."""
        return self.has(micros_of(parse_moment(created)), is_wall_time=is_wall_time(created))


NEVER = Period(LAST_MICROS, NO_MOMENT, LAST_MICROS, NO_MOMENT)


def is_wall_time(created: str | None) -> bool:
    """Whether `created` is a date or time without an offset."""
    try:
        return datetime.fromisoformat((created or "").strip()).tzinfo is None
    except ValueError:
        return False
