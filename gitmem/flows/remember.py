"""remember: new memories, one or a whole batch, in one commit: all of them or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gitmem.errors import Conflict, NotFound, Refused
from gitmem.flows.anchoring import Noted, noted
from gitmem.flows.drafting import Request, TakenIds, checked, draft_of
from gitmem.flows.find import taken_ids
from gitmem.flows.found import founding_writes
from gitmem.flows.proposing import apply_on
from gitmem.flows.work import Work
from gitmem.model.change import Draft, FileWrite, Origin, Plan
from gitmem.model.ids import CommitId, MemoryId, id_key
from gitmem.model.reading import derived_title
from gitmem.versions.naming import Naming
from gitmem.versions.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Written:
    """A memory as a write left it: `version` is the commit that holds it, for `--expect`."""

    id: MemoryId
    path: str
    title: str
    version: CommitId
    branch: str
    notices: tuple[str, ...] = ()
    replaced: CommitId | None = None
    """The version that this write replaced; None where there was none, or nothing changed."""


def remember(work: Work, requests: Sequence[Request]) -> list[Written]:
    """Writes one memory for each request, in one commit.

    Raises `BadInput` naming the option, `Conflict` where an id or path is in use, `NotFound`
    where a superseded memory does not exist; then nothing is written.
    """
    if not requests:
        return []
    for request in requests:
        checked(request)
    requests, notices = _anchored(work, requests)
    drafts: list[Draft] = []

    def plan(snapshot: Snapshot) -> Plan:
        drafts[:] = _drafts(work, snapshot, requests)
        writes = [FileWrite(draft.path, None, draft.data) for draft in drafts]
        if work.place.is_new and work.branch == work.place.main and snapshot.commit is None:
            writes += founding_writes(work.place)
        return Plan(
            operation="remember",
            subject=_subject(requests),
            writes=writes,
            memory_ids=[draft.id for draft in drafts],
            origin=requests[0].origin if len(requests) == 1 else _shared_origin(requests),
        )

    applied = apply_on(work, plan)
    assert applied.commit is not None, "a plan with drafts always makes a commit"
    return [
        Written(
            draft.id,
            draft.path,
            _title(request),
            applied.commit,
            work.branch,
            (*applied.notices, *notices) if number == 0 else (),
        )
        for number, (draft, request) in enumerate(zip(drafts, requests, strict=True))
    ]


def _anchored(work: Work, requests: Sequence[Request]) -> tuple[list[Request], list[str]]:
    """The requests with the commits that their anchors are true at, and what is worth saying of them."""
    done: list[Request] = []
    notices: dict[str, None] = {}
    for request in requests:
        found = noted(work, request.anchors) if request.anchors else Noted(())
        done.append(replace(request, anchors=found.anchors))
        notices.update(dict.fromkeys(found.notices))
    return done, list(notices)


def _drafts(work: Work, snapshot: Snapshot, requests: Sequence[Request]) -> list[Draft]:
    now = work.clock.now()
    naming = Naming(snapshot)
    taken = TakenIds(snapshot, _given_ids(work, snapshot, requests))
    drafts: list[Draft] = []
    for request in requests:
        if request.path is not None:
            _check_path(work, snapshot, naming, request.path)
        draft = draft_of(request, naming, now, taken)
        if not work.place.config.is_memory_path(draft.path):
            raise Refused(f"{draft.path!r} is excluded by the config, a file there is not a memory")
        drafts.append(draft)
    _check_superseded(work, snapshot, requests, {id_key(draft.id) for draft in drafts})
    return drafts


def _given_ids(work: Work, snapshot: Snapshot, requests: Sequence[Request]) -> set[str]:
    """The ids that the requests bring along. Raises `Conflict` where one is in use or given twice."""
    ids = [request.id for request in requests if request.id is not None]
    seen = taken_ids(work, snapshot, ids)
    for memory_id in ids:
        if id_key(memory_id) in seen:
            raise Conflict(
                f"--id: {memory_id!r} is in use already",
                hint=f"'gitmem update {memory_id}' changes it, or choose another id",
            )
        seen.add(id_key(memory_id))
    return {id_key(memory_id) for memory_id in ids}


def _check_path(work: Work, snapshot: Snapshot, naming: Naming, path: str) -> None:
    if not work.place.config.is_memory_path(path):
        raise Refused(f"--path: {path!r} is excluded, a file there is not a memory")
    if naming.is_taken(path) or snapshot.occupied(path):
        raise Conflict(f"--path: {path!r} exists already", hint="choose another path, or update that memory")


def _check_superseded(work: Work, snapshot: Snapshot, requests: Sequence[Request], new_ids: set[str]) -> None:
    named = {memory_id for request in requests for memory_id in request.supersedes}
    known = new_ids | taken_ids(work, snapshot, named)
    for memory_id in sorted(named):
        if id_key(memory_id) not in known:
            raise NotFound(f"--supersedes: no memory {memory_id!r} on {work.branch}", name=memory_id)


def _title(request: Request) -> str:
    given = request.title if request.title and request.title.strip() else None
    return given or derived_title(request.text) or "untitled"


def _subject(requests: Sequence[Request]) -> str:
    return _title(requests[0]) if len(requests) == 1 else f"{len(requests)} memories"


def _shared_origin(requests: Sequence[Request]) -> Origin:
    """What all requests of a batch have in common."""

    def common(values: set[str | None]) -> str | None:
        return values.pop() if len(values) == 1 else None

    return Origin(
        agent=common({request.origin.agent for request in requests}),
        session=common({request.origin.session for request in requests}),
        source=common({request.origin.source for request in requests}),
        reason=common({request.origin.reason for request in requests}),
    )
