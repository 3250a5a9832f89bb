"""Candidates: memories that may become hits, with what the stages made of their scores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from msgspec import Struct, field

from gitmem.index.content import IndexContent
from gitmem.index.moments import micros_of, parse_moment, span_of
from gitmem.index.record import Record
from gitmem.index.schema import SUPERSEDES
from gitmem.model.ids import id_key
from gitmem.model.memory import Status
from gitmem.recall.answer import Reason
from gitmem.recall.superseding import corrections_among
from gitmem.recall.use import UseFactor
from gitmem.recall.weights import STATUS_FACTORS


class Candidate(Struct):
    """A memory that may become a hit."""

    document: int
    record: Record
    score: float
    status: Status
    is_exact: bool = False
    reasons: list[Reason] = field(default_factory=list)
    superseded_by: list[int] = field(default_factory=list)
    superseding_ids: tuple[str, ...] = ()
    stands_for: list[int] = field(default_factory=list)
    """What it corrects and got its score from."""

    @property
    def order(self) -> tuple[bool, float, float, str]:
        """Exact first, then by score; among equals the newer, then by path."""
        created = parse_moment(self.record.created)
        age = -created.timestamp() if created else float("inf")
        return (not self.is_exact, -self.score, age, self.record.path)

    @property
    def holds(self) -> bool:
        """Whether it is active, and nothing corrects it."""
        return self.status == Status.ACTIVE and not self.superseding_ids

    @property
    def status_factor(self) -> float:
        """What its status multiplies its score by."""
        if self.superseding_ids:
            return STATUS_FACTORS[Status.SUPERSEDED]
        return STATUS_FACTORS.get(self.status, 1.0)

    def apply(self, reason: Reason) -> None:
        """Does to the score what the reason says, and keeps it."""
        self.score = reason.applied(self.score)
        self.reasons.append(reason)


class Candidates(dict[int, Candidate]):
    """The candidates by document; whoever is looked at brings its corrections along."""

    def __init__(
        self,
        content: IndexContent,
        scores: Mapping[int, float],
        now: datetime | None,
        use: UseFactor | None = None,
    ) -> None:
        super().__init__()
        self._use = use
        self._has_corrections = content.has_terms(SUPERSEDES)
        self._content = content
        self._scores = scores
        self._now = now

    def look_at(self, document: int) -> Candidate:
        """The candidate of a scored document."""
        candidate = self.get(document)
        if candidate is None:
            candidate = self[document] = self._new(document)
            for other in candidate.superseded_by:
                self.look_at(other)
        return candidate

    def look_at_all(self, documents: Iterable[int]) -> None:
        """Looks at each of `documents` that has a score."""
        for document in documents:
            if document in self._scores:
                self.look_at(document)

    def corrections_of(self, candidate: Candidate) -> list[int]:
        """What corrects it, directly or by another correction; two that correct each other do not count."""
        found: dict[int, None] = {}
        pending = list(candidate.superseded_by)
        while pending:
            document = pending.pop()
            if document not in found:
                found[document] = None
                pending.extend(self[document].superseded_by)
        return [] if candidate.document in found else list(found)

    def _new(self, document: int) -> Candidate:
        record = self._content.record(document)
        candidate = Candidate(document, record, self._scores[document], status_at(record, self._now))
        if self._has_corrections:
            others = [
                other
                for other in self._content.documents_with(SUPERSEDES, id_key(record.id))
                if other != document
            ]
            candidate.superseding_ids = tuple(sorted({self._content.record(other).id for other in others}))
            further = corrections_among(self._content, (document,)).difference((*others, document))
            candidate.superseded_by = [other for other in (*others, *further) if other in self._scores]
        used = self._use.reason(record.id) if self._use else None
        if used is not None:
            candidate.apply(used)
        return candidate


def status_at(record: Record, now: datetime | None) -> Status:
    """The status of `record`; an active one is expired after its `valid_until`, a date including its day."""
    ends = span_of(record.valid_until)
    if now is None or record.status != Status.ACTIVE or ends is None:
        return record.status
    return Status.ACTIVE if micros_of(now) <= ends[1] else Status.EXPIRED
