"""Status and corrections: what no longer holds is demoted and labelled, and stands behind its correction."""

from __future__ import annotations

from gitmem.recall.answer import Reason
from gitmem.recall.candidates import Candidate, Candidates
from gitmem.recall.weights import BEHIND_CORRECTION


def apply_corrections(candidates: Candidates) -> None:
    """A correction stands as high as what it corrects would, and that stands behind it."""
    if all(candidate.holds for candidate in candidates.values()):
        return
    lifted: dict[int, float] = {}
    in_order = sorted(candidates.values(), key=lambda one: one.record.path)
    for candidate in in_order:
        for document in candidates.corrections_of(candidate):
            other = candidates[document]
            if candidate.score > max(other.score, lifted.get(document, 0.0)):
                lifted[document] = candidate.score
                other.stands_for.append(candidate.document)
                lift = candidate.score - other.score
                reason = Reason("correction", f"corrects {candidate.record.id}", added=lift)
                other.reasons = [old for old in other.reasons if old.stage != "correction"] + [reason]
    for document, score in lifted.items():
        candidates[document].score = score
    for candidate in candidates.values():
        _demote(candidate)
    for candidate in sorted(in_order, key=lambda one: len(candidates.corrections_of(one))):
        _put_behind(candidate, candidates)


def _demote(candidate: Candidate) -> None:
    factor = candidate.status_factor
    if candidate.superseding_ids:
        names = ", ".join(candidate.superseding_ids)
        candidate.apply(Reason("status", f"superseded by {names}", factor))
    elif factor != 1:
        candidate.apply(Reason("status", f"marked {candidate.status}", factor))


def _put_behind(candidate: Candidate, candidates: Candidates) -> None:
    ahead = [candidates[document] for document in candidates.corrections_of(candidate)]
    least = min(ahead, key=lambda one: (one.score, one.record.path), default=candidate)
    if ahead and candidate.score >= least.score:
        lost = least.score * BEHIND_CORRECTION - candidate.score
        candidate.apply(Reason("correction", f"behind {least.record.id}, which corrects it", added=lost))
