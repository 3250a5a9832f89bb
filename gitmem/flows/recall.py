"""recall and list: the memories that answer a question, and those that pass a filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from gitmem.flows.edits import look
from gitmem.flows.stale import marked_by_anchors
from gitmem.flows.uses import find_reader, note_uses, uses_of
from gitmem.flows.work import Work
from gitmem.model.anchors import Verdict
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory
from gitmem.model.usage import RECALLED, Uses

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
    verdicts: Sequence[Verdict] = ()
    """What became of its anchors."""


@dataclass(frozen=True, slots=True)
class Recollection:
    """The answer to a question: hits best first, how many matched in all, and what is worth saying.

    `commit` is what the answer shows; None where the branch has no commit yet.
    """

    query: str
    hits: Sequence[Recalled]
    total: int
    terms: Sequence[str]
    notes: Sequence[str]
    commit: CommitId | None


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


def recall(work: Work, query: str, where: Where, *, limit: int, archived: bool = False) -> Recollection:
    """The memories that answer `query` and pass `where`; filters apply before the cut at `limit`.

    With `archived`, memories of the archive branch stand among them, labelled.
    """
    answer = _answer(work, query, where, limit, archived=archived)
    note_uses(work, RECALLED, (each.hit.record.id for each in answer.hits))
    return answer


def _answer(work: Work, query: str, where: Where, limit: int, *, archived: bool) -> Recollection:
    answer = _recall_on(work, query, where, limit)
    archive = work.on(work.place.config.branches["archive"])
    if not archived or work.is_past or archive.branch == work.branch or archive.snapshot().commit is None:
        return answer
    there = _recall_on(archive, query, where, limit)
    moved = [
        replace(each, hit=replace(each.hit, labels=("archived", *each.hit.labels))) for each in there.hits
    ]
    hits = tuple(sorted([*answer.hits, *moved], key=lambda each: -each.hit.score)[:limit])
    notes = [note for note in answer.notes if note in there.notes]
    return Recollection(
        query, hits, answer.total + there.total, answer.terms or there.terms, notes, answer.commit
    )


def _recall_on(work: Work, query: str, where: Where, limit: int) -> Recollection:
    from gitmem.recall.search import search
    from gitmem.recall.snippet import snippet

    snapshot = work.snapshot()
    sight = look(work)
    with work.index_view(snapshot, sight.memories, sight.gone) as view:
        if view is None:
            return Recollection(query, (), 0, (), (), None)
        find_uses = reader.find if (reader := find_reader(work)) else None
        answer = search(view, query, where, limit, now=work.clock.now(), find_uses=find_uses)
        hits = tuple(
            Recalled(
                replace(hit, labels=(*hit.labels, *sight.labels(hit.record.path))),
                snippet(_shown_body(view.memory(hit.record)), answer.terms, SNIPPET_CHARACTERS),
            )
            for hit in answer.hits
        )
        shown, said = marked_by_anchors(work, hits)
        notes = (*answer.notes, *sight.notes, *said)
        return Recollection(query, shown, answer.total, answer.terms, notes, snapshot.commit)


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
        uses = uses_of(work, (record.id for record in shown))
        return Listing(shown, len(records), (*notes, *sight.notes), snapshot.commit, labels, uses)
