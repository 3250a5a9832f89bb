"""archive and restore: memories leave one branch and appear on another, never on neither.

    1  an intent is written down under the git directory
    2  the destination gets the memories, with their attachments, in one commit: `Moved-From: SOURCE`
    3  the source loses them, in one commit that checks they are still what was copied
    4  the intent is removed

Killed after 2, they stand on both; the next command does 3. Killed before, nothing happened. The
branches share no history: each commit has only commits of its own branch as parents.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitmem.errors import BadInput, Conflict, GitmemError, NotFound
from gitmem.flows.apply import Applied, apply
from gitmem.flows.find import get_memory
from gitmem.flows.intents import Intent, intents_folder
from gitmem.flows.work import Work
from gitmem.git.faults import point
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import CommitId, MemoryId
from gitmem.model.memory import Memory
from gitmem.versions.attachments import attachments_of
from gitmem.versions.history import MOVED_FROM
from gitmem.versions.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Moved:
    """What a move did: which memories, from where to where, and the commit on either side."""

    ids: Sequence[MemoryId]
    paths: Sequence[str]
    source: str
    destination: str
    left: CommitId | None
    arrived: CommitId | None
    notices: tuple[str, ...] = ()


def archive(work: Work, references: Sequence[str], *, origin: Origin) -> Moved:
    """Takes memories off the branch and puts them on archive, in one commit on each."""
    return move(work, work.on(work.place.config.branches["archive"]), references, "archive", origin)


def restore(work: Work, references: Sequence[str], *, origin: Origin) -> Moved:
    """Brings archived memories back to the branch."""
    return move(work.on(work.place.config.branches["archive"]), work, references, "restore", origin)


def move(source: Work, destination: Work, references: Sequence[str], operation: str, origin: Origin) -> Moved:
    """Moves the memories named. Raises `NotFound` or `Ambiguous` before anything is written."""
    if not references:
        raise BadInput("no memory is named", field="id")
    if source.branch == destination.branch:
        raise BadInput(f"{source.branch} is where they are already", field="branch")
    for branch in (source.branch, destination.branch):
        # Two names of one branch: what arrived on one would be taken off both.
        source.place.repository.refuse_alias(branch)
    snapshot = source.snapshot()
    memories = _memories(source, snapshot, references, destination)
    for memory in memories:
        _refuse_double(destination, memory)
    intent = Intent.write(source, destination, operation, [memory.path for memory in memories])
    point("move.intent")
    try:
        arrived = _arrive(source, destination, intent, memories, origin)
    except GitmemError:
        intent.remove()
        raise
    point("move.arrived")
    try:
        left = _leave(source, intent, origin)
    except GitmemError:
        _withdraw(destination, intent, arrived, origin)
        intent.remove()
        raise
    point("move.left")
    intent.remove()
    return Moved(
        [memory.id for memory in memories],
        [memory.path for memory in memories],
        source.branch,
        destination.branch,
        left.commit,
        arrived.commit,
        (*arrived.notices, *left.notices),
    )


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
                    raise error from None
                raise NotFound(
                    f"{there.id} is not on {work.branch}, it is on {other.branch} already", name=reference
                ) from error
            raise
        found[memory.path] = memory
    return list(found.values())


def _refuse_double(destination: Work, memory: Memory) -> None:
    """Raises `Conflict` where another text stands on the destination, at the path or under the id."""
    there = destination.snapshot()
    at_path = there.memory(memory.path)
    for other in [*([at_path] if at_path else []), *there.named(memory.id)]:
        if (other.path, other.blob) != (memory.path, memory.blob):
            raise Conflict(
                f"{other.path} stands on {destination.branch} already, with another text than {memory.path}",
                hint=f"'gitmem show {other.path} --branch {destination.branch}' shows it; "
                "keep one of the two, then repeat the command",
            )


def _arrive(
    source: Work, destination: Work, intent: Intent, memories: Sequence[Memory], origin: Origin
) -> Applied:
    def plan(snapshot: Snapshot) -> Plan:
        here = source.snapshot()
        writes = []
        for path in _files(here, intent.paths):
            data, there = here.data(path), snapshot.blob(path)
            if there != here.blob(path):
                writes.append(FileWrite(path, there, data))
        return Plan(
            operation=intent.operation,
            subject=_subject(memories),
            writes=writes,
            memory_ids=[memory.id for memory in memories],
            origin=origin,
            trailers=[(MOVED_FROM, here.commit or "")],
        )

    return apply(
        destination.place,
        destination.branch,
        plan,
        clock=destination.clock,
        operation_id=intent.operation_id,
    )


def _leave(source: Work, intent: Intent, origin: Origin) -> Applied:
    """Removes from the source what stands on the destination with the same bytes; the rest stays."""

    def plan(snapshot: Snapshot) -> Plan:
        there = source.place.snapshot_of(intent.destination)
        paths = [
            path for path in intent.paths if snapshot.blob(path) and snapshot.blob(path) == there.blob(path)
        ]
        memories = [memory for path in paths if (memory := snapshot.memory(path))]
        writes = [
            FileWrite(path, blob, None) for path in _files(snapshot, paths) if (blob := snapshot.blob(path))
        ]
        return Plan(
            operation=intent.operation,
            subject=_subject(memories) if memories else "nothing",
            writes=writes,
            memory_ids=[memory.id for memory in memories],
            origin=origin,
            trailers=[("Moved-To", intent.destination)],
        )

    return apply(source.place, source.branch, plan, clock=source.clock, operation_id=intent.operation_id)


def _withdraw(destination: Work, intent: Intent, arrived: Applied, origin: Origin) -> None:
    """Takes back what arrived, where the source would not let go of it."""

    def plan(snapshot: Snapshot) -> Plan:
        ours = [write.path for write in arrived.plan.writes if write.old is None]
        writes = [FileWrite(path, blob, None) for path in ours if (blob := snapshot.blob(path))]
        return Plan(
            operation=intent.operation,
            subject="taken back",
            writes=writes,
            memory_ids=arrived.plan.memory_ids,
            origin=origin,
        )

    apply(destination.place, destination.branch, plan, clock=destination.clock)


def _files(snapshot: Snapshot, paths: Sequence[str]) -> list[str]:
    """The memory files and their attachments, as far as they stand in the snapshot."""
    found = [path for path in paths if snapshot.blob(path) is not None]
    return found + [attached for path in found for attached, _ in attachments_of(snapshot, path)]


def _subject(memories: Sequence[Memory]) -> str:
    return memories[0].title if len(memories) == 1 else f"{len(memories)} memories"


def unfinished_moves(work: Work) -> list[Intent]:
    """The moves whose process died between the two commits."""
    folder = intents_folder(work)
    try:
        files = [] if folder.is_symlink() or folder.parent.is_symlink() else sorted(folder.glob("*.json"))
    except OSError:
        return []
    intents = [Intent.read(file, work.place.config) for file in files]
    return [intent for intent in intents if intent and intent.is_abandoned]


def finish_moves(work: Work) -> list[str]:
    """Carries interrupted moves to their end; one sentence for each. May be repeated."""
    said = []
    for intent in unfinished_moves(work):
        try:
            left = _leave(work.on(intent.source), intent, Origin(reason="finishes an interrupted move"))
        except GitmemError as error:
            said.append(
                f"the {intent.operation} that was interrupted cannot be finished yet: {error.message}"
            )
            continue
        count = len(left.plan.memory_ids)
        if left.commit is not None:
            said.append(f"finished the {intent.operation} of {count} memories that was interrupted")
        intent.remove()
    return said
