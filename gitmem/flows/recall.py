"""recall and list: the memories that answer a question, and those that pass a filter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gitmem.flows.work import Work
from gitmem.model.ids import CommitId

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


def recall(
    work: Work, query: str, where: Where, *, limit: int, snippet_characters: int = SNIPPET_CHARACTERS
) -> Recollection:
    """The memories that answer `query` and pass `where`; filters apply before the cut at `limit`."""
    from gitmem.recall.snippet import snippet

    snapshot = work.snapshot()
    with work.index_view(snapshot) as view:
        if view is None:
            return Recollection(query, (), 0, (), (), None)
        answer = view.search(query, where, limit)
        hits = [
            Recalled(
                hit,
                snippet(
                    snapshot.read(hit.record.path, hit.record.blob).body, answer.terms, snippet_characters
                ),
            )
            for hit in answer.hits
        ]
        return Recollection(query, hits, answer.total, answer.terms, answer.notes, snapshot.commit)


def list_memories(work: Work, where: Where, *, limit: int | None) -> Listing:
    """The memories that pass `where`, by the date they carry, newest first, then by path."""
    snapshot = work.snapshot()
    with work.index_view(snapshot) as view:
        if view is None:
            return Listing((), 0, (), None)
        records = sorted(view.records(where), key=lambda record: record.path)
        records.sort(key=lambda record: record.created or "", reverse=True)
        notes = view.notes_on(where) if not records else ()
        shown = records if limit is None else records[:limit]
        return Listing(shown, len(records), notes, snapshot.commit)
