"""The drafts of new memories, and the headers that their coming changes, commit by commit."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.clock import Clock
from gitmem.errors import BadInput, Conflict, NotFound, Refused
from gitmem.evolve.exact import text_key
from gitmem.flows.judging.making import Made, judge
from gitmem.flows.judging.marking import Marks
from gitmem.flows.judging.verdicts import Judging
from gitmem.flows.reading.find import taken_ids
from gitmem.flows.screening.rules import Screening
from gitmem.flows.work import Work
from gitmem.flows.writing.drafting import Request, TakenIds, draft_of
from gitmem.flows.writing.given import parse_type
from gitmem.flows.writing.sealing import is_told_in_name
from gitmem.model.change import Draft
from gitmem.model.ids import id_key
from gitmem.versions.naming import Naming
from gitmem.versions.snapshot import Snapshot


class Drafting:
    """Drafts for one commit after the other: each sees the ids and paths of those before it."""

    def __init__(self, work: Work, snapshot: Snapshot) -> None:
        self._work = work
        self._snapshot = snapshot
        self._naming = Naming(snapshot)
        self._ids: set[str] = set()
        self._taken = TakenIds(snapshot)
        self._screening = Screening(work.place)
        self._texts: set[int] = set()

    def made(self, requests: Sequence[Request], judging: Judging, clock: Clock) -> Made:
        """What one commit is to hold. Raises `Conflict`, `Refused`, `NotFound`."""
        work, snapshot = self._work, self._snapshot
        marks = Marks(work)
        made = judge(work, snapshot, requests, judging, marks)
        if judging.exact:
            self._texts |= {text_key(request.text) for request in requests}
        drafts = iter(self._drafts([verdict.request for verdict in made.verdicts if verdict.is_new], clock))
        for verdict in made.verdicts:
            made.drafts.append(draft := next(drafts) if verdict.is_new else None)
            if draft is not None:
                marks.mark(verdict, draft)
            made.counts.append(marks.confirm(verdict.confirms, verdict.request) if verdict.confirms else 0)
        made.marks, made.marked = marks.writes(), marks.ids
        return made

    def holds_any(self, requests: Sequence[Request]) -> bool:
        """Whether a commit before this one, which the snapshot does not have, writes one of these texts."""
        return bool(self._texts) and any(text_key(request.text) in self._texts for request in requests)

    def _drafts(self, requests: Sequence[Request], clock: Clock) -> list[Draft]:
        work, snapshot, naming = self._work, self._snapshot, self._naming
        now = clock.now()
        self._take_ids(requests)
        drafts: list[Draft] = []
        for request in requests:
            if request.path is not None:
                _check_path(work, snapshot, naming, request.path)
            is_named = is_told_in_name(work.place, parse_type(request.type), request.namespace or "")
            draft = draft_of(request, naming, now, self._taken, self._screening.title, is_named=is_named)
            if not work.place.config.is_memory_path(draft.path):
                raise Refused(f"{draft.path!r} is excluded by the config, a file there is not a memory")
            drafts.append(draft)
        self._ids |= {id_key(draft.id) for draft in drafts}
        _check_superseded(work, snapshot, requests, self._ids)
        return drafts

    def _take_ids(self, requests: Sequence[Request]) -> None:
        """Takes the ids that requests bring along. Raises `Conflict` where one is in use or given twice."""
        ids = [request.id for request in requests if request.id is not None]
        seen = taken_ids(self._work, self._snapshot, ids) | self._ids
        for memory_id in ids:
            key = id_key(memory_id)
            if key in seen:
                raise Conflict(
                    f"--id: {memory_id!r} is in use already",
                    hint=f"'gitmem update {memory_id}' changes it, or choose another id",
                )
            seen.add(key)
            self._ids.add(key)
            self._taken.take(key)


def _check_path(work: Work, snapshot: Snapshot, naming: Naming, path: str) -> None:
    if not work.place.config.is_memory_path(path):
        raise Refused(f"--path: {path!r} is excluded, a file there is not a memory")
    if naming.is_taken(path) or snapshot.occupied(path):
        raise Conflict(f"--path: {path!r} exists already", hint="choose another path, or update that memory")


def _check_superseded(work: Work, snapshot: Snapshot, requests: Sequence[Request], new_ids: set[str]) -> None:
    named = {memory_id for request in requests for memory_id in request.supersedes}
    for request in requests:
        if request.id is not None and id_key(request.id) in map(id_key, request.supersedes):
            raise BadInput("--supersedes: a memory cannot correct itself", field="supersedes")
    known = new_ids | taken_ids(work, snapshot, named, is_seen=True)
    for memory_id in sorted(named):
        if id_key(memory_id) not in known:
            raise NotFound(f"--supersedes: no memory {memory_id!r} on {work.branch}", name=memory_id)
