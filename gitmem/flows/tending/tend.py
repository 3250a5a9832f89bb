"""tend: carries out what the policies say, so that one `undo` takes it back.

    1  the plan is made: which memory goes where, and why
    2  what is archived moves, in one commit on each branch (`moving`)
    3  what only a person may decide becomes a proposal

2 is one operation with one id; killed within it, the next command finishes it. Nothing is deleted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.flows.propose import Content, propose
from gitmem.flows.tending.moving import MovedOn, Moving
from gitmem.flows.tending.planning import TendPlan, plan_tending
from gitmem.flows.tending.summaries import summaries_of
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import new_operation_id
from gitmem.git.faults import point
from gitmem.lifecycle.plan import Step
from gitmem.model.change import Origin
from gitmem.model.ids import CommitId, MemoryId
from gitmem.model.visible import memories_text

ATTEMPTS = 5
MOST_REASONS = 100
"""So many memories are named, with their reasons, in the text of a proposal."""


class Tended(Struct, frozen=True):
    """A plan, and what became of it: nothing where it `is_done` False, as in a dry run.

    `commits` are those that were made, by branch. `operation_id` is the
    operation that `undo` takes back, None where nothing moved; `proposal` the name of the one that was begun.
    `summaries` are the memories that were written, `stayed` the paths of those that were changed meanwhile.
    """

    plan: TendPlan
    is_done: bool
    operation_id: str | None = None
    commits: dict[str, CommitId] = field(default_factory=dict)
    summaries: Sequence[MemoryId] = ()
    stayed: Sequence[str] = ()
    proposal: str | None = None
    notices: tuple[str, ...] = ()


def tend(work: Work, *, is_dry: bool, origin: Origin) -> Tended:
    """Carries out the plan of `plan_tending`, or only makes it where `is_dry`. May be repeated.

    Raises `Conflict` where memories of the plan kept changing, or a file of one holds an edit that is not
    committed, and what `plan_tending` raises.
    """
    plan = plan_tending(work)
    if is_dry:
        return Tended(plan, is_done=False)
    operation_id = new_operation_id(work.clock)
    for attempt in range(ATTEMPTS):
        try:
            return _carry_out(work, plan, operation_id, origin)
        except MovedOn:
            if attempt == ATTEMPTS - 1:
                raise
            plan = plan_tending(work)
    raise AssertionError("the last attempt returns or raises")


def _carry_out(work: Work, plan: TendPlan, operation_id: str, origin: Origin) -> Tended:
    done = Tended(plan, is_done=True)
    if plan.archived:
        why = replace(origin, reason=origin.reason or _policies_text(plan.archived))
        summaries = summaries_of(work, plan.commits, plan.summarised, why)
        moving = Moving(work, plan.commits, plan.archived, summaries, operation_id, why)
        applied = moving.run()
        commits = {branch: each.commit for branch, each in applied.items() if each.commit is not None}
        done = _with(done, commits, tuple(notice for each in applied.values() for notice in each.notices))
        done = replace(
            done,
            operation_id=operation_id,
            summaries=[draft.id for draft in summaries],
            stayed=sorted(moving.stayed),
        )
        point("tend.moved")
    if plan.proposed:
        done = _propose(work, plan, origin, done)
    return done


def _propose(work: Work, plan: TendPlan, origin: Origin, done: Tended) -> Tended:
    steps = plan.proposed
    lines = [f"- {step.life.id}: {step.policy}: {step.reason}" for step in steps[:MOST_REASONS]]
    if len(steps) > MOST_REASONS:
        lines.append(f"- and {len(steps) - MOST_REASONS:,} more")
    proposed = propose(
        work,
        Content(archived=[step.life.path for step in steps]),
        title=f"Archive {memories_text(len(steps))} by the policies of the store",
        body="\n".join(lines),
        origin=origin,
    )
    done = _with(done, {proposed.proposal.branch: proposed.proposal.tip}, proposed.notices)
    return replace(done, proposal=proposed.proposal.name)


def _with(done: Tended, commits: dict[str, CommitId], notices: tuple[str, ...]) -> Tended:
    return replace(
        done,
        commits={**done.commits, **commits},
        notices=tuple(dict.fromkeys((*done.notices, *notices))),
    )


def _policies_text(steps: Sequence[Step]) -> str:
    """Which policies were at work; of a single memory, why."""
    if len(steps) == 1:
        return f"policy {steps[0].policy}: {steps[0].reason}"
    counts = Counter(step.policy for step in steps)
    return "policies " + ", ".join(f"{name} ({count:,})" for name, count in counts.items())
