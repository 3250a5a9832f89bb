"""Keeping identities apart: what a write needs the right for, and what an answer leaves out.

Reading needs nothing here: the repository of a `Place` has only what whoever acts may see, see
`versions/veil.py`. Here is what that cannot do: rights to write, the index, and verbs about the whole store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import Conflict, Refused, StoreProblem
from gitmem.model.access import Act
from gitmem.model.change import FileWrite, Plan
from gitmem.model.ids import BlobId, CommitId, id_key
from gitmem.model.memory import Memory
from gitmem.model.partition import Partition
from gitmem.model.place import owner_of
from gitmem.model.proposal import is_proposal
from gitmem.model.proposal_change import MemoryChange
from gitmem.model.reading import read_memory
from gitmem.versions.place import Place, find_place
from gitmem.versions.rights import Rights
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.flows.work import Work
    from gitmem.index.hiding import Hiding
    from gitmem.index.record import Record


def hiding_of(work: Work, commit: CommitId) -> Hiding | None:
    """What a view of the index at `commit` leaves out for whoever acts; None where nothing is."""
    from gitmem.index.hiding import Hiding

    veil, rights = work.place.veil, work.place.rights
    if veil is None or rights is None:
        return None
    paths = None if work.is_past else veil.hidden_at(commit)
    ids = frozenset() if paths is not None else veil.hidden_ids

    def hides(record: Record) -> bool:
        return not rights.may(Act.READ, record.path, record.type)

    def may_hide(path: str) -> bool:
        return rights.depends_on_type(Act.READ, path) or veil.hides_path(path)

    return Hiding((rights.reading, ids), may_hide, hides, ids, paths)


def require_sight(place: Place, what: str) -> None:
    """Raises `Refused` where whoever acts may not read all that `what` would speak of."""
    if place.rights is not None and place.rights.unreadable:
        names = ", ".join(partition.name for partition in place.rights.unreadable)
        who = place.rights.identity
        raise Refused(
            f"{what} speaks of the whole store, and {who} may not read the partition {names}",
            hint="somebody who may read everything can do it",
        )


def require_all_rights(place: Place, what: str) -> None:
    """The same where `what` also changes the whole store: whoever acts must be free to write in all of it."""
    require_sight(place, what)
    rights = place.rights
    for partition in () if rights is None else rights.partitions:
        assert rights is not None, "there is nothing to look at without"
        if not partition.access.allows(Act.WRITE, rights.identity):
            raise refusal(rights, Act.WRITE, partition)


def require_sight_at(folder: Path, what: str) -> None:
    """The same for the store at `folder`, by who acts in this process; where none opens, nobody has rules."""
    from gitmem.flows.rights.acting import acting_here

    try:
        place = find_place(folder)
    except StoreProblem:
        return
    if place.config.policy.has_access_rules:
        require_sight(place.seen_by(acting_here(place)), what)


def discreet(work: Work, notice: Callable[[str], None]) -> Callable[[str], None]:
    """`notice` for what was found while opening a store; where something is hidden, not what it is about."""
    if work.place.veil is None:
        return notice
    return lambda _: notice("gitmem finished or took back a write that was interrupted")


def refusal(rights: Rights, act: Act, partition: Partition) -> Refused:
    """That the rules of `partition` do not let the identity do this."""
    return Refused(
        f"{rights.identity} may not {act} in the partition {partition.name}",
        hint=f"partitions.{partition.name}.{act} in .gitmem/config.toml says who may",
    )


def require_right(place: Place, act: Act, memories: Iterable[Memory | None]) -> None:
    """Raises `Refused` unless whoever acts may do this to all of `memories`; None stands for none."""
    rights = place.rights
    for memory in memories if rights is not None else ():
        assert rights is not None, "there is nothing to look at without"
        barrier = None if memory is None else rights.barrier(act, memory.path, memory.type)
        if barrier is not None:
            raise refusal(rights, act, barrier)


def require_approval(place: Place, changes: Iterable[MemoryChange], files: Iterable[str]) -> None:
    """Raises `Refused` unless whoever acts may approve all of a proposal, or what is chosen of it."""
    require_right(place, Act.APPROVE, [side for change in changes for side in (change.old, change.new)])
    for path in files if place.rights is not None else ():
        assert place.rights is not None, "there is nothing to look at without"
        barrier = place.rights.barrier_of_file(Act.APPROVE, path)
        if barrier is not None:
            raise refusal(place.rights, Act.APPROVE, barrier)


def refuse_without_right(place: Place, branch: str, snapshot: Snapshot, plans: Sequence[Plan]) -> None:
    """Raises `Refused` where a plan writes what whoever acts has no right to, before or after the write.

    `snapshot` is the whole branch as it is. What waits for a person needs only the right to propose.
    """
    rights = place.rights
    if rights is None:
        return
    waits = is_proposal(branch) or branch == place.config.branches["quarantine"]
    act = Act.PROPOSE if waits and rights.doing is Act.WRITE else rights.doing
    for plan in plans:
        for partition in _barriers(place.whole, rights, act, snapshot, plan):
            raise refusal(rights, act, partition)
        _refuse_hidden_names(place, snapshot, plan)


def _barriers(whole: Place, rights: Rights, act: Act, snapshot: Snapshot, plan: Plan) -> Iterator[Partition]:
    """The partitions that forbid what `plan` writes, by where each file stands before and after."""
    new = {write.path: write for write in plan.writes}
    for write in plan.writes:
        path = owner_of(write.path) or write.path
        sides: list[Partition | None]
        if not whole.config.is_memory_path(path):
            sides = [rights.barrier_of_file(act, path)]
        elif not rights.depends_on_type(act, path):
            sides = [rights.barrier_of_some(act, path)]
        else:
            before = snapshot.memory(path)
            after = _written(whole, new[path]) if path in new else before
            sides = [rights.barrier(act, path, each.type) for each in (before, after) if each is not None]
            sides = sides or [rights.barrier_of_some(act, path)]
        yield from (barrier for barrier in sides if barrier is not None)


def _refuse_hidden_names(place: Place, snapshot: Snapshot, plan: Plan) -> None:
    """Raises `Conflict` where a new memory would take the path or id of one that its author cannot see."""
    veil = place.veil
    if veil is None:
        return
    for write in plan.writes:
        if write.old is not None or (write.data is None and write.blob is None):
            continue
        blob = snapshot.blob(write.path)
        if blob is not None or snapshot.occupied(write.path):
            raise Conflict(f"{write.path}: the path is in use already", hint="choose another path")
        if place.config.is_memory_path(write.path):
            memory = _written(place.whole, write)
            if memory is not None and id_key(memory.id) in veil.hidden_ids:
                raise Conflict(f"the id {memory.id!r} is in use already", hint="choose another id")


def _written(whole: Place, write: FileWrite) -> Memory | None:
    """The memory that a write leaves at its path."""
    if write.blob is not None:
        return whole.snapshot(None).read(write.path, write.blob)
    if write.data is None:
        return None
    return read_memory(write.path, BlobId(whole.repository.blob_id_of(write.data)), write.data)
