"""remember: new memories, one or a whole batch, in one commit: all of them or none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.errors import GitmemError
from gitmem.flows.judging.drafts import Drafting
from gitmem.flows.judging.making import UNJUDGED, Made
from gitmem.flows.judging.results import title_of, written_of
from gitmem.flows.judging.verdicts import Judging
from gitmem.flows.proposals.proposing import apply_all_on
from gitmem.flows.rights.acting import told_here
from gitmem.flows.rights.default_agent import with_default_agent
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import Applied, Step, new_operation_id
from gitmem.flows.writing.drafting import Request, checked
from gitmem.flows.writing.group import Member, together
from gitmem.flows.writing.repeat import commit_of_operation, memories_written_by
from gitmem.flows.written import Written
from gitmem.model.change import Origin, Plan
from gitmem.model.ids import CommitId
from gitmem.surroundings import of_whom, operation
from gitmem.versions.snapshot import Snapshot

__all__ = ["Written", "remember"]


Guard = Callable[[Snapshot], None]
"""Raises where the branch, as it stands now, does not take a request."""


def remember(
    work: Work, requests: Sequence[Request], judging: Judging | None = None, *, guard: Guard | None = None
) -> list[Written]:
    """Writes one memory for each request, in one commit; what is known already is confirmed.

    Without `judging` nothing is compared or weighed. What other threads of this process ask for meanwhile is
    published together with it, each in a commit of its own; each caller gets its own result or refusal, as if
    one had come after the other. Only one of them works on the repository, so that threads may share a handle
    for this. `guard` is asked each time that the commit is planned.

    Raises `BadInput` naming the option, `Conflict` where an id or path is in use, `NearDuplicate` where a
    memory says the same in other words, `NotFound` where a superseded memory does not exist; then nothing is
    written.
    """
    if not requests:
        return []
    for request in requests:
        checked(request)
    operation_id, is_repeated = operation()
    asked = _Asked(
        work, requests, operation_id or new_operation_id(work.clock), is_repeated, judging or UNJUDGED, guard
    )
    # One that must begin a proposal is carried out alone: it has to see whether another began it.
    begins = asked.operation_id if work.opening and work.opening.must_begin else None
    group = (work.place.home, work.branch, work.claimed, told_here(), of_whom(), begins)
    return together(group, asked, _carry_out)


class _LaterAgain(GitmemError):
    """The same text was written just before, in the same round: it is looked at again after that."""


class _Asked(Struct):
    """What one caller asks for. `made` and `notices` are those of the last attempt."""

    work: Work
    requests: Sequence[Request]
    operation_id: str
    is_repeated: bool
    judging: Judging
    guard: Guard | None = None
    made: Made | None = None
    notices: list[str] = field(default_factory=list)

    def written(self, applied: Applied) -> list[Written]:
        """What became of the requests."""
        assert applied.commit is not None and self.made is not None, "a plan that writes makes a commit"
        notices = (*applied.notices, *self.notices)
        return written_of(self.work, self.made, applied.commit, notices)

    def step(self, work: Work, drafting: Drafting, snapshot: Snapshot, *, is_first: bool) -> Step:
        """The commit that holds the requests. Raises what refuses them."""
        if self.guard is not None:
            self.guard(snapshot)
        if drafting.holds_any(self.requests):
            raise _LaterAgain("the same text is written by somebody else just now")
        self.made = made = drafting.made(self.requests, self.judging, self.work.clock)
        writes = [*made.writes]
        if is_first and work.place.is_new and work.branch == work.place.main and snapshot.commit is None:
            from gitmem.flows.found import founding_writes

            writes += founding_writes(work.place)
        requests = [verdict.request for verdict in made.verdicts]
        written = [verdict.request for verdict in made.verdicts if verdict.is_new] or requests
        plan = Plan(
            operation="remember" if made.new else "confirm",
            subject=_subject(written),
            writes=writes,
            memory_ids=made.ids,
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
            todo = [member for member in todo if isinstance(member.error, _LaterAgain)]
            for member in todo:
                member.error = None
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
        drafting = Drafting(work, snapshot)
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
    memories, are_new = memories_written_by(work, commit)
    member.result = [
        Written(
            memory.id,
            memory.path,
            memory.title,
            CommitId(commit.id),
            work.branch,
            outcome="new" if are_new else "confirmed",
        )
        for memory in memories
    ]
    return False


def _completed(work: Work, requests: Sequence[Request]) -> tuple[list[Request], list[str]]:
    """The requests with their agents and the commits that anchors are true at, and what is worth saying."""
    done: list[Request] = []
    notices: dict[str, None] = {}
    for request in requests:
        request = replace(request, origin=with_default_agent(work.place, request.origin))
        if request.anchors:
            from gitmem.flows.writing.anchoring import noted

            found = noted(work, request.anchors)
            request = replace(request, anchors=found.anchors)
            notices.update(dict.fromkeys(found.notices))
        done.append(request)
    return done, list(notices)


def _subject(requests: Sequence[Request]) -> str:
    return title_of(requests[0]) if len(requests) == 1 else f"{len(requests)} memories"


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
