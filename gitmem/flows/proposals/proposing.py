"""Writing to the branch of a work: on a proposal, the first commit says whose it is and what it is about."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from gitmem.errors import Conflict
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import Applied, MakePlan, MakeSteps, Step, apply_all, new_operation_id
from gitmem.model.change import Plan
from gitmem.model.proposal import Opening, is_proposal, proposal_name
from gitmem.versions.snapshot import Snapshot


class NameTaken(Conflict):
    """A proposal of this name was begun meanwhile."""


def apply_on(work: Work, make_plan: MakePlan) -> Applied:
    """`apply` on the branch of `work`. What waits for a person, on proposal or quarantine, is said to."""
    name = new_operation_id(work.clock)
    return apply_all_on(work, lambda here: [Step(make_plan(here), name, work.clock)])[0]


def apply_all_on(work: Work, make_steps: MakeSteps) -> list[Applied]:
    """The same for several plans at once, as `apply_all` takes them."""
    told = waiting(work)
    return [
        replace(applied, notices=(*applied.notices, *told)) if applied.commit is not None else applied
        for applied in apply_all(work.place, work.branch, _beginning(work, make_steps))
    ]


def merge_on(work: Work, make_plan: MakePlan, *, operation_id: str | None = None) -> Applied:
    """The same of a merge, which may bring nothing that would have to wait: nothing is said."""
    name = operation_id or new_operation_id(work.clock)
    steps = _beginning(work, lambda here: [Step(make_plan(here), name, work.clock)])
    return apply_all(work.place, work.branch, steps)[0]


def waiting(work: Work) -> tuple[str, ...]:
    """What is to be said of a write to the branch of `work`."""
    if is_proposal(work.branch):
        return (f"proposed on {work.branch}, a person reviews it",)
    if work.branch == work.place.config.branches["quarantine"]:
        return (f"waits on {work.branch} until a person approves it",)
    return ()


def _beginning(work: Work, make_steps: MakeSteps) -> MakeSteps:
    """`make_steps`, where the first commit of a proposal says what it is."""

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

    return steps


def _opened(work: Work, plan: Plan) -> Plan:
    """`plan` as the first commit of the proposal that `work` stands on."""
    identity = work.identity
    opening = work.opening or Opening(f"Changes by {identity.name}")
    trailers = opening.trailers(proposal_name(work.branch), str(identity))
    return replace(plan, body=opening.body, trailers=[*plan.trailers, *trailers])
