"""recall and list: the memories that answer a question, and those that pass a filter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.errors import BadInput
from gitmem.flows.reading.bounds import refuse_negative
from gitmem.flows.reading.indexed import index_view
from gitmem.flows.reading.locked import locked_notes
from gitmem.flows.reading.recollection import Listing, Recalled, Recollection
from gitmem.flows.reading.seen import seen
from gitmem.flows.reading.stale import marked_by_anchors
from gitmem.flows.reading.unreadable import unreadable_label, unreadable_notes
from gitmem.flows.reading.uses import find_reader, note_uses, uses_of
from gitmem.flows.work import Work
from gitmem.flows.working.beside import notes_beside, together
from gitmem.model.memory import Memory
from gitmem.model.usage import RECALLED
from gitmem.versions.fork_settings import is_archive_elsewhere
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.embed.meaning import Questions
    from gitmem.recall.answer import Hit
    from gitmem.recall.query import Query
    from gitmem.recall.where import Where

SNIPPET_CHARACTERS = 160
ROLE_LABELS = {"archive": "archived", "quarantine": "quarantined", "working": "working"}
"""How memories of another branch are marked."""


def recall(
    work: Work,
    text: str,
    where: Where,
    *,
    limit: int,
    archived: bool = False,
    quarantined: bool = False,
    syntax: bool = False,
    min_relevance: float | None = None,
    offset: int = 0,
    fits: Callable[[Sequence[Recalled]], int] | None = None,
    working: bool = False,
    session: str | None = None,
) -> Recollection:
    """The memories that answer `text` and pass `where`; filters apply before the cut at `limit`.

    The first `offset` of them are left out, and those behind the number that `fits` gives; what is left out
    is not used, else it would stand elsewhere on the next page. How long it took is noted beside the uses.

    With `archived`, memories of the archive branch stand among them, labelled, with `quarantined` those that
    wait on quarantine, and always the notes of the `session` that asks; with `working`, those of all. With
    `syntax`, `text` is read by the query syntax; else nothing in it is an operator. Where none reaches
    `min_relevance`, nothing is relevant; the default is the calibrated cut-off.
    """
    began = perf_counter()
    from gitmem.recall.during import resolved
    from gitmem.recall.query import Query, understood

    refuse_negative(limit=limit, offset=offset)
    if min_relevance is not None and not 0 <= min_relevance <= 1:
        raise BadInput(f"min_relevance must be from 0 to 1, not {min_relevance}", field="min_relevance")
    now, zone = work.clock.now(), work.clock.zone
    query, where = (
        understood(text, where, now, zone) if syntax else (Query.plain(text), resolved(where, now, zone))
    )
    besides = {
        role: where for role, is_wanted in (("archive", archived), ("quarantine", quarantined)) if is_wanted
    }
    notes, unseen = notes_beside(work, where, session, is_all=working)
    besides |= notes
    skipped = 0 if besides else offset
    answer = _answer(work, _Asked(query, where, offset + limit, min_relevance, skipped), besides)
    hits = answer.hits[offset - skipped :]
    hits = hits if fits is None else hits[: fits(hits)]
    answer = replace(answer, hits=hits, notes=(*answer.notes, *answer.unreadable, *unseen))
    seconds = perf_counter() - began
    note_uses(work, RECALLED, (each.hit.record.id for each in answer.hits), seconds=seconds)
    return answer


def _questions() -> Questions:
    from gitmem.embed.meaning import Questions

    return Questions()


def similar(work: Work, text: str, *, limit: int) -> list[tuple[Recalled, Memory]]:
    """The memories that answer `text` best, whatever their relevance; not counted as a use of them."""
    from gitmem.recall.where import Where

    snapshot = work.snapshot()
    answer = uncounted(work, text, Where(), snapshot, limit=limit, min_relevance=0.0)
    return [
        (each, memory)
        for each in answer.hits
        if (memory := snapshot.memory(each.hit.record.path)) is not None
    ]


def uncounted(
    work: Work, text: str, where: Where, snapshot: Snapshot, *, limit: int, min_relevance: float | None
) -> Recollection:
    """The answer of the branch as `snapshot` has it, to those who look further; not counted as a use."""
    from gitmem.recall.query import Query

    return _recall_on(work, _Asked(Query.plain(text), where, limit, min_relevance), snapshot)


class _Asked(Struct, frozen=True):
    """What is asked of each branch."""

    query: Query
    where: Where
    limit: int
    min_relevance: float | None
    skipped: int = 0
    questions: Questions = field(default_factory=_questions)


def _answer(work: Work, asked: _Asked, besides: Mapping[str, Where]) -> Recollection:
    """The answer of the branch, and of those that play a role, each with a filter of its own."""
    answer: Recollection | None = None
    if "archive" in besides and is_archive_elsewhere(work.place):
        work.notice("the archive was left behind when this was cloned, so it was not looked into")
    for role, where in besides.items():
        other = work.beside(work.place.config.branches[role])
        if other is None or other.branch == work.branch:
            continue
        if work.is_past:
            now, then = work.snapshot(), other.snapshot()
        else:
            now, then = work.place.snapshots_of(work.branch, other.branch)
        here = _recall_on(work, asked, now) if answer is None else answer
        there = _recall_on(other, replace(asked, where=where), then)
        answer = together(here, there, now, asked.limit, ROLE_LABELS[role])
    return answer or _recall_on(work, asked, work.snapshot())


def _recall_on(work: Work, asked: _Asked, snapshot: Snapshot) -> Recollection:
    from gitmem.flows.embeddings import meaning_of
    from gitmem.recall.during import period_in_words
    from gitmem.recall.search import search
    from gitmem.recall.snippet import snippet
    from gitmem.recall.weights import CUTOFF

    query, where = asked.query, asked.where
    period = None if where.period is None else period_in_words(where.period)
    cutoff = CUTOFF if asked.min_relevance is None else asked.min_relevance
    sight = seen(work)
    with index_view(work, snapshot, sight.memories, sight.gone) as view:
        if view is None:
            return Recollection(query.text, (), 0, (), query.notes, None, period, cutoff)
        leg_notes: list[str] = []
        answer = search(
            view,
            query,
            where,
            asked.limit,
            now=work.now(),
            zone=work.clock.zone,
            find_uses=reader.find if (reader := find_reader(work)) else None,
            cutoff=cutoff,
            is_strict=asked.min_relevance is not None,
            meaning=meaning_of(work, view, leg_notes.append, asked.questions),
        )

        def shown(hit: Hit) -> Recalled:
            memory = view.memory(hit.record)
            more = (*unreadable_label(memory), *sight.labels(hit.record.path))
            found = snippet(_shown_body(memory), answer.terms, SNIPPET_CHARACTERS)
            return Recalled(replace(hit, labels=(*hit.labels, *more)) if more else hit, found, memory=memory)

        hits, said = marked_by_anchors(work, tuple(map(shown, answer.hits[asked.skipped :])))
        return Recollection(
            query.text,
            hits,
            answer.total,
            answer.terms,
            (*answer.notes, *sight.notes, *said, *leg_notes),
            snapshot.commit,
            period,
            answer.cutoff,
            answer.held_back,
            shown(answer.closest) if answer.closest else None,
            tuple(map(shown, answer.held)),
            answer.legs,
            leg_notes,
            (*unreadable_notes(work, snapshot, view.unreadable()), *locked_notes(work, snapshot)),
        )


def _shown_body(memory: Memory) -> str:
    """The text without the heading that its title was taken from."""
    head, _, rest = memory.body.lstrip().partition("\n")
    return rest if rest.strip() and head.lstrip("# ").strip() == memory.title else memory.body


def list_memories(work: Work, where: Where, *, limit: int | None) -> Listing:
    """The memories that pass `where`, by the date they carry, newest first, then by path."""
    from gitmem.recall.aliases import under_all_names
    from gitmem.recall.during import resolved
    from gitmem.recall.search import notes_on

    refuse_negative(limit=limit)
    where = resolved(where, work.clock.now(), work.clock.zone)
    snapshot = work.snapshot()
    sight = seen(work)
    with index_view(work, snapshot, sight.memories, sight.gone) as view:
        if view is None:
            return Listing((), 0, (), None)
        where = view.read(partial(under_all_names, where=where))
        shown, total = view.newest(where, limit)
        notes = () if total else view.read(lambda content: notes_on(content, where))
        own = (ROLE_LABELS["quarantine"],) if work.branch == work.place.config.branches["quarantine"] else ()
        labels = {r.path: (*own, *unreadable_label(r), *sight.labels(r.path)) for r in shown}
        unread = (*unreadable_notes(work, snapshot, view.unreadable()), *locked_notes(work, snapshot))
        uses = uses_of(work, [record.id for record in shown])
        return Listing(shown, total, (*notes, *sight.notes, *unread), snapshot.commit, labels, uses)


def list_quarantined(work: Work, where: Where, *, limit: int | None) -> Listing:
    """The memories on quarantine that pass `where`, at the moment that `work` looks at."""
    there = work.beside(work.place.config.branches["quarantine"])
    return Listing((), 0, (), None) if there is None else list_memories(there, where, limit=limit)
