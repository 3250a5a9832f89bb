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
    """`apply` on the branch of `work`. What waits for a person, on proposal or quarantine, is said to."""
    if not is_proposal(work.branch):
        applied = apply(work.place, work.branch, make_plan, clock=work.clock, operation_id=operation_id)
        is_waiting = work.branch == work.place.config.branches["quarantine"]
        return (
            _saying(applied, f"waits on {work.branch} until a person approves it") if is_waiting else applied
        )

    def plan(snapshot: Snapshot) -> Plan:
        if not work.place.tip(work.branch):
            return _opened(work, make_plan(snapshot))
        if work.opening is not None and work.opening.must_begin:
            raise NameTaken(
                f"{work.branch} was begun by somebody else just now", hint="run the command again"
            )
        return make_plan(snapshot)

    applied = apply(work.place, work.branch, plan, clock=work.clock)
    return _saying(applied, f"proposed on {work.branch}, a person reviews it")


def _saying(applied: Applied, notice: str) -> Applied:
    return replace(applied, notices=(*applied.notices, notice)) if applied.commit is not None else applied


def _opened(work: Work, plan: Plan) -> Plan:
    """`plan` as the first commit of the proposal that `work` stands on."""
    identity = work.identity
    opening = work.opening or Opening(f"Changes by {identity.name}")
    trailers = opening.trailers(proposal_name(work.branch), str(identity))
    return replace(plan, body=opening.body, trailers=[*plan.trailers, *trailers])
