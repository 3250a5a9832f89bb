"""Ranked search: terms, filters, scores, stages, hits."""

from __future__ import annotations

from collections.abc import Collection
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gitmem.index.content import IndexContent
from gitmem.index.keys import key
from gitmem.index.moments import moment_of
from gitmem.index.record import Record, RecordFilter
from gitmem.index.schema import KEYS
from gitmem.index.scope import scope_of
from gitmem.index.scoring import Evidence
from gitmem.index.view import IndexView
from gitmem.model.memory import Status
from gitmem.recall.aliases import evidence_of_names, under_all_names
from gitmem.recall.answer import MOST_HELD, Hit, Reason, SearchAnswer
from gitmem.recall.candidates import Candidate
from gitmem.recall.cutoff import SURE_STAGES, can_be_cut
from gitmem.recall.linked import LinkLifts
from gitmem.recall.narrow import Narrowing, newest
from gitmem.recall.query import Query
from gitmem.recall.question import Question
from gitmem.recall.rank import Named, Ranking
from gitmem.recall.relevance import Relevance
from gitmem.recall.scores import Scores
from gitmem.recall.stages import Asked
from gitmem.recall.superseding import corrections_among
from gitmem.recall.use import FindUses, UseFactor
from gitmem.recall.where import Where
from gitmem.recall.words import words_found

if TYPE_CHECKING:
    from gitmem.recall.stages import Meaning

_NOTES = {
    "tag": "no memory has the tag {!r}",
    "entity": "no memory names the entity {!r}",
    "in": "no memory is in {!r}",
    "agent": "no memory is from the agent {!r}",
    "session": "no memory is from the session {!r}",
}


def search(
    view: IndexView,
    query: str | Query,
    where: RecordFilter | None = None,
    limit: int = 10,
    *,
    now: datetime | None = None,
    zone: tzinfo | None = UTC,
    without: Collection[str] = (),
    find_uses: FindUses | None = None,
    cutoff: float = 0.0,
    is_strict: bool = False,
    meaning: Meaning | None = None,
) -> SearchAnswer:
    """The `limit` best hits for `query` among the memories that match `where`.

    Every text is a query; one without a word to look for has no hits. Filters are applied before
    the cut, so `total` counts all that match both. With `now`, what its `valid_until` ended is
    expired, newer memories stand a little higher, and a question may name a time by its distance from
    now, by the wall clock of `zone` (None: of the machine); with `find_uses` too, what is used stands a
    little higher. `without` leaves out stages of ranking. A `Query` that has filters only is answered
    with the newest memories that pass them. Where no memory has a relevance of `cutoff`, nothing is
    relevant; unless `is_strict`, that is said of questions only, see `cutoff.py`. With `meaning`,
    vectors are asked too, see `meaning.py`.
    """
    meant = Query.plain(query) if isinstance(query, str) else query
    question = Question.parse(meant.words)

    def read_text(record: Record) -> str:
        memory = view.memory(record)
        return f"{memory.title}\n{memory.body}"

    def ask(content: IndexContent) -> SearchAnswer:
        wanted = under_all_names(content, Where() if where is None else where)
        narrowing = Narrowing(content, view.memory)
        scope = narrowing.narrowed(scope_of(content, wanted), wanted, meant)
        asked = Asked(content, question, scope, now, frozenset(without), zone, meaning)
        relevance = Relevance(asked, [*narrowing.begun(meant.prefixes, scope), *_called(asked, narrowing)])
        named = Named.by(question, content)
        having = narrowing.having_phrases(meant.phrases, scope)
        scores = _passing(asked, relevance.scores, named, wanted, having)
        total = len(scores)
        if meant.only_filters:
            newest_first, total = newest(content, scope, wanted, limit)
            scores = Scores(newest_first)
        links = LinkLifts(content, scores if asked.has("links") else Scores({}))
        use = UseFactor(find_uses, now) if find_uses and now and asked.has("usage") else None
        looked_at = _looked_at(wanted, now)
        ranking = Ranking(content, question, named, links.lifted(scores), read_text, now=looked_at, use=use)
        best = ranking.best(limit) if limit > 0 else []
        answer = SearchAnswer(
            hits=_hits(asked, best, relevance, links),
            total=total,
            terms=(*question.terms, *relevance.forms),
            notes=(*meant.notes, *notes_on(content, wanted)),
            relevance=relevance.best_share(scores),
            cutoff=cutoff,
            legs=("words", "meaning") if relevance.meaning is not None else ("words",),
        )
        is_question = not meant.phrases and can_be_cut(relevance.sought, relevance.found)
        is_judged = is_strict or (is_question and not relevance.is_telling(scores))
        return _held_back(answer) if is_judged else answer

    return view.read(ask)


def _called(asked: Asked, narrowing: Narrowing) -> list[Evidence]:
    """The evidence of entities that the question names, under all their names."""
    if not asked.has("aliases"):
        return []

    def having_phrase(name: str) -> Collection[int]:
        return narrowing.having_phrases([name], asked.scope) or ()

    return evidence_of_names(asked.content, asked.question, asked.scope, having_phrase)


def _looked_at(where: RecordFilter, now: datetime | None) -> datetime | None:
    """The moment for which it is told what has expired: that of the filter, if it has one."""
    valid = where.valid_micros
    return now if valid is None else moment_of(valid[0])


def _held_back(answer: SearchAnswer) -> SearchAnswer:
    """`answer` without hits where nothing is relevant; that does not depend on how many were wanted."""
    if not answer.hits or answer.relevance >= answer.cutoff:
        return answer
    if any(reason.stage in SURE_STAGES for hit in answer.hits for reason in hit.reasons):
        return answer
    closest = max(answer.hits, key=lambda hit: hit.relevance)
    held = answer.hits[:MOST_HELD]
    return replace(answer, hits=(), held_back=len(answer.hits), closest=closest, held=held)


def _passing(
    asked: Asked, scores: Scores, named: Named, where: RecordFilter, having: set[int] | None
) -> Scores:
    """The scores of what matches by words or name, or corrects such, with the fields and phrases wanted."""
    content = asked.content
    found = scores.and_also(filter(asked.scope.holds, (*named.exact, *named.ids)))
    found = found.and_also(filter(asked.scope.holds, corrections_among(content, found)))
    if having is not None:
        found = found.only(having)
    if not where.fields:
        return found
    return found.only([number for number in found if where.has_fields(content.record(number))])


def _hits(asked: Asked, best: list[Candidate], relevance: Relevance, links: LinkLifts) -> tuple[Hit, ...]:
    words = words_found(asked, relevance.evidence, [candidate.document for candidate in best])
    hits = []
    for candidate in best:
        document = candidate.document
        own = words.get(document)
        reasons = [
            Reason("words", own, added=relevance.own_score(document)) if own else None,
            *relevance.reasons(document),
            links.reason(document),
            *candidate.reasons,
        ]
        hits.append(
            Hit(
                record=candidate.record,
                score=round(candidate.score, 4),
                relevance=max(map(relevance.share, (document, *candidate.stands_for))),
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
    known = {entity for entity, _ in where.about}
    asked = [("tag", tag) for tag in where.tags]
    asked += [("entity", entity) for entity in where.entities if entity not in known]
    single = {"in": where.namespace, "agent": where.agent, "session": where.session}
    asked += [(kind, value) for kind, value in single.items() if value]
    asked += [(kind, value) for kind, value in where.also if kind in _NOTES]
    return tuple(
        dict.fromkeys(
            _NOTES[kind].format(value)
            for kind, value in asked
            if not content.having(KEYS, key(kind, value.strip("/") if kind == "in" else value))
        )
    )
