"""consult: before a task, the lessons and procedures that apply to it, and nothing where none does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from gitmem.errors import BadInput
from gitmem.flows.work import Work
from gitmem.model.cutting import passage
from gitmem.model.ids import CommitId
from gitmem.model.memory import MemoryType, Status

if TYPE_CHECKING:
    from gitmem.flows.reading.recollection import Recalled, Recollection

MOST_ASKED_CHARACTERS = 240
"""With so much of the beginning of a task it is asked: the cut-off is calibrated on questions."""
LEAST_WORDS = 2
LEAST_SHARE = 0.5
"""What has less than this share of the relevance of the best does not apply beside it."""


class Consulted(Struct, frozen=True):
    """What applies to `task`: `warnings` are reflective, `procedures` procedural memories, best first.

    `commit` is what the answer shows.
    """

    task: str
    warnings: Sequence[Recalled]
    procedures: Sequence[Recalled]
    notes: Sequence[str]
    commit: CommitId | None


def consult(work: Work, task: str, *, namespace: str | None = None, limit: int = 5) -> Consulted:
    """The lessons and procedures above the cut-off, at most `limit` of each. Raises `BadInput`.

    What was superseded does not apply any more.
    """
    from gitmem.flows.reading.filters import make_where
    from gitmem.flows.recall import recall

    asked = passage(task.strip(), MOST_ASKED_CHARACTERS)
    if not asked:
        raise BadInput("the task is empty, so nothing can apply to it", field="task")
    answers = [
        recall(work, asked, make_where(type=str(each), namespace=namespace), limit=limit)
        for each in (MemoryType.REFLECTIVE, MemoryType.PROCEDURAL)
    ]
    found = [[each for each in answer.hits if _applies(each, answer)] for answer in answers]
    best = max((each.hit.relevance for hits in found for each in hits), default=0.0)
    least = LEAST_SHARE * best
    warnings, procedures = ([each for each in hits if each.hit.relevance >= least] for hits in found)
    notes = dict.fromkeys(note for answer in answers for note in answer.notes)
    return Consulted(task, warnings, procedures, tuple(notes), answers[0].commit)


def _applies(each: Recalled, answer: Recollection) -> bool:
    is_over = each.hit.record.status in (Status.SUPERSEDED, Status.EXPIRED) or each.hit.superseded_by
    return not is_over and is_worth_saying(each, answer)


def is_worth_saying(each: Recalled, answer: Recollection) -> bool:
    """Whether a memory may be given unasked: recall also gives what follows a relevant one."""
    from gitmem.recall.cutoff import SURE_STAGES

    if any(reason.stage in SURE_STAGES for reason in each.hit.reasons):
        return True
    return len(answer.terms) >= LEAST_WORDS and each.hit.relevance >= answer.cutoff
