"""How long recalls took in this clone, from the log of uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import ceil

from gitmem.clock import iso_seconds
from gitmem.flows.reading.uses import usage_log
from gitmem.flows.wellbeing.measures import Latency
from gitmem.flows.work import Work
from gitmem.model.usage import Took

RECENT = timedelta(days=30)
_MICROSECONDS = 1_000_000


def latency_of(work: Work, now: datetime) -> Latency:
    """Of the recalls of the last 30 days. Raises `OSError` where the log may not be read."""
    first, last = iso_seconds(now - RECENT), iso_seconds(now)
    return summary([took for took in usage_log(work).durations() if first <= took.moment <= last])


def summary(durations: Sequence[Took]) -> Latency:
    """The percentiles of `durations`, all and by day."""
    days: defaultdict[str, list[float]] = defaultdict(list)
    for took in durations:
        days[took.moment[:10]].append(took.microseconds / _MICROSECONDS)
    for found in days.values():
        found.sort()
    seconds = sorted(each for found in days.values() for each in found)
    if not seconds:
        return Latency(0)
    return Latency(
        recalls=len(seconds),
        p50=percentile(seconds, 50),
        p95=percentile(seconds, 95),
        p99=percentile(seconds, 99),
        slowest=seconds[-1],
        by_day=[
            (day, len(found), percentile(found, 50), percentile(found, 95))
            for day, found in sorted(days.items())
        ],
    )


def percentile(ordered: Sequence[float], percent: int) -> float:
    """The smallest of `ordered`, which grow, that `percent` of them do not exceed: the nearest rank."""
    return ordered[max(0, ceil(len(ordered) * percent / 100) - 1)]
