"""recall and list: the memories that answer a question, and those that pass a filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gitmem.flows.edits import look
from gitmem.flows.uses import find_reader, note_uses, uses_of
from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory
from gitmem.model.usage import RECALLED, Uses
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.index.record import Record
    from gitmem.recall.answer import Hit
    from gitmem.recall.query import Query
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

    `commit` is what the answer shows; None where the branch has no commit yet. `period` is the first
    and the last day, or time, that filters let through; None for either where it is open.
    """

    query: str
    hits: Sequence[Recalled]
    total: int
    terms: Sequence[str]
    notes: Sequence[str]
    commit: CommitId | None
    period: tuple[str | None, str | None] | None = None


@dataclass(frozen=True, slots=True)
class Listing:
    """The memories that pass a filter, newest first, and how many there are beyond the limit."""

    records: Sequence[Record]
    total: int
    notes: Sequence[str]
    commit: CommitId | None
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By path, how a memory is marked: an edit that is not committed."""
    uses: Mapping[str, Uses] | None = None
    """By id, how often a memory was recalled and shown; None where that is not counted."""


def recall(
    work: Work, text: str, where: Where, *, limit: int, archived: bool = False, syntax: bool = False
) -> Recollection:
    """The memories that answer `text` and pass `where`; filters apply before the cut at `limit`.

    With `archived`, memories of the archive branch stand among them, labelled. With `syntax`, `text`
    is read by the query syntax; else nothing in it is an operator.
    """
    from gitmem.recall.during import resolved
    from gitmem.recall.query import Query, understood

    now, zone = work.clock.now(), work.clock.zone
    query, where = (
        understood(text, where, now, zone) if syntax else (Query.plain(text), resolved(where, now, zone))
    )
    answer = _answer(work, query, where, limit, archived=archived)
    note_uses(work, RECALLED, (each.hit.record.id for each in answer.hits))
    return answer


def _answer(work: Work, query: Query, where: Where, limit: int, *, archived: bool) -> Recollection:
    archive = work.beside(work.place.config.branches["archive"]) if archived else None
    if archive is None or archive.branch == work.branch:
        return _recall_on(work, query, where, limit, work.snapshot())
    if work.is_past:
        now, then = work.snapshot(), archive.snapshot()
    else:
        now, then = work.place.snapshots_of(work.branch, archive.branch)
    answer = _recall_on(work, query, where, limit, now)
    there = _recall_on(archive, query, where, limit, then)
    moved = [
        Recalled(replace(each.hit, labels=("archived", *each.hit.labels)), each.snippet)
        for each in there.hits
        # In the middle of a move it stands on both branches, and is one memory all the same.
        if now.blob(each.hit.record.path) != each.hit.record.blob
    ]
    doubles = len(there.hits) - len(moved)
    hits = tuple(sorted([*answer.hits, *moved], key=lambda each: -each.hit.score)[:limit])
    notes = [note for note in answer.notes if note in there.notes]
    return replace(
        answer,
        hits=hits,
        total=answer.total + there.total - doubles,
        terms=answer.terms or there.terms,
        notes=notes,
    )


def _recall_on(work: Work, query: Query, where: Where, limit: int, snapshot: Snapshot) -> Recollection:
    from gitmem.recall.during import period_in_words
    from gitmem.recall.search import search
    from gitmem.recall.snippet import snippet

    period = None if where.period is None else period_in_words(where.period)
    sight = look(work)
    with work.index_view(snapshot, sight.memories, sight.gone) as view:
        if view is None:
            return Recollection(query.text, (), 0, (), query.notes, None, period)
        find_uses = reader.find if (reader := find_reader(work)) else None
        now, zone = work.now(), work.clock.zone
        answer = search(view, query, where, limit, now=now, zone=zone, find_uses=find_uses)
        hits = tuple(
            Recalled(
                replace(hit, labels=(*hit.labels, *sight.labels(hit.record.path))),
                snippet(_shown_body(view.memory(hit.record)), answer.terms, SNIPPET_CHARACTERS),
            )
            for hit in answer.hits
        )
        notes = (*answer.notes, *sight.notes)
        return Recollection(query.text, hits, answer.total, answer.terms, notes, snapshot.commit, period)


def _shown_body(memory: Memory) -> str:
    """The text without the heading that its title was taken from."""
    head, _, rest = memory.body.lstrip().partition("\n")
    return rest if rest.strip() and head.lstrip("# ").strip() == memory.title else memory.body


def list_memories(work: Work, where: Where, *, limit: int | None) -> Listing:
    """The memories that pass `where`, by the date they carry, newest first, then by path."""
    from gitmem.recall.during import resolved
    from gitmem.recall.search import notes_on

    where = resolved(where, work.clock.now(), work.clock.zone)
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
        uses = uses_of(work, (record.id for record in shown))
        return Listing(shown, len(records), (*notes, *sight.notes), snapshot.commit, labels, uses)
