"""reject: a person decides against a proposal. A last commit on its branch says who and why."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import BadInput
from gitmem.flows.propose import refuse_settled
from gitmem.flows.rights.acting import require_reviewer
from gitmem.flows.rights.apart import require_approval
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import apply
from gitmem.model.change import Origin, Plan
from gitmem.model.ids import CommitId
from gitmem.model.proposal import PROPOSAL, REJECT, REVIEWED_BY, Proposal
from gitmem.versions.proposal_changes import changes_of
from gitmem.versions.proposals import get_proposal
from gitmem.versions.snapshot import Snapshot


class Rejected(Struct, frozen=True):
    """A proposal that is rejected, and the commit that says so."""

    proposal: Proposal
    commit: CommitId
    notices: tuple[str, ...] = ()


def reject(work: Work, name: str, reason: str, *, origin: Origin) -> Rejected:
    """Ends an open proposal. Raises `Refused` for an agent and for one that is settled, `BadInput` for an
    empty reason.
    """
    reviewer = require_reviewer(work.place, work.identity, "reject")
    proposal = get_proposal(work.place, name)
    refuse_settled(proposal)
    changes = changes_of(work.place, proposal)
    require_approval(work.place, changes.memories, changes.files)
    if not reason.strip():
        raise BadInput("--reason: say why, for whoever proposed it", field="reason")
    trailers = [(PROPOSAL, proposal.name), (REVIEWED_BY, reviewer)]

    def plan(_: Snapshot) -> Plan:
        return Plan(
            REJECT,
            proposal.title,
            (),
            origin=replace(origin, reason=reason),
            trailers=trailers,
            is_record=True,
        )

    applied = apply(work.place, proposal.branch, plan, clock=work.clock)
    assert applied.commit is not None, "a record is a commit"
    return Rejected(get_proposal(work.place, proposal.name), applied.commit, applied.notices)
