"""What `tend` would do now, and how alive the memories are, told without bringing any index up to date."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from gitmem.errors import BadInput, Refused
from gitmem.flows.reading.recollection import Listing
from gitmem.flows.reading.seen import seen
from gitmem.flows.reading.uses import uses_of
from gitmem.flows.tending.census import Census, census_of
from gitmem.flows.tending.planning import plan_for, require_tendable, working_beside
from gitmem.flows.wellbeing.measures import STRENGTH_STEPS, Outlook, Tending
from gitmem.flows.wellbeing.records import records_of
from gitmem.flows.work import Work
from gitmem.lifecycle.life import Life
from gitmem.lifecycle.policies import Action
from gitmem.model.memory import MemoryType
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.index.record import Record


def outlook_of(work: Work, snapshot: Snapshot, records: Sequence[Record], unread: list[str]) -> Outlook:
    """How alive the memories `records` of `snapshot` are, and what becomes of them where that may be told.

    `unread` is told of what cannot be read on the branches beside. Raises what a look at the worktree raises.
    """
    here = _census(work, snapshot, records)
    strengths = _strengths(here.lives)
    try:
        require_tendable(work)
    except (Refused, BadInput) as error:
        return Outlook(strengths, None, error.message)
    censuses = [here]
    there = working_beside(work)
    if there is not None:
        beside = there.snapshot()
        found = [each for each in records_of(there, beside, unread) if each.type is MemoryType.WORKING]
        censuses.append(_census(there, beside, found))
    tending = plan_for(
        work, censuses, lambda other, other_snapshot, _: records_of(other, other_snapshot, unread)
    )
    counts = Counter(step.action for step in tending.plan.steps)
    return Outlook(
        strengths,
        Tending(
            {str(action): counts[action] for action in Action if action is not Action.KEEP},
            len(tending.plan.kept),
            tending.looked_at,
            tending.is_proposed,
        ),
    )


def _census(work: Work, snapshot: Snapshot, records: Sequence[Record]) -> Census:
    """The census of memories that are at hand: `list` would ask the index for them."""
    sight = seen(work)
    labels = {edit.path: sight.labels(edit.path) for edit in sight.edits}
    uses = uses_of(work, [record.id for record in records])
    return census_of(work, Listing(records, len(records), (), snapshot.commit, labels, uses))


def _strengths(lives: Iterable[Life]) -> dict[str, list[int]]:
    """By type, how many memories have a strength in each tenth from 0 to 1; 1 counts to the last."""
    found: dict[str, list[int]] = {}
    for life in lives:
        counts = found.setdefault(str(life.type), [0] * STRENGTH_STEPS)
        counts[min(STRENGTH_STEPS - 1, int(life.strength * STRENGTH_STEPS))] += 1
    return found
