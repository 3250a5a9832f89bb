"""Ranked search: terms, filters, scores, stages, hits."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime

from gitmem.index.content import IndexContent
from gitmem.index.keys import key
from gitmem.index.record import Record, RecordFilter
from gitmem.index.schema import KEYS
from gitmem.index.scope import scope_of
from gitmem.index.view import IndexView
from gitmem.model.memory import Status
from gitmem.recall.answer import Hit, SearchAnswer
from gitmem.recall.candidates import Candidate
from gitmem.recall.cutoff import SURE_STAGES, can_be_cut
from gitmem.recall.linked import LinkLifts
from gitmem.recall.question import Question
from gitmem.recall.rank import Ranking, exact_matches, named_ids
from gitmem.recall.relevance import Relevance
from gitmem.recall.stages import Asked
from gitmem.recall.where import Where
from gitmem.recall.words import word_reasons


def search(
    view: IndexView,
    query: str,
    where: RecordFilter | None = None,
    limit: int = 10,
    *,
    now: datetime | None = None,
    without: Collection[str] = (),
    cutoff: float = 0.0,
    is_strict: bool = False,
) -> SearchAnswer:
    """The `limit` best hits for `query` among the memories that match `where`.

    Every text is a query; one without a word to look for has no hits. Filters are applied before
    the cut, so `total` counts all that match both. With `now`, what its `valid_until` ended is
    expired, and newer memories stand a little higher. `without` leaves out stages of ranking.
    Where no memory has a relevance of `cutoff`, nothing is relevant; unless `is_strict`, that is said of
    questions only, see `cutoff.py`.
    """
    question = Question.parse(query)
    wanted = Where() if where is None else where

    def read_text(record: Record) -> str:
        memory = view.memory(record)
        return f"{memory.title}\n{memory.body}"

    def ask(content: IndexContent) -> SearchAnswer:
        asked = Asked(content, question, scope_of(content, wanted), now, frozenset(without))
        relevance = Relevance(asked)
        scores = _passing(asked, relevance.scores, wanted)
        links = LinkLifts(content, scores if asked.has("links") else {})
        ranking = Ranking(content, question, links.lifted(scores), read_text, now=now)
        best = ranking.best(limit) if limit > 0 else []
        answer = SearchAnswer(
            hits=_hits(asked, best, relevance, links),
            total=len(scores),
            terms=question.terms,
            notes=notes_on(content, wanted),
            relevance=relevance.best_share(scores),
            cutoff=cutoff,
        )
        is_judged = is_strict or can_be_cut(relevance.sought, relevance.found)
        return _held_back(answer) if is_judged else answer

    return view.read(ask)


def _held_back(answer: SearchAnswer) -> SearchAnswer:
    """`answer` without hits where nothing is relevant; that does not depend on how many were wanted."""
    if not answer.hits or answer.relevance >= answer.cutoff:
        return answer
    if any(reason.stage in SURE_STAGES for hit in answer.hits for reason in hit.reasons):
        return answer
    closest = max(answer.hits, key=lambda hit: hit.relevance)
    return replace(answer, hits=(), held_back=len(answer.hits), closest=closest)


def _passing(asked: Asked, scores: dict[int, float], where: RecordFilter) -> dict[int, float]:
    """The scores of what matches by words or by name, and has the fields of the filter."""
    content = asked.content
    named = (*exact_matches(content, asked.question), *named_ids(content, asked.question))
    found = {**dict.fromkeys(filter(asked.scope.holds, named), 0.0), **scores} if named else scores
    if not where.fields:
        return found
    return {number: score for number, score in found.items() if where.has_fields(content.record(number))}


def _hits(asked: Asked, best: list[Candidate], relevance: Relevance, links: LinkLifts) -> tuple[Hit, ...]:
    words = word_reasons(asked, relevance.evidence, [candidate.document for candidate in best])
    hits = []
    for candidate in best:
        document = candidate.document
        lift = links.reason(document, relevance.scores.get(document, 0.0))
        reasons = [words.get(document), *relevance.reasons(document), lift, *candidate.reasons]
        hits.append(
            Hit(
                record=candidate.record,
                score=round(candidate.score, 4),
                relevance=relevance.share(document),
                reasons=tuple(reason for reason in reasons if reason is not None),
                labels=_labels(candidate),
                superseded_by=candidate.superseding_ids,
            )
        )
    return tuple(hits)


def _labels(candidate: Candidate) -> tuple[str, ...]:
    labels = [f"superseded by {name}" for name in candidate.superseding_ids]
    status = candidate.status
    if status != Status.ACTIVE and not (labels and status == Status.SUPERSEDED):
        labels.append(str(status))
    return tuple(labels)


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
    return tuple(note for kind, value, note in asked if not content.having(KEYS, key(kind, value)))
