"""archive, restore, approve: memories leave one branch and appear on another, never on neither (`carry`)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.errors import BadInput, Conflict, NotFound
from gitmem.flows.moving.carry import Load, carry
from gitmem.flows.proposals.proposing import apply_on
from gitmem.flows.reading.find import get_memory, memories_with
from gitmem.flows.reading.locate import get_editable
from gitmem.flows.rights.acting import require_reviewer
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import new_operation_id
from gitmem.flows.writing.given import refuse_lone_texts
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import CommitId, MemoryId, id_key
from gitmem.model.memory import Memory
from gitmem.model.proposal import REVIEWED_BY, is_proposal
from gitmem.versions.attachments import attachments_of
from gitmem.versions.snapshot import Snapshot


class Moved(Struct, frozen=True):
    """What a move did: which memories, from where to where, and the commit on either side."""

    ids: Sequence[MemoryId]
    paths: Sequence[str]
    source: str
    destination: str
    left: CommitId | None
    arrived: CommitId | None
    notices: tuple[str, ...] = ()


def archive(work: Work, references: Sequence[str], *, origin: Origin) -> Moved:
    """Takes memories off the branch and puts them on archive, in one commit on each.

    On a proposal they are only taken off: they are archived when it is accepted.
    """
    if is_proposal(work.branch):
        return take_off(work, references, origin)
    return move(work, work.on(work.place.config.branches["archive"]), references, "archive", origin)


def restore(work: Work, references: Sequence[str], *, origin: Origin) -> Moved:
    """Brings archived memories back to the branch."""
    return move(work.on(work.place.config.branches["archive"]), work, references, "restore", origin)


def approve(work: Work, references: Sequence[str], *, origin: Origin) -> Moved:
    """Brings memories from quarantine to the branch. Raises `Refused` for an agent."""
    reviewer = require_reviewer(work.place, work.identity, "approve")
    work = work.as_approver
    quarantine = work.on(work.place.config.branches["quarantine"])
    return move(quarantine, work, references, "approve", origin, [(REVIEWED_BY, reviewer)])


def move(
    source: Work,
    destination: Work,
    references: Sequence[str],
    operation: str,
    origin: Origin,
    trailers: Sequence[tuple[str, str]] = (),
) -> Moved:
    """Moves the memories named; `trailers` are further ones of both commits.

    Raises `NotFound` or `Ambiguous` before anything is written.
    """
    refuse_lone_texts(references=references)
    if not references:
        raise BadInput("no memory is named", field="id")
    if source.branch == destination.branch:
        raise BadInput(f"{source.branch} is where they are already", field="branch")
    for branch in (source.branch, destination.branch):
        # Two names of one branch: what arrived on one would be taken off both.
        source.place.repository.refuse_alias(branch)
    snapshot = source.snapshot()
    memories = _memories(source, snapshot, references, destination)

    def guard(here: Snapshot, there: Snapshot) -> None:
        refuse_doubles(destination, there, [_still_here(source, here, memory) for memory in memories])

    load = Load(
        [memory.path for memory in memories],
        operation,
        memories[0].title if len(memories) == 1 else f"{len(memories)} memories",
        [memory.id for memory in memories],
        origin,
        trailers,
    )
    done = carry(source, destination, load, operation_id=new_operation_id(source.clock), guard=guard)
    return Moved(
        [memory.id for memory in memories],
        [memory.path for memory in memories],
        source.branch,
        destination.branch,
        done.left.commit,
        done.arrived.commit,
        (*done.arrived.notices, *done.left.notices),
    )


def take_off(work: Work, references: Sequence[str], origin: Origin) -> Moved:
    """Takes memories off the proposal that `work` stands on; where they go to is done when it is accepted."""
    found: dict[str, Memory] = {}

    def plan(snapshot: Snapshot) -> Plan:
        memories = [get_memory(work, snapshot, reference) for reference in references]
        found.clear()
        found.update({memory.path: memory for memory in memories})
        files = [
            file for path in found for file in (path, *(each for each, _ in attachments_of(snapshot, path)))
        ]
        title = memories[0].title if len(found) == 1 else f"{len(found)} memories"
        ids = [memory.id for memory in found.values()]
        return Plan(
            "archive", title, [FileWrite(file, snapshot.blob(file), None) for file in files], ids, origin
        )

    refuse_lone_texts(references=references)
    if not references:
        raise BadInput("no memory is named", field="id")
    applied = apply_on(work, plan)
    ids = [memory.id for memory in found.values()]
    archive = work.place.config.branches["archive"]
    return Moved(ids, list(found), work.branch, archive, applied.commit, None, applied.notices)


def _memories(work: Work, snapshot: Snapshot, references: Sequence[str], other: Work) -> list[Memory]:
    found: dict[str, Memory] = {}
    for reference in references:
        try:
            memory = get_memory(work, snapshot, reference)
        except NotFound as error:
            if other.place.tip(other.branch) is not None:
                try:
                    there = get_memory(other, other.snapshot(), reference)
                except NotFound:
                    _tell_of_note(work, snapshot, reference)
                    raise error from None
                raise NotFound(
                    f"{there.id} is not on {work.branch}, it is on {other.branch} already", name=reference
                ) from error
            _tell_of_note(work, snapshot, reference)
            raise
        found[memory.path] = memory
    return list(found.values())


def _tell_of_note(work: Work, snapshot: Snapshot, reference: str) -> None:
    """Raises `NotFound` with the way to it, where what is not on main is a note of a session."""
    if work.branch == work.place.main:
        get_editable(work, snapshot, reference)


def _still_here(source: Work, here: Snapshot, memory: Memory) -> Memory:
    """The memory as it is by now. Raises `Conflict` where somebody took it away since it was looked up."""
    now = here.memory(memory.path)
    if now is None or id_key(now.id) != id_key(memory.id):
        raise Conflict(
            f"{memory.path} was moved or removed on {source.branch} just now", hint="run the command again"
        )
    return now


def refuse_doubles(destination: Work, there: Snapshot, memories: Sequence[Memory]) -> None:
    """Raises `Conflict` where the path or the id is taken on the destination, unless by the same file."""
    named = memories_with(destination, there, {id_key(memory.id) for memory in memories})
    for memory in memories:
        at_path = there.memory(memory.path)
        for other in [*([at_path] if at_path else []), *named.get(id_key(memory.id), [])]:
            if (other.path, other.blob) == (memory.path, memory.blob):
                continue
            if other.blob == memory.blob:
                raise Conflict(
                    f"{other.path} stands on {destination.branch} already, "
                    f"with the same text and id as {memory.path}",
                    hint=f"'git mv {memory.path} {other.path}', commit, then repeat the command",
                )
            raise Conflict(
                f"{other.path} stands on {destination.branch} already, with another text than {memory.path}",
                hint=f"'gitmem show {other.path} --branch {destination.branch}' shows it; "
                "keep one of the two, then repeat the command",
            )
