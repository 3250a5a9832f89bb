"""remember: new memories, one or a whole batch, in one commit: all of them or none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from gitmem.clock import Clock
from gitmem.errors import Conflict, GitmemError, NotFound, Refused
from gitmem.flows.found import founding_writes
from gitmem.flows.proposals.proposing import apply_all_on
from gitmem.flows.reading.find import taken_ids
from gitmem.flows.rights.acting import told_here
from gitmem.flows.rights.default_agent import with_default_agent
from gitmem.flows.screening.rules import Screening
from gitmem.flows.work import Work
from gitmem.flows.writing.anchoring import Noted, noted
from gitmem.flows.writing.apply import Applied, Step, new_operation_id
from gitmem.flows.writing.drafting import Request, TakenIds, checked, draft_of
from gitmem.flows.writing.given import parse_type
from gitmem.flows.writing.group import Member, together
from gitmem.flows.writing.repeat import commit_of_operation, memories_added_by
from gitmem.flows.writing.sealing import is_told_in_name
from gitmem.model.change import Draft, FileWrite, Origin, Plan
from gitmem.model.ids import CommitId, MemoryId, id_key
from gitmem.model.reading import derived_title
from gitmem.surroundings import of_whom, operation
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

    What other threads of this process ask for meanwhile is published together with it, each in a commit of
    its own; each caller gets its own result or refusal, as if one had come after the other. Only one of them
    works on the repository, so that threads may share a handle for this.

    Raises `BadInput` naming the option, `Conflict` where an id or path is in use, `NotFound`
    where a superseded memory does not exist; then nothing is written.
    """
    if not requests:
        return []
    for request in requests:
        checked(request)
    operation_id, is_repeated = operation()
    asked = _Asked(work, requests, operation_id or new_operation_id(work.clock), is_repeated)
    # One that must begin a proposal is carried out alone: it has to see whether another began it.
    begins = asked.operation_id if work.opening and work.opening.must_begin else None
    group = (work.place.home, work.branch, work.claimed, told_here(), of_whom(), begins)
    return together(group, asked, _carry_out)


@dataclass(slots=True)
class _Asked:
    """What one caller asks for. `drafts` and `notices` are those of the last attempt."""

    work: Work
    requests: Sequence[Request]
    operation_id: str
    is_repeated: bool
    drafts: list[Draft] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)

    def written(self, applied: Applied) -> list[Written]:
        """What became of the requests."""
        assert applied.commit is not None, "a plan with drafts always makes a commit"
        screening = Screening(self.work.place)
        return [
            Written(
                draft.id,
                draft.path,
                screening.title(_title(request), draft.path),
                applied.commit,
                self.work.branch,
                (*applied.notices, *self.notices) if number == 0 else (),
            )
            for number, (draft, request) in enumerate(zip(self.drafts, self.requests, strict=True))
        ]

    def step(self, work: Work, drafting: _Drafting, snapshot: Snapshot, *, is_first: bool) -> Step:
        """The commit that holds the requests. Raises what refuses them."""
        requests = self.requests
        self.drafts = drafting.drafts(requests, self.work.clock)
        writes = [FileWrite(draft.path, None, draft.data) for draft in self.drafts]
        if is_first and work.place.is_new and work.branch == work.place.main and snapshot.commit is None:
            writes += founding_writes(work.place)
        plan = Plan(
            operation="remember",
            subject=_subject(requests),
            writes=writes,
            memory_ids=[draft.id for draft in self.drafts],
            origin=requests[0].origin if len(requests) == 1 else _shared_origin(requests),
        )
        return Step(plan, self.operation_id, self.work.clock)


_Member = Member[_Asked, list[Written]]


def _carry_out(members: Sequence[_Member]) -> None:
    """Writes what the members ask for; where that fails for all, each by itself."""
    work = members[0].asked.work
    todo = [member for member in members if _is_to_do(work, member)]
    if len(todo) > 1:
        try:
            _write(work, todo)
            return
        except GitmemError:
            # Nothing was written. Who is to blame shows when each goes alone.
            for member in todo:
                member.error = None
    for member in todo:
        try:
            _write(work, [member])
        except GitmemError as error:
            member.error = error


def _write(work: Work, members: Sequence[_Member]) -> None:
    """Publishes a commit for each member that is not refused. Raises what refuses all of them."""
    accepted: list[_Member] = []

    def steps(snapshot: Snapshot) -> list[Step]:
        accepted[:], made = _accepted(work, snapshot, members)
        return made

    for member, applied in zip(accepted, apply_all_on(work, steps), strict=True):
        member.result = member.asked.written(applied)


def _accepted(work: Work, snapshot: Snapshot, members: Sequence[_Member]) -> tuple[list[_Member], list[Step]]:
    """The members whose requests can be carried out in this order, and the commits; the others are told.

    Raises the refusal of a member that is alone.
    """
    accepted = list(members)
    while True:
        drafting = _Drafting(work, snapshot)
        steps: list[Step] = []
        for member in accepted:
            member.error = None
            try:
                steps.append(member.asked.step(work, drafting, snapshot, is_first=not steps))
            except GitmemError as error:
                if len(members) == 1:
                    raise
                member.error = error
                break
        else:
            return accepted, steps
        # The names that it had taken are free again.
        refused = accepted.index(member)
        accepted = [*accepted[:refused], *accepted[refused + 1 :]]


def _is_to_do(work: Work, member: _Member) -> bool:
    """Whether the request still has to be carried out: not if it is refused, or was done before."""
    asked = member.asked
    is_doubtful = asked.is_repeated or member.is_doubtful
    commit = commit_of_operation(work, asked.operation_id) if is_doubtful else None
    if commit is None:
        try:
            asked.requests, asked.notices = _completed(work, asked.requests)
        except GitmemError as error:
            member.error = error
        return member.error is None
    member.result = [
        Written(memory.id, memory.path, memory.title, CommitId(commit.id), work.branch)
        for memory in memories_added_by(work, commit)
    ]
    return False


def _completed(work: Work, requests: Sequence[Request]) -> tuple[list[Request], list[str]]:
    """The requests with their agents and the commits that anchors are true at, and what is worth saying."""
    done: list[Request] = []
    notices: dict[str, None] = {}
    for request in requests:
        found = noted(work, request.anchors) if request.anchors else Noted(())
        origin = with_default_agent(work.place, request.origin)
        done.append(replace(request, anchors=found.anchors, origin=origin))
        notices.update(dict.fromkeys(found.notices))
    return done, list(notices)


class _Drafting:
    """Drafts for one commit after the other: each sees the ids and paths of those before it."""

    def __init__(self, work: Work, snapshot: Snapshot) -> None:
        self._work = work
        self._snapshot = snapshot
        self._naming = Naming(snapshot)
        self._ids: set[str] = set()
        self._taken = TakenIds(snapshot)
        self._screening = Screening(work.place)

    def drafts(self, requests: Sequence[Request], clock: Clock) -> list[Draft]:
        """The drafts of one commit. Raises `Conflict`, `Refused`, `NotFound`."""
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
    known = new_ids | taken_ids(work, snapshot, named, is_seen=True)
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
