"""What `remember` would do: the same judgement and the same plan, and nothing moves."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.evolve.importance import Weight
from gitmem.flows.judging.drafts import Drafting
from gitmem.flows.judging.making import Made
from gitmem.flows.judging.results import title_of
from gitmem.flows.judging.verdicts import Judging
from gitmem.flows.rights.default_agent import with_default_agent
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import preview
from gitmem.flows.writing.drafting import Request, checked
from gitmem.flows.written import Judged
from gitmem.model.change import Plan
from gitmem.versions.snapshot import Snapshot


class Foreseen(Struct, frozen=True):
    """What would become of one request: `outcome`, `weight` and `judged` as in `Written`.

    `path` and `title` are those of the memory that would be written or confirmed; the id in a new path is
    made up anew when it is written.
    """

    path: str
    title: str
    branch: str
    outcome: str
    weight: Weight
    judged: Sequence[Judged] = ()


def foresee(work: Work, requests: Sequence[Request], judging: Judging) -> list[Foreseen]:
    """What `remember` would do with the requests now. Raises what it would raise of them."""
    for request in requests:
        checked(request)
    last: list[Made] = []

    def plan(snapshot: Snapshot) -> Plan:
        made = Drafting(work, snapshot).made(requests, judging, work.clock)
        last[:] = [made]
        origin = with_default_agent(work.place, requests[0].origin)
        return Plan("remember", title_of(requests[0]), made.writes, made.ids, origin)

    if requests:
        preview(work.place, work.branch, plan)
    return [_foreseen(work, made, number) for made in last for number in range(len(requests))]


def _foreseen(work: Work, made: Made, number: int) -> Foreseen:
    verdict, draft = made.verdicts[number], made.drafts[number]
    if draft is not None:
        title = title_of(verdict.request)
        return Foreseen(draft.path, title, work.branch, "new", verdict.weight, made.told[number])
    if verdict.confirms is not None:
        memory = verdict.confirms
        return Foreseen(memory.path, memory.title, work.branch, "confirmed", verdict.weight)
    assert verdict.repeats is not None, "neither new nor confirmed"
    first = _foreseen(work, made, verdict.repeats)
    return Foreseen(first.path, first.title, work.branch, "repeated", verdict.weight)
