"""From scores to an order: each stage is a factor with its reason, and no stage hides a memory."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from gitmem.index.content import IndexContent
from gitmem.index.keys import key
from gitmem.index.record import Record
from gitmem.index.schema import ID_KEY, KEYS, PATH, SUPERSEDES
from gitmem.model.ids import id_key
from gitmem.model.memory import Status
from gitmem.recall.answer import Reason
from gitmem.recall.question import Question, normal_text
from gitmem.recall.where import Where, parse_moment

ID_FACTOR = 2.0
PHRASE_FACTOR = 1.5
IMPORTANCE_SWING = 0.1
STATUS_FACTORS = {Status.SUPERSEDED: 0.5, Status.EXPIRED: 0.5, Status.DISPUTED: 0.8}
_BEHIND_CORRECTION = 0.99
_PHRASE_CANDIDATES = 50

ReadText = Callable[[Record], str]


@dataclass(slots=True)
class Candidate:
    """A memory that may become a hit, with what the stages made of its score."""

    document: int
    record: Record
    score: float
    status: Status
    is_exact: bool = False
    reasons: list[Reason] = field(default_factory=list)
    superseded_by: list[int] = field(default_factory=list)
    superseding_ids: tuple[str, ...] = ()

    @property
    def order(self) -> tuple[bool, float, float, str]:
        """Exact first, then by score; among equals the newer, then by path."""
        created = parse_moment(self.record.created)
        age = -created.timestamp() if created else float("inf")
        return (not self.is_exact, -self.score, age, self.record.path)


class Ranking:
    """Turns the scores of all matches into the `limit` best candidates.

    `scores` are those of every document that matches query and filter. Documents are looked at
    from the best score down until no other can reach the cut.
    """

    def __init__(
        self,
        content: IndexContent,
        question: Question,
        scores: dict[int, float],
        read_text: ReadText,
        *,
        now: datetime | None = None,
    ) -> None:
        self._content = content
        self._question = question
        self._scores = scores
        self._read_text = read_text
        self._now = now
        self._seen: dict[int, Candidate] = {}
        self._exact = exact_matches(content, question)
        self._named = named_ids(content, question)

    def best(self, limit: int) -> list[Candidate]:
        """The `limit` best candidates in order."""
        self._gather(limit)
        self._phrase_stage(limit)
        for candidate in self._seen.values():
            self._id_stage(candidate)
            self._importance_stage(candidate)
        self._correction_stage()
        self._exact_stage()
        return sorted(self._seen.values(), key=lambda candidate: candidate.order)[:limit]

    def _gather(self, limit: int) -> None:
        """Looks at each document that could be among the best, and at whatever corrects it."""
        for document in (*self._exact, *self._named):
            if document in self._scores:
                self._look_at(document)
        ordered = sorted(self._scores.items(), key=lambda item: -item[1])
        texts = ordered[: max(limit, _PHRASE_CANDIDATES) if self._question.phrases else 0]
        least = texts[-1][1] if texts else math.inf
        floors: list[float] = []
        for document, score in ordered:
            is_cut = len(floors) == limit and score * (1 + IMPORTANCE_SWING) < floors[0]
            if is_cut and score < least:
                break
            floor = _floor(self._look_at(document))
            if len(floors) < limit:
                heapq.heappush(floors, floor)
            else:
                heapq.heappushpop(floors, floor)

    def _look_at(self, document: int) -> Candidate:
        candidate = self._seen.get(document)
        if candidate is not None:
            return candidate
        record = self._content.record(document)
        status = status_at(record, self._now)
        candidate = self._seen[document] = Candidate(document, record, self._scores[document], status)
        others = [
            other
            for other in self._content.documents_with(SUPERSEDES, id_key(record.id))
            if other != document
        ]
        candidate.superseding_ids = tuple(sorted({self._content.record(other).id for other in others}))
        candidate.superseded_by = [other for other in others if other in self._scores]
        pending = list(candidate.superseded_by)
        for other in pending:
            self._look_at(other)
        return candidate

    def _phrase_stage(self, limit: int) -> None:
        """A quoted phrase lends weight to the memories whose text has it, among the best by words."""
        if not self._question.phrases:
            return
        candidates = sorted(self._seen.values(), key=lambda candidate: candidate.order)
        for candidate in candidates[: max(limit, _PHRASE_CANDIDATES)]:
            text = normal_text(self._read_text(candidate.record))
            found = [phrase for phrase in self._question.phrases if phrase in text]
            if found:
                _apply(candidate, Reason("phrase", f"has the phrase “{'”, “'.join(found)}”", PHRASE_FACTOR))

    def _id_stage(self, candidate: Candidate) -> None:
        if candidate.document in self._named:
            _apply(candidate, Reason("id", f"the query names {candidate.record.id}", ID_FACTOR))

    def _importance_stage(self, candidate: Candidate) -> None:
        factor = _importance_factor(candidate.record)
        if factor != 1:
            _apply(candidate, Reason("importance", f"importance {candidate.record.importance:g}", factor))

    def _correction_stage(self) -> None:
        """A correction stands as high as what it corrects would, and that stands behind it."""
        lifted: dict[int, float] = {}
        for candidate in sorted(self._seen.values(), key=lambda one: one.record.path):
            for document in self._corrections_of(candidate):
                other = self._seen[document]
                if candidate.score > max(other.score, lifted.get(document, 0.0)):
                    lifted[document] = candidate.score
                    factor = candidate.score / other.score if other.score else 1.0
                    reason = Reason("correction", f"corrects {candidate.record.id}", factor)
                    other.reasons = [old for old in other.reasons if old.stage != "correction"] + [reason]
        for document, score in lifted.items():
            self._seen[document].score = score
        for candidate in self._seen.values():
            self._status_stage(candidate)
        for candidate in sorted(self._seen.values(), key=lambda one: len(self._corrections_of(one))):
            self._put_behind(candidate)

    def _corrections_of(self, candidate: Candidate) -> list[int]:
        """What corrects it, directly or by another correction; two that correct each other do not count."""
        found: dict[int, None] = {}
        pending = list(candidate.superseded_by)
        while pending:
            document = pending.pop()
            if document not in found:
                found[document] = None
                pending.extend(self._seen[document].superseded_by)
        return [] if candidate.document in found else list(found)

    def _status_stage(self, candidate: Candidate) -> None:
        status = candidate.status
        if candidate.superseding_ids:
            names = ", ".join(candidate.superseding_ids)
            _apply(candidate, Reason("status", f"superseded by {names}", STATUS_FACTORS[Status.SUPERSEDED]))
        elif status in STATUS_FACTORS:
            _apply(candidate, Reason("status", f"marked {status}", STATUS_FACTORS[status]))

    def _put_behind(self, candidate: Candidate) -> None:
        ahead = [self._seen[document].score for document in self._corrections_of(candidate)]
        if ahead and candidate.score >= min(ahead):
            candidate.score = min(ahead) * _BEHIND_CORRECTION

    def _exact_stage(self) -> None:
        """What the whole query names comes first: an id or path always, a title if the memory holds."""
        best = max((candidate.score for candidate in self._seen.values()), default=0.0)
        for document, name in self._exact.items():
            candidate = self._seen.get(document)
            if candidate is not None and (name != "title" or _holds(candidate)):
                candidate.is_exact = True
                candidate.score += best
                candidate.reasons.insert(0, Reason("exact", f"the query is its {name}"))


def _floor(candidate: Candidate) -> float:
    """A score that the stages will not take the candidate below."""
    if candidate.superseded_by:
        return 0.0
    factor = STATUS_FACTORS.get(candidate.status, 1.0)
    if candidate.superseding_ids:
        factor = STATUS_FACTORS[Status.SUPERSEDED]
    return candidate.score * factor * _importance_factor(candidate.record)


def _holds(candidate: Candidate) -> bool:
    return candidate.status == Status.ACTIVE and not candidate.superseding_ids


def _importance_factor(record: Record) -> float:
    return 1 + IMPORTANCE_SWING * (2 * min(1.0, max(0.0, record.importance)) - 1)


def status_at(record: Record, now: datetime | None) -> Status:
    """The status of `record`; an active one is expired after its `valid_until`, a date including its day."""
    if now is None or record.status != Status.ACTIVE or parse_moment(record.valid_until) is None:
        return record.status
    holds = Where(until=record.valid_until).is_in_time(now)
    return Status.ACTIVE if holds else Status.EXPIRED


def exact_matches(content: IndexContent, question: Question) -> dict[int, str]:
    """The documents whose id, path or title the whole query is."""
    text = question.text
    if not text:
        return {}
    found = dict.fromkeys(content.documents_with(KEYS, key("title", text)), "title")
    found.update(dict.fromkeys(content.documents_with(PATH, text), "path"))
    found.update(dict.fromkeys(content.documents_with(ID_KEY, id_key(text)), "id"))
    return found


def named_ids(content: IndexContent, question: Question) -> set[int]:
    """The documents whose id stands in the query as a word."""
    words = {id_key(word) for word in question.words}
    return {document for word in sorted(words) for document in content.documents_with(ID_KEY, word)}


def _apply(candidate: Candidate, reason: Reason) -> None:
    candidate.score *= reason.factor
    candidate.reasons.append(reason)
