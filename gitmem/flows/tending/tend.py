"""tend: carries out what the policies say, so that one `undo` takes it back.

    1  the plan is made: which memory goes where, and why
    2  summaries of those that are to leave one go onto main, in one commit
    3  what is archived moves, in one commit on the branch it leaves and one on archive (`carry`)
    4  what only a person may decide becomes a proposal

2 and 3 are one operation with one id. Killed after 2, the next run finds the summaries and does 3; killed
within 3, the next command finishes the move. Nothing is deleted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gitmem.errors import Conflict
from gitmem.flows.apply import new_operation_id
from gitmem.flows.carriage import Guard
from gitmem.flows.carry import Load, carry
from gitmem.flows.move import refuse_doubles
from gitmem.flows.propose import Content, propose
from gitmem.flows.tending.holders import Sought
from gitmem.flows.tending.planning import TendPlan, plan_tending
from gitmem.flows.tending.summaries import write_summaries
from gitmem.flows.work import Work
from gitmem.git.faults import point
from gitmem.lifecycle.plan import Step
from gitmem.model.change import Origin
from gitmem.model.ids import CommitId, MemoryId
from gitmem.model.visible import memories_text
from gitmem.versions.snapshot import Snapshot

OPERATION = "tend"
ATTEMPTS = 5
MOST_REASONS = 100
"""So many memories are named, with their reasons, in the text of a proposal."""


@dataclass(frozen=True, slots=True)
class Tended:
    """A plan, and what became of it: nothing where it `is_done` False, as in a dry run.

    `commits` are those that were made, by branch: the newest where there are two. `operation_id` is the
    operation that `undo` takes back, None where nothing moved; `proposal` the name of the one that was begun.
    `summaries` are the memories that were written.
    """

    plan: TendPlan
    is_done: bool
    operation_id: str | None = None
    commits: dict[str, CommitId] = field(default_factory=dict)
    summaries: Sequence[MemoryId] = ()
    proposal: str | None = None
    notices: tuple[str, ...] = ()


class _MovedOn(Conflict):
    """What the plan was made of has changed."""


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
        except _MovedOn:
            if attempt == ATTEMPTS - 1:
                raise
            plan = plan_tending(work)
    raise AssertionError("the last attempt returns or raises")


def _carry_out(work: Work, plan: TendPlan, operation_id: str, origin: Origin) -> Tended:
    done = Tended(plan, is_done=True)
    archived = plan.archived
    if archived:
        origin = replace(origin, reason=origin.reason or _policies_text(archived))
        done = replace(done, operation_id=operation_id)
    if plan.summarised:
        summaries, applied = write_summaries(work, plan.summarised, operation_id, origin)
        if applied is not None and applied.commit is not None:
            done = _with(done, {work.branch: applied.commit}, applied.notices)
        done = replace(done, summaries=summaries)
        point("tend.summarised")
    for branch in plan.commits:
        steps = [step for step in archived if step.life.branch == branch]
        if steps:
            done = _move(work, plan, branch, steps, operation_id, origin, done)
            point("tend.moved")
    if plan.proposed:
        done = _propose(work, plan, origin, done)
    return done


def _move(
    work: Work,
    plan: TendPlan,
    branch: str,
    steps: Sequence[Step],
    operation_id: str,
    origin: Origin,
    done: Tended,
) -> Tended:
    """Archives the memories of the steps, which all stand on `branch`."""
    source, archive = work.on(branch), work.on(work.place.config.branches["archive"])
    paths = [step.life.path for step in steps]
    load = Load(
        paths,
        OPERATION,
        steps[0].life.title if len(steps) == 1 else memories_text(len(steps)),
        [step.life.id for step in steps],
        origin,
    )
    guard = _guard(archive, plan.commits[branch], steps)
    carried = carry(source, archive, load, operation_id=operation_id, guard=guard)
    commits = {
        name: each.commit
        for name, each in ((archive.branch, carried.arrived), (branch, carried.left))
        if each.commit is not None
    }
    return _with(done, commits, (*carried.arrived.notices, *carried.left.notices))


def _guard(archive: Work, planned: CommitId, steps: Sequence[Step]) -> Guard:
    """Lets go only what still is what the plan was made for, and what nobody has come to need since."""
    sought = Sought.of([step.life for step in steps])
    leaving = {step.life.path for step in steps}

    def guard(here: Snapshot, there: Snapshot) -> None:
        for change in here.changes_since(planned) if here.commit != planned else ():
            if change.path in leaving:
                raise _MovedOn(f"{change.path} was changed just now", hint="run the command again")
            memory = here.memory(change.path) if change.new else None
            if memory is not None and sought.needed_by(memory):
                raise _MovedOn(f"{change.path} came to need a memory just now", hint="run the command again")
        refuse_doubles(archive, there, [each for path in leaving if (each := here.memory(path)) is not None])

    return guard


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
