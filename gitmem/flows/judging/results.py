"""What became of the requests of one commit, as they are answered."""

from __future__ import annotations

from msgspec.structs import replace

from gitmem.flows.judging.making import Made
from gitmem.flows.screening.rules import Screening
from gitmem.flows.work import Work
from gitmem.flows.writing.drafting import Request
from gitmem.flows.written import Written
from gitmem.model.ids import CommitId
from gitmem.model.reading import derived_title


def written_of(work: Work, made: Made, commit: CommitId, notices: tuple[str, ...]) -> list[Written]:
    """What became of each request, in the commit that holds them."""
    screening = Screening(work.place)
    results: list[Written] = []
    told = [*notices, *(each.message for judged in made.told for each in judged)]
    for verdict, draft, count, judged in zip(made.verdicts, made.drafts, made.counts, made.told, strict=True):
        if draft is not None:
            title = screening.title(title_of(verdict.request), draft.path)
            written = Written(draft.id, draft.path, title, commit, work.branch)
            written = replace(written, weight=verdict.weight, judged=tuple(judged))
        elif verdict.confirms is not None:
            memory = verdict.confirms
            written = Written(memory.id, memory.path, memory.title, commit, work.branch)
            written = replace(written, outcome="confirmed", confirmed=count)
        else:
            assert verdict.repeats is not None, "neither new nor confirmed"
            written = replace(results[verdict.repeats], outcome="repeated")
        results.append(written)
    return [replace(results[0], notices=tuple(told)), *results[1:]]


def title_of(request: Request) -> str:
    """The title that a memory of this request has."""
    given = request.title if request.title and request.title.strip() else None
    return given or derived_title(request.text) or "untitled"
