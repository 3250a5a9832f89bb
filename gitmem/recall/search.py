"""Ranked search: terms, filters, scores, stages, hits."""

from __future__ import annotations

from datetime import datetime

from gitmem.index.content import IndexContent
from gitmem.index.keys import key
from gitmem.index.record import Record, RecordFilter
from gitmem.index.schema import KEYS
from gitmem.index.scoring import matched_fields, score
from gitmem.index.view import IndexView, matching_documents
from gitmem.model.memory import Status
from gitmem.recall.answer import Hit, Reason, SearchAnswer
from gitmem.recall.question import Question
from gitmem.recall.rank import Candidate, Ranking, exact_matches, named_ids
from gitmem.recall.where import Where


def search(
    view: IndexView,
    query: str,
    where: RecordFilter | None = None,
    limit: int = 10,
    *,
    now: datetime | None = None,
) -> SearchAnswer:
    """The `limit` best hits for `query` among the memories that match `where`.

    Every text is a query; one without a word to look for has no hits. Filters are applied before
    the cut, so `total` counts all that match both. With `now`, what its `valid_until` ended is expired.
    """
    question = Question.parse(query)
    wanted = Where() if where is None else where

    def read_text(record: Record) -> str:
        memory = view.memory(record)
        return f"{memory.title}\n{memory.body}"

    def ask(content: IndexContent) -> SearchAnswer:
        scores = _scores(content, question, wanted)
        ranking = Ranking(content, question, scores, read_text, now=now)
        best = ranking.best(limit) if limit > 0 else []
        return SearchAnswer(
            hits=_hits(content, question, best),
            total=len(scores),
            terms=question.terms,
            notes=notes_on(content, wanted),
        )

    return view.read(ask)


def _scores(content: IndexContent, question: Question, where: RecordFilter) -> dict[int, float]:
    """The score of each document that matches the query, by words or by name, and the filter."""
    allowed = matching_documents(content, where)
    scores = score(content, question.terms, allowed)
    for document in (*exact_matches(content, question), *named_ids(content, question)):
        if allowed is None or document in allowed:
            scores.setdefault(document, 0.0)
    if where.needs_record:
        scores = {
            number: value
            for number, value in scores.items()
            if where.matches_beyond_keys(content.record(number))
        }
    return scores


def _hits(content: IndexContent, question: Question, best: list[Candidate]) -> tuple[Hit, ...]:
    matched = matched_fields(content, question.terms, [candidate.document for candidate in best])
    return tuple(_hit(candidate, matched[candidate.document]) for candidate in best)


def _hit(candidate: Candidate, matched: dict[str, list[str]]) -> Hit:
    reasons = tuple(candidate.reasons)
    if matched:
        text = "; ".join(f"{term} in {', '.join(fields)}" for term, fields in matched.items())
        reasons = (Reason("words", text), *reasons)
    labels = [f"superseded by {name}" for name in candidate.superseding_ids]
    status = candidate.status
    if status != Status.ACTIVE and not (labels and status == Status.SUPERSEDED):
        labels.append(str(status))
    return Hit(
        record=candidate.record,
        score=round(candidate.score, 4),
        reasons=reasons,
        labels=tuple(labels),
        superseded_by=candidate.superseding_ids,
    )


def notes_on(content: IndexContent, where: RecordFilter) -> tuple[str, ...]:
    """What a filter names that no memory has, in words."""
    if not isinstance(where, Where):
        return ()
    asked = [("tag", tag, f"no memory has the tag {tag!r}") for tag in where.tags]
    asked += [("entity", entity, f"no memory names the entity {entity!r}") for entity in where.entities]
    if where.namespace:
        asked.append(("in", where.namespace.strip("/"), f"no memory is in {where.namespace!r}"))
    if where.agent is not None:
        asked.append(("agent", where.agent, f"no memory is from the agent {where.agent!r}"))
    if where.session is not None:
        asked.append(("session", where.session, f"no memory is from the session {where.session!r}"))
    return tuple(note for kind, value, note in asked if not content.documents_with(KEYS, key(kind, value)))
