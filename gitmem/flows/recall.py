"""recall and list: the memories that answer a question, and those that pass a filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gitmem.errors import BadInput
from gitmem.flows.edits import look
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory

if TYPE_CHECKING:
    from gitmem.index.record import Record
    from gitmem.recall.answer import Hit
    from gitmem.recall.snippet import Snippet
    from gitmem.recall.where import Where

SNIPPET_CHARACTERS = 160


@dataclass(frozen=True, slots=True)
class Recalled:
    """One hit with the place in its text that answers best."""

    hit: Hit
    snippet: Snippet


@dataclass(frozen=True, slots=True)
class Recollection:
    """The answer to a question: hits best first, how many matched in all, and what is worth saying.

    `commit` is what the answer shows; None where the branch has no commit yet. Where no memory has a
    relevance of `cutoff`, there are no hits: `held_back` says how many there would be, and `closest`
    is the most relevant of them.
    """

    query: str
    hits: Sequence[Recalled]
    total: int
    terms: Sequence[str]
    notes: Sequence[str]
    commit: CommitId | None
    cutoff: float = 0.0
    held_back: int = 0
    closest: Recalled | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The memories that pass a filter, newest first, and how many there are beyond the limit."""

    records: Sequence[Record]
    total: int
    notes: Sequence[str]
    commit: CommitId | None
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By path, how a memory is marked: an edit that is not committed."""


def recall(
    work: Work,
    query: str,
    where: Where,
    *,
    limit: int,
    archived: bool = False,
    min_relevance: float | None = None,
) -> Recollection:
    """The memories that answer `query` and pass `where`; filters apply before the cut at `limit`.

    With `archived`, memories of the archive branch stand among them, labelled. Where none reaches
    `min_relevance`, nothing is relevant; the default is the calibrated cut-off.
    """
    if min_relevance is not None and not 0 <= min_relevance <= 1:
        raise BadInput(f"min_relevance must be from 0 to 1, not {min_relevance}", field="min_relevance")
    answer = _recall_on(work, query, where, limit, min_relevance)
    archive = work.on(work.place.config.branches["archive"])
    if not archived or work.is_past or archive.branch == work.branch or archive.snapshot().commit is None:
        return answer
    return _together(answer, _recall_on(archive, query, where, limit, min_relevance), limit)


def _together(answer: Recollection, there: Recollection, limit: int) -> Recollection:
    """Both answers as one; where one of them has nothing relevant, the other is the answer."""
    hits = sorted([*answer.hits, *map(_archived, there.hits)], key=lambda each: -each.hit.score)[:limit]
    held = [] if hits else [answer.closest, _archived(there.closest) if there.closest else None]
    return replace(
        answer,
        hits=tuple(hits),
        total=answer.total + there.total,
        terms=answer.terms or there.terms,
        notes=[note for note in answer.notes if note in there.notes],
        held_back=0 if hits else answer.held_back + there.held_back,
        closest=max(filter(None, held), key=lambda each: each.hit.relevance, default=None),
    )


def _archived(each: Recalled) -> Recalled:
    return Recalled(replace(each.hit, labels=("archived", *each.hit.labels)), each.snippet)


def _recall_on(work: Work, query: str, where: Where, limit: int, min_relevance: float | None) -> Recollection:
    from gitmem.recall.search import search
    from gitmem.recall.snippet import snippet
    from gitmem.recall.weights import CUTOFF

    is_strict = min_relevance is not None
    cutoff = min_relevance if min_relevance is not None else CUTOFF
    snapshot = work.snapshot()
    sight = look(work)
    with work.index_view(snapshot, sight.memories, sight.gone) as view:
        if view is None:
            return Recollection(query, (), 0, (), (), None, cutoff)
        answer = search(view, query, where, limit, now=work.clock.now(), cutoff=cutoff, is_strict=is_strict)

        def shown(hit: Hit) -> Recalled:
            text = _shown_body(view.memory(hit.record))
            labels = (*hit.labels, *sight.labels(hit.record.path))
            return Recalled(replace(hit, labels=labels), snippet(text, answer.terms, SNIPPET_CHARACTERS))

        return Recollection(
            query,
            tuple(map(shown, answer.hits)),
            answer.total,
            answer.terms,
            (*answer.notes, *sight.notes),
            snapshot.commit,
            answer.cutoff,
            answer.held_back,
            shown(answer.closest) if answer.closest else None,
        )


def _shown_body(memory: Memory) -> str:
    """The text without the heading that its title was taken from."""
    head, _, rest = memory.body.lstrip().partition("\n")
    return rest if rest.strip() and head.lstrip("# ").strip() == memory.title else memory.body


def list_memories(work: Work, where: Where, *, limit: int | None) -> Listing:
    """The memories that pass `where`, by the date they carry, newest first, then by path."""
    from gitmem.recall.search import notes_on

    snapshot = work.snapshot()
    sight = look(work)
    with work.index_view(snapshot, sight.memories, sight.gone) as view:
        if view is None:
            return Listing((), 0, (), None)
        records = sorted(view.records(where), key=lambda record: record.path)
        records.sort(key=lambda record: record.created or "", reverse=True)
        notes = () if records else view.read(lambda content: notes_on(content, where))
        shown = records if limit is None else records[:limit]
        labels = {record.path: sight.labels(record.path) for record in shown}
        return Listing(shown, len(records), (*notes, *sight.notes), snapshot.commit, labels)
