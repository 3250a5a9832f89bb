"""How a branch has grown: what it held at the end of each month, and by namespace 30 days ago.

Reckoned backwards from the present by what differs between the ends of months, so that only what changed is
looked at, and only what whoever acts may see counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta

from gitmem.flows.wellbeing.counting import namespace_name, type_name
from gitmem.flows.wellbeing.measures import Month
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.versions.chain import tips_at
from gitmem.versions.snapshot import Snapshot

MOST_MONTHS = 24
RECENT = timedelta(days=30)


def months_of(work: Work, snapshot: Snapshot, by_type: Mapping[str, int], now: datetime) -> list[Month]:
    """The last 24 months that the branch has seen, oldest first; the last is the present.

    `by_type` is what `snapshot` holds. Months before the first commit are left out. Raises `Damaged`.
    """
    if snapshot.commit is None:
        return []
    starts = _starts_of_months(now)
    ends = [start - timedelta(seconds=1) for start in starts[1:]]
    tips = tips_at(work.place, work.branch, ends)
    counts, later = Counter(by_type), snapshot
    found = [_month(now, snapshot.commit, counts)]
    for end, tip in zip(reversed(ends), reversed(tips), strict=True):
        if tip is None:
            break
        if tip != later.commit:
            _take_back(counts, later, tip, type_name)
            later = work.place.snapshot(tip)
        found.append(_month(end, tip, counts))
    return found[::-1]


def grown_since(work: Work, snapshot: Snapshot, now: datetime) -> dict[str, int]:
    """By namespace, how many memories more there are than 30 days ago; those that stayed are left out."""
    if snapshot.commit is None:
        return {}
    (then,) = tips_at(work.place, work.branch, [now - RECENT])
    counts: Counter[str] = Counter()
    _take_back(counts, snapshot, then, namespace_name)
    return {name: -count for name, count in counts.items() if count}


def _take_back(
    counts: Counter[str], later: Snapshot, earlier: CommitId | None, name: Callable[[str], str]
) -> None:
    """Turns what `later` holds into what `earlier` held."""
    for change in later.changes_since(earlier):
        if (change.old is None) != (change.new is None):
            counts[name(change.path)] += 1 if change.new is None else -1


def _month(moment: datetime, commit: CommitId, counts: Mapping[str, int]) -> Month:
    kept = {kind: count for kind, count in sorted(counts.items()) if count}
    return Month(moment.strftime("%Y-%m"), commit, kept)


def _starts_of_months(now: datetime) -> list[datetime]:
    """The first moments of the last months, in UTC, oldest first; the last is that of the month of `now`."""
    now = now.astimezone(UTC)
    number = now.year * 12 + now.month - 1
    return [
        datetime(each // 12, each % 12 + 1, 1, tzinfo=UTC)
        for each in range(max(12, number - MOST_MONTHS + 1), number + 1)
    ]
