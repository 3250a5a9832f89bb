"""The end of a session: what becomes of each note, in one commit on each branch, undone as one operation.

    keep      it stays, and its time begins to run
    promote   it moves to main, as a memory of another type, under the id that it has
    archive   it moves to the archive
    summary   it moves to the archive, and an episode on main says what it and the others said: one for each
              namespace, so that whoever may not read the notes may not read that either

What is said for single notes goes before what is said for all, and that before the rules of the config.
A note that cannot be promoted, since its header is broken or the key to it is not here, is archived.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import Ambiguous, BadInput, Busy, Damaged, NotFound
from gitmem.flows.rights.default_agent import with_default_agent
from gitmem.flows.work import Work
from gitmem.flows.working.notes import UNNAMED, Session, sessions_in, text_of, working_branch
from gitmem.flows.working.session import is_in_folder_of, parse_session
from gitmem.flows.working.settling import Arrived, Decision, Settling
from gitmem.flows.writing.given import refuse_lone_texts
from gitmem.flows.writing.routing import refuse_proposing
from gitmem.model.change import Origin
from gitmem.model.header_edit import HeaderCannotChange, edit_header
from gitmem.model.ids import CommitId, MemoryId, id_key
from gitmem.model.memory import Memory, MemoryType
from gitmem.versions.snapshot import Snapshot
from gitmem.versions.working_settings import LASTING_TYPES, Fate

TURN_SECONDS = 30.0


class Ended(Struct, frozen=True):
    """What the end of a session did: where each note is now, and the commit of each branch that moved.

    `was_ended` where it had been ended before. `operation_id` is for `undo`; None where nothing was done.
    """

    session: str
    ended: str | None
    was_ended: bool
    operation_id: str | None
    promoted: Sequence[Arrived]
    summaries: Sequence[Arrived]
    archived: Sequence[Arrived]
    kept: Sequence[MemoryId]
    commits: dict[str, CommitId]
    notices: tuple[str, ...] = ()


class Wishes(Struct, frozen=True):
    """What is to become of the notes: of all of them (None: by the rules), and of single ones.

    `promoted` are ids or beginnings of ids; `becomes` is the type that promoted notes get.
    """

    then: Fate | None = None
    promoted: Sequence[str] = ()
    becomes: MemoryType | None = None


def parse_wishes(then: str | None, promoted: Sequence[str], becomes: str | None) -> Wishes:
    """What a caller wishes, in words. Raises `BadInput` naming the option."""
    refuse_lone_texts(promote=promoted)
    if then is not None and then not in tuple(Fate):
        raise BadInput(f"--then: {then!r} is none of {', '.join(Fate)}", field="then")
    if becomes is not None and becomes not in LASTING_TYPES:
        raise BadInput(f"--as: {becomes!r} is none of {', '.join(LASTING_TYPES)}", field="as")
    return Wishes(
        None if then is None else Fate(then), promoted, None if becomes is None else MemoryType(becomes)
    )


def end_session(work: Work, name: str, wishes: Wishes, *, origin: Origin) -> Ended:
    """Ends a session. May be repeated: the second time it does what is wished with the notes still there.

    Raises `BadInput` for what cannot be a name, `NotFound` for one that is not known and for a note that is
    not in it, `Refused` where something would go to main and who acts can only propose, `Busy` while another
    process ends a session, and what the commits raise; then nothing is changed.
    """
    session_name = parse_session(name)
    with work.place.turn("sessions.guard", timeout_seconds=TURN_SECONDS) as is_ours:
        if not is_ours:
            raise Busy("another process is ending a session; nothing was changed", hint="run it again")
        there = working_branch(work)
        snapshot = there.snapshot()
        session = _known(there, snapshot, session_name)
        decisions, notices = _decided(work, snapshot, session, wishes)
        if any(each.fate in (Fate.PROMOTE, Fate.SUMMARY) for each in decisions) and (
            work.place.config.policy.routes
        ):
            refuse_proposing(work, "what brings notes to main")
        said = replace(with_default_agent(work.place, origin), session=session_name)
        settling = Settling(work, there, session, decisions, said, is_ended=session_name != UNNAMED)
        settled = settling.run(snapshot)
    return Ended(
        session_name,
        settled.record.ended,
        session.record.ended is not None,
        settled.operation_id,
        settled.promoted,
        settled.summaries,
        settled.archived,
        settled.kept,
        settled.commits,
        (*notices, *settled.notices),
    )


def _known(there: Work, snapshot: Snapshot, name: str) -> Session:
    """The session. Raises `NotFound`, and `Damaged` where a note of it cannot be read."""
    found = sessions_in(snapshot)
    lost = [path for path in found.unreadable if is_in_folder_of(name, path)]
    if lost:
        raise Damaged(
            f"{lost[0]} cannot be read; nothing was changed", hint="'gitmem doctor' looks for a copy"
        )
    session = found.by_name.get(name)
    if session is None:
        going_on = [each for each in found.by_name.values() if each.ended is None]
        latest = max(going_on, key=lambda each: each.last, default=None)
        hint = f"the latest is {latest.name}" if latest else "'gitmem session start' begins one"
        raise NotFound(f"no session {name!r} on {there.branch}", name=name, hint=hint)
    return session


def _decided(
    work: Work, snapshot: Snapshot, session: Session, wishes: Wishes
) -> tuple[list[Decision], list[str]]:
    """What becomes of each note, and what is to be said of it."""
    settings = work.place.config.working
    named = {id_key(_named(session, reference).id) for reference in wishes.promoted}
    decisions, notices = [], []
    for note in session.notes:
        by_rule, becomes = settings.fate_of(note)
        fate = wishes.then or by_rule
        if id_key(note.id) in named:
            fate = Fate.PROMOTE
        becomes = wishes.becomes or (becomes if fate is by_rule else settings.promote_as)
        why_not = _why_not(snapshot, note, becomes) if fate in (Fate.PROMOTE, Fate.SUMMARY) else None
        if why_not is not None:
            notices.append(f"{note.path}: {why_not}, so it was archived as it is")
            fate = Fate.ARCHIVE
        decisions.append(Decision(note, fate, becomes))
    return decisions, notices


def _why_not(snapshot: Snapshot, note: Memory, becomes: MemoryType) -> str | None:
    """Why a note cannot be read or written anew; None where it can."""
    if note.locked_by is not None:
        return "the key to it is not here"
    try:
        edit_header(text_of(snapshot, note), {"id": note.id, "type": str(becomes)})
    except HeaderCannotChange as error:
        return f"its header cannot be changed ({error})"
    return None


def _named(session: Session, reference: str) -> Memory:
    key = id_key(reference.strip())
    exact = [note for note in session.notes if key == id_key(note.id) or reference == note.path]
    found = exact or [note for note in session.notes if len(key) >= 2 and id_key(note.id).startswith(key)]
    if not found:
        raise NotFound(f"session {session.name} has no note {reference!r}", name=reference)
    if len(found) > 1:
        raise Ambiguous(reference, [note.id for note in found])
    return found[0]
