"""Writing notes: working memories go to the working branch, whichever verb writes them.

1. a note belongs to the session that its origin names, else to `unnamed`
2. it goes into the folder of that session, below its namespace, whose rules hold for it there too
3. a session that was ended takes no more notes; that is looked at as the commit is planned
4. where the session has outgrown its budget then, its oldest notes are folded into a summary

Whoever can only propose may note: nobody believes a note before it is promoted, which they cannot do. What is
not trusted at all may not, since a note that is promoted later would pass quarantine by.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from gitmem.clock import iso_seconds
from gitmem.errors import BadInput, Conflict, Refused
from gitmem.flows.found import commit_founding
from gitmem.flows.remember import Written, remember
from gitmem.flows.work import Work
from gitmem.flows.working.folding import fold_where_over
from gitmem.flows.working.notes import UNNAMED, folder_of, record_of, working_branch
from gitmem.flows.working.session import parse_session
from gitmem.flows.writing.drafting import Request, checked
from gitmem.model.memory import MemoryType
from gitmem.versions.snapshot import Snapshot


def is_note(request: Request) -> bool:
    """Whether the request is for a working memory."""
    return request.type == MemoryType.WORKING


def write_notes(work: Work, requests: Sequence[Request]) -> list[Written]:
    """Writes a note for each request, in one commit on the working branch; main does not move.

    Raises `BadInput` where other memories are among them, `Refused` on another branch than main and for who
    is not trusted, `Conflict` where a session has ended, and what `remember` raises.
    """
    for request in requests:
        # Before the folder of the session is added to it. What could not be ended takes no note.
        checked(request)
        if (request.origin.session or "").strip():
            parse_session(request.origin.session or "")
    if not all(map(is_note, requests)):
        raise BadInput(
            "type: some of these are working memories, which stand on a branch of their own",
            field="type",
            hint="remember them in two batches",
        )
    there = working_branch(work)
    if work.branch not in (work.place.main, there.branch):
        raise Refused(f"working memories stand on {there.branch}, not on {work.branch}")
    _refuse_untrusted(work, requests)
    if work.place.is_new:
        commit_founding(work.place, adopted=False, clock=work.clock)
    placed = [_placed(work, request) for request in requests]
    sessions = list(dict.fromkeys(request.origin.session or UNNAMED for request in placed))
    written = remember(there, placed, guard=lambda snapshot: _refuse_ended(snapshot, sessions))
    folded = [note for session in sessions for note in fold_where_over(there, session)]
    return [replace(written[0], notices=(*written[0].notices, *folded)), *written[1:]]


def _placed(work: Work, request: Request) -> Request:
    """The request in the folder of its session, with a moment that tells notes of one second apart."""
    session = (request.origin.session or "").strip() or UNNAMED
    namespace = request.namespace
    if request.path is None:
        namespace = "/".join(filter(None, ((namespace or "").strip("/"), folder_of(session))))
    now = work.clock.now()
    exact = f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03}Z" if now.microsecond else iso_seconds(now)
    return replace(
        request,
        namespace=namespace,
        created=request.created or exact,
        origin=replace(request.origin, session=session),
    )


def _refuse_ended(snapshot: Snapshot, sessions: Iterable[str]) -> None:
    for session in sessions:
        record = record_of(snapshot, session)
        if record is not None and record.ended is not None:
            raise Conflict(
                f"session {session} ended at {record.ended}, so nothing was noted",
                hint=f"'gitmem session start {session}' goes on with it; without a name it begins another",
            )


def _refuse_untrusted(work: Work, requests: Sequence[Request]) -> None:
    policy = work.place.config.policy
    if not policy.routes:
        return
    if policy.rules_for(work.identity).is_quarantined:
        raise Refused(f"{work.identity} is not trusted, as the policy says, and keeps no working memory")
    for request in requests:
        if policy.is_untrusted(request.origin.source):
            raise Refused(
                f"what was learned from {request.origin.source} waits on quarantine, it is no note",
                hint="remember it as another type",
            )
