"""Answers of other branches beside that of main: the notes of who asks, what is archived or in quarantine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from gitmem.errors import Damaged
from gitmem.flows.work import Work
from gitmem.flows.working.notes import UNNAMED, folders_in
from gitmem.model.memory import MemoryType
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.flows.reading.recollection import Recalled, Recollection
    from gitmem.recall.where import Where


def notes_beside(
    work: Work, where: Where, session: str | None, *, is_all: bool
) -> tuple[dict[str, Where], list[str]]:
    """What is to be looked at on the branch of notes, by its role, and a remark where nobody can tell."""
    try:
        notes = _where_of_notes(work, where, session, is_all=is_all)
    except Damaged as error:
        return {}, [f"notes of sessions could not be looked for: {error.message}"]
    return ({} if notes is None else {"working": notes}), []


def _where_of_notes(work: Work, where: Where, session: str | None, *, is_all: bool) -> Where | None:
    """Which notes are to be looked at beside what passes `where`; None where there can be none.

    Those of the session that is asked for, else those of the `session` that asks; with `is_all` those of all.
    Who names no session has those that were written without one.
    """
    there = work.beside(work.place.config.branches["working"])
    if there is None or there.branch == work.branch or where.type not in (None, MemoryType.WORKING):
        return None
    if is_all or where.session is not None:
        return where
    if session is None and not folders_in(there.snapshot(), UNNAMED):
        # The usual case, in which nothing has to be searched.
        return None
    return replace(where, session=session or UNNAMED)


def together(
    answer: Recollection, there: Recollection, here: Snapshot, limit: int, label: str
) -> Recollection:
    """Both answers as one; where one of them has nothing relevant, the other is the answer.

    In the middle of a move a memory stands on both branches, and is one memory all the same.
    """
    from gitmem.recall.answer import MOST_HELD

    moved = [each for each in there.hits if here.blob(each.hit.record.path) != each.hit.record.blob]
    marked = [labelled(each, label) for each in moved]
    hits = sorted([*answer.hits, *marked], key=lambda each: -each.hit.score)[:limit]
    closest = [] if hits else [answer.closest, labelled(there.closest, label) if there.closest else None]
    held = [] if hits else [*answer.held, *(labelled(each, label) for each in there.held)]
    return replace(
        answer,
        hits=tuple(hits),
        total=answer.total + there.total - (len(there.hits) - len(moved)),
        terms=answer.terms or there.terms,
        notes=[
            *(note for note in answer.notes if note in (*there.notes, *answer.leg_notes)),
            *(note for note in there.leg_notes if note not in answer.leg_notes),
        ],
        unreadable=(*answer.unreadable, *there.unreadable),
        legs=tuple(leg for leg in answer.legs if leg in there.legs or there.commit is None),
        held_back=0 if hits else answer.held_back + there.held_back,
        closest=max(filter(None, closest), key=lambda each: each.hit.relevance, default=None),
        held=sorted(held, key=lambda each: -each.hit.score)[:MOST_HELD],
    )


def labelled(each: Recalled, label: str) -> Recalled:
    return replace(each, hit=replace(each.hit, labels=(label, *each.hit.labels)))
