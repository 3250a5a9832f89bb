"""Writing to the branch of a work: on a proposal, the first commit says whose it is and what it is about."""

from __future__ import annotations

from dataclasses import replace

from gitmem.errors import Conflict
from gitmem.flows.apply import Applied, MakePlan, apply
from gitmem.flows.work import Work
from gitmem.model.change import Plan
from gitmem.model.proposal import Opening, is_proposal, proposal_name
from gitmem.versions.snapshot import Snapshot


class NameTaken(Conflict):
    """A proposal of this name was begun meanwhile."""


def apply_on(work: Work, make_plan: MakePlan, *, operation_id: str | None = None) -> Applied:
    """`apply` on the branch of `work`. What went onto a proposal is said to wait for a person."""
    if not is_proposal(work.branch):
        return apply(work.place, work.branch, make_plan, clock=work.clock, operation_id=operation_id)

    def plan(snapshot: Snapshot) -> Plan:
        if not work.place.tip(work.branch):
            return _opened(work, make_plan(snapshot))
        if work.opening is not None:
            raise NameTaken(
                f"{work.branch} was begun by somebody else just now", hint="run the command again"
            )
        return make_plan(snapshot)

    applied = apply(work.place, work.branch, plan, clock=work.clock)
    if applied.commit is None:
        return applied
    return replace(applied, notices=(*applied.notices, f"proposed on {work.branch}, a person reviews it"))


def _opened(work: Work, plan: Plan) -> Plan:
    """`plan` as the first commit of the proposal that `work` stands on."""
    identity = work.identity
    opening = work.opening or Opening(f"Changes by {identity.name}")
    trailers = opening.trailers(proposal_name(work.branch), str(identity))
    return replace(plan, body=opening.body, trailers=[*plan.trailers, *trailers])
