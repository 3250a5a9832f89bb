"""The JSON of proposals and of what a person decides about them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape
from gitmem.cli.shapes_check import finding_shape
from gitmem.clock import iso_seconds

if TYPE_CHECKING:
    from gitmem.flows.accept import Accepted
    from gitmem.flows.propose import Proposed
    from gitmem.flows.reject import Rejected
    from gitmem.flows.review import Review, ReviewedMemory
    from gitmem.model.proposal import Proposal
    from gitmem.model.proposal_change import MemoryChange, ProposalChanges


def proposal_shape(proposal: Proposal) -> Shape:
    return {
        "name": proposal.name,
        "branch": proposal.branch,
        "title": proposal.title,
        "body": proposal.body,
        "state": str(proposal.state),
        "proposed_by": proposal.proposed_by,
        "created": iso_seconds(proposal.created),
        "commit": proposal.tip,
        "ahead": proposal.ahead,
        "behind": proposal.behind,
        "reviewed_by": proposal.reviewed_by,
        "reason": proposal.reason,
    }


def _with_changes(proposal: Proposal, changes: ProposalChanges) -> Shape:
    return {
        **proposal_shape(proposal),
        "changes": [_change_shape(each) for each in changes.memories],
        "files": list(changes.files),
        "policy": list(changes.policy),
    }


def _change_shape(change: MemoryChange) -> Shape:
    memory = change.memory
    return {
        "change": str(change.kind),
        "id": change.id,
        "title": memory.title,
        "path": memory.path,
        "old_path": change.old.path if change.old is not None else None,
    }


def proposals_shape(found: Sequence[tuple[Proposal, ProposalChanges]]) -> Shape:
    return {"proposals": [_with_changes(proposal, changes) for proposal, changes in found]}


def proposed_shape(proposed: Proposed) -> Shape:
    return {
        **_with_changes(proposed.proposal, proposed.changes),
        "disputed": list(proposed.disputed),
        "notices": list(proposed.notices),
    }


def review_shape(review: Review) -> Shape:
    return {
        **proposal_shape(review.proposal),
        "memories": [_reviewed_shape(each) for each in review.memories],
        "files": list(review.files),
        "policy": list(review.policy),
        "obstacle": review.obstacle,
        "findings": [finding_shape(each) for each in review.findings],
    }


def _reviewed_shape(reviewed: ReviewedMemory) -> Shape:
    return {
        **_change_shape(reviewed.change),
        "fields": [{"field": each.field, "old": each.old, "new": each.new} for each in reviewed.fields],
        "sentences": [{"old": each.old, "new": each.new} for each in reviewed.sentences],
        "attachments": list(reviewed.change.attachments),
        "changed_on_main": reviewed.change.is_changed_on_main,
        "disputed": reviewed.is_disputed,
        "beside": [
            {
                "id": each.id,
                "title": each.title,
                "path": each.path,
                "snippet": each.snippet,
                "same_text": each.is_same_text,
            }
            for each in reviewed.beside
        ],
    }


def accepted_shape(accepted: Accepted) -> Shape:
    return {
        **proposal_shape(accepted.proposal),
        "reviewed_by": accepted.reviewed_by,
        "version": accepted.commit,
        "operation_id": accepted.operation_id,
        "taken": list(accepted.taken),
        "archived": list(accepted.archived),
        "disputed": list(accepted.disputed),
        "left": list(accepted.left),
        "notices": list(accepted.notices),
    }


def rejected_shape(rejected: Rejected) -> Shape:
    return {**proposal_shape(rejected.proposal), "notices": list(rejected.notices)}
