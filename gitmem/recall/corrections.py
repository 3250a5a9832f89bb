"""Status and corrections: what no longer holds is demoted and labelled, and stands behind its correction."""

from __future__ import annotations

from collections.abc import Iterable

from gitmem.index.content import IndexContent
from gitmem.index.schema import ID_KEY, SUPERSEDES
from gitmem.recall.answer import Reason
from gitmem.recall.candidates import Candidate, Candidates
from gitmem.recall.weights import BEHIND_CORRECTION


def corrections_among(content: IndexContent, documents: Iterable[int]) -> set[int]:
    """What corrects any of `documents`, directly or by another correction: it answers the same question.

    So it is found even if it shares no word with the question: "it is the tenth of June now".
    """
    if not content.has_terms(SUPERSEDES):
        return set()
    table = content.cached("corrections", lambda: _corrections(content))
    found: set[int] = set()
    pending = [document for document in documents if document in table]
    while pending:
        new = table.get(pending.pop(), frozenset()) - found
        found |= new
        pending.extend(new)
    return found


def _corrections(content: IndexContent) -> dict[int, frozenset[int]]:
    """For each document that others say they supersede: which they are."""
    found: dict[int, frozenset[int]] = {}
    for name in content.terms(SUPERSEDES, ""):
        by = frozenset(content.documents_with(SUPERSEDES, name))
        for document in content.documents_with(ID_KEY, name):
            found[document] = by - {document}
    return found


def apply_corrections(candidates: Candidates) -> None:
    """A correction stands as high as what it corrects would, and that stands behind it."""
    lifted: dict[int, float] = {}
    for candidate in sorted(candidates.values(), key=lambda one: one.record.path):
        for document in candidates.corrections_of(candidate):
            other = candidates[document]
            if candidate.score > max(other.score, lifted.get(document, 0.0)):
                lifted[document] = candidate.score
                other.stands_for.append(candidate.document)
                factor = candidate.score / other.score if other.score else 1.0
                reason = Reason("correction", f"corrects {candidate.record.id}", factor)
                other.reasons = [old for old in other.reasons if old.stage != "correction"] + [reason]
    for document, score in lifted.items():
        candidates[document].score = score
    for candidate in candidates.values():
        _demote(candidate)
    for candidate in sorted(candidates.values(), key=lambda one: len(candidates.corrections_of(one))):
        _put_behind(candidate, candidates)


def _demote(candidate: Candidate) -> None:
    factor = candidate.status_factor
    if candidate.superseding_ids:
        names = ", ".join(candidate.superseding_ids)
        candidate.apply(Reason("status", f"superseded by {names}", factor))
    elif factor != 1:
        candidate.apply(Reason("status", f"marked {candidate.status}", factor))


def _put_behind(candidate: Candidate, candidates: Candidates) -> None:
    ahead = [candidates[document].score for document in candidates.corrections_of(candidate)]
    if ahead and candidate.score >= min(ahead):
        candidate.score = min(ahead) * BEHIND_CORRECTION
