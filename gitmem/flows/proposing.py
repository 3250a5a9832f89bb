"""Writing to the branch of a work: on a proposal, the first commit says whose it is and what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gitmem.errors import Conflict
from gitmem.flows.apply import Applied, MakePlan, MakeSteps, Step, apply_all, new_operation_id
from gitmem.flows.work import Work
from gitmem.model.change import Plan
from gitmem.model.proposal import Opening, is_proposal, proposal_name
from gitmem.versions.snapshot import Snapshot


class NameTaken(Conflict):
    """A proposal of this name was begun meanwhile."""


def apply_on(work: Work, make_plan: MakePlan, *, operation_id: str | None = None) -> Applied:
    """`apply` on the branch of `work`. What waits for a person, on proposal or quarantine, is said to."""
    name = operation_id or new_operation_id(work.clock)
    return apply_all_on(work, lambda here: [Step(make_plan(here), name, work.clock)])[0]


def apply_all_on(work: Work, make_steps: MakeSteps) -> list[Applied]:
    """The same for several plans at once, as `apply_all` takes them."""

    def steps(snapshot: Snapshot) -> Sequence[Step]:
        if not is_proposal(work.branch):
            return make_steps(snapshot)
        if not work.place.tip(work.branch):
            made = make_steps(snapshot)
            return [replace(step, plan=_opened(work, step.plan)) for step in made[:1]] + list(made[1:])
        if work.opening is not None and work.opening.must_begin:
            raise NameTaken(
                f"{work.branch} was begun by somebody else just now", hint="run the command again"
            )
        return make_steps(snapshot)

    applied = apply_all(work.place, work.branch, steps)
    if is_proposal(work.branch):
        return [_saying(each, f"proposed on {work.branch}, a person reviews it") for each in applied]
    if work.branch == work.place.config.branches["quarantine"]:
        return [_saying(each, f"waits on {work.branch} until a person approves it") for each in applied]
    return applied


def _saying(applied: Applied, notice: str) -> Applied:
    return replace(applied, notices=(*applied.notices, notice)) if applied.commit is not None else applied


def _opened(work: Work, plan: Plan) -> Plan:
    """`plan` as the first commit of the proposal that `work` stands on."""
    identity = work.identity
    opening = work.opening or Opening(f"Changes by {identity.name}")
    trailers = opening.trailers(proposal_name(work.branch), str(identity))
    return replace(plan, body=opening.body, trailers=[*plan.trailers, *trailers])
