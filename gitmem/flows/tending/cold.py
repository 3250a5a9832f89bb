"""Cold memories: those that policies leave where they are, but that nobody has to be told of unasked.

Nothing marks them: whether one is cold follows from the policies, its history and the usage log, and ends as
soon as it is recalled, shown or changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.flows.reading.recollection import Listing
from gitmem.flows.tending.census import census_of
from gitmem.flows.work import Work
from gitmem.index.moments import parse_moment
from gitmem.lifecycle.life import days_between
from gitmem.lifecycle.plan import judge
from gitmem.lifecycle.policies import Action

if TYPE_CHECKING:
    from gitmem.index.record import Record


def cold_paths(work: Work, listing: Listing) -> set[str]:
    """The paths of the memories in a whole listing of the branch that are cold now; none of the past."""
    policies = work.place.config.policies
    if work.is_past or not any(_may_be_cold(work, record) for record in listing.records):
        return set()
    found = set()
    for life in census_of(work, listing).lives:
        step = None if life.is_pinned else judge(life, policies)
        if step is not None and step.action is Action.COLD:
            found.add(life.path)
    return found


def _may_be_cold(work: Work, record: Record) -> bool:
    """Whether a look at its history is worth it: what is younger than policies want it idle cannot be."""
    created = parse_moment(record.created)
    days = None if created is None else days_between(created, work.now())
    return any(
        policy.action is Action.COLD
        and (not policy.types or record.type in policy.types)
        and (days is None or policy.idle_days is None or days >= policy.idle_days)
        for policy in work.place.config.policies
    )
