"""Moments: what an ISO date or time names, and the number it is compared by."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

PLAIN_DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}")
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
