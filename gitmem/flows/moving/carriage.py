"""Carrying files from one branch to another: never on neither, and on one alone in the end.

    1  an intent is written down under the git directory
    2  arrive: the destination gets the files, with their attachments, in one commit
    3  leave: the source loses them, in one commit
    4  the intent is removed

Where commits are signed, both are made and signed before the first is published: what the signing program
refuses is known while nothing has changed.

Each of the two commits is made only if the other branch still is what it was when the commit was planned
(`Witness`): both refs are locked and compared. So two carriers in opposite directions cannot each rely on the
copy that the other takes away.

Cases of 3:
    same       the source holds the bytes that arrived: they leave it
    changed    somebody wrote to them on the source meanwhile: the copy is withdrawn, and all begins anew
    refused    the source does not let go, as for a hand edit: the copy is withdrawn, nothing was changed
    gone       somebody else took them off the source: nothing is left to do
    gone back  somebody carried them back before: they stay on the source

Killed after 2, the files stand on both branches; the next command does 3 for what is the same, and withdraws
the copy of what was changed. Killed before 2, nothing happened.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from gitmem.errors import Busy, GitmemError, OutsideFailure, SigningFailed
from gitmem.flows.moving.intent import Intent
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import Applied, Drafts, MakePlan, apply, rehearse
from gitmem.git.faults import point
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import BlobId, CommitId, MemoryId
from gitmem.model.place import owner_of
from gitmem.versions.attachments import attachments_of
from gitmem.versions.history import MOVED_FROM
from gitmem.versions.snapshot import Snapshot

MOVED_TO = "Moved-To"
UNDOES = "Undoes"
ATTEMPTS = 20
Blobs = Mapping[str, BlobId]
Guard = Callable[[Snapshot, Snapshot], None]
"""Raises where source and destination, as they are now, forbid that the files are carried."""


class Load(Struct, frozen=True):
    """The memories to be carried, by their paths, and what the commits say of them."""

    paths: Sequence[str]
    operation: str
    subject: str
    memory_ids: Sequence[MemoryId]
    origin: Origin
    trailers: Sequence[tuple[str, str]] = ()
    """Further trailers of both commits."""
    moved_from: str | None = None
    """The commit with the history of the files; that of the source where it is None."""


class Carried(Struct, frozen=True):
    """The two commits of a carriage; that of a branch which was there already is None."""

    arrived: Applied
    left: Applied
    files: int


class _Changed(Exception):
    """The source is not any more what arrived on the destination."""


class Carriage(Struct, frozen=True):
    """The steps of one carriage, each of which may be repeated."""

    source: Work
    destination: Work
    intent: Intent
    load: Load
    drafts: Drafts = field(default_factory=dict)

    def run(self, guard: Guard) -> Carried:
        for _ in range(ATTEMPTS):
            self._rehearse(guard)
            arrived, blobs = self.arrive(guard)
            point("move.arrived")
            try:
                left = self.leave(blobs)
            except _Changed:
                self._withdraw_or_give_up(_brought(arrived, blobs))
                continue
            except (GitmemError, OSError):
                self._withdraw_or_give_up(_brought(arrived, blobs))
                self.intent.remove()
                raise
            point("move.left")
            return Carried(arrived, left, len(blobs))
        raise Busy(f"{self.load.subject} kept changing on {self.source.branch}; nothing was moved")

    def arrive(self, guard: Guard) -> tuple[Applied, dict[str, BlobId]]:
        """The commit that brings the files, and what the source held then."""
        blobs: dict[str, BlobId] = {}
        return self._apply(self.destination, self._arrival(guard, blobs)), blobs

    def leave(self, blobs: Blobs, *, is_broken_off: bool = False) -> Applied:
        """Takes what arrived off the source. Raises `_Changed` where it holds something else by now.

        Where the carriage was broken off, what was changed stays, and the rest goes.
        """
        return self._apply(self.source, self._departure(blobs, is_broken_off=is_broken_off))

    def _rehearse(self, guard: Guard) -> None:
        blobs: dict[str, BlobId] = {}
        self._draft(self.destination, self._arrival(guard, blobs))
        with contextlib.suppress(_Changed):
            self._draft(self.source, self._departure(blobs, is_rehearsed=True))

    def _arrival(self, guard: Guard, blobs: dict[str, BlobId]) -> MakePlan:
        """What brings the files; `blobs` gets what the source holds."""

        def plan(snapshot: Snapshot) -> Plan:
            witness, here = self._witness(self.source)
            guard(here, snapshot)
            blobs.clear()
            blobs.update(blobs_of(here, self.load.paths))
            writes = [
                FileWrite(path, there, None, blob, is_executable=here.is_executable(path))
                for path, blob in blobs.items()
                if (there := snapshot.blob(path)) != blob
            ]
            for write in writes:
                # What cannot be read is not moved.
                here.data(write.path)
            moved_from = self.load.moved_from or here.commit or ""
            return self._plan(writes, (MOVED_FROM, moved_from), self.load.memory_ids, witness)

        return plan

    def _departure(
        self, blobs: Blobs, *, is_broken_off: bool = False, is_rehearsed: bool = False
    ) -> MakePlan:
        """What takes the files off the source. In a rehearsal they have not arrived, but will have."""

        def plan(snapshot: Snapshot) -> Plan:
            witness, there = self._witness(self.destination)
            here = blobs_of(snapshot, self.load.paths)
            changed = {_owner(path) for path, blob in here.items() if blobs.get(path) != blob}
            if changed and not is_broken_off:
                raise _Changed
            writes = [
                FileWrite(path, blob, None)
                for path, blob in here.items()
                if _owner(path) not in changed and (is_rehearsed or there.blob(path) is not None)
            ]
            gone = [memory for write in writes if (memory := snapshot.memory(write.path))]
            ids = [memory.id for memory in gone if memory.path in self.load.paths]
            return self._plan(writes, (MOVED_TO, self.destination.branch), ids, witness)

        return plan

    def withdraw(self, brought: Blobs) -> Applied:
        """Takes back what was brought, where it still is that and the source has it, changed or not."""

        def plan(snapshot: Snapshot) -> Plan:
            witness, here = self._witness(self.source)
            kept = {path for path in self.load.paths if here.blob(path) is not None}
            writes = [
                FileWrite(path, blob, None)
                for path, blob in brought.items()
                if _owner(path) in kept and snapshot.blob(path) == blob
            ]
            return Plan(
                operation=self.load.operation,
                subject="taken back",
                writes=writes,
                memory_ids=[m.id for w in writes if w.path in kept and (m := snapshot.memory(w.path))],
                origin=self.load.origin,
                trailers=[(UNDOES, self.intent.operation_id)],
                witness=witness,
            )

        destination = self.destination
        return apply(destination.place, destination.branch, plan, clock=destination.clock)

    def _withdraw_or_give_up(self, brought: Blobs) -> None:
        try:
            self.withdraw(brought)
        except (GitmemError, OSError) as error:
            needed = "sign" if isinstance(error, SigningFailed) else "write"
            raise OutsideFailure(
                f"{self.load.operation}: {self.load.subject} stands on {self.source.branch} and on "
                f"{self.destination.branch}, and neither lets go of it: {error}",
                hint=f"the next gitmem command that can {needed} finishes it; "
                "'gitmem doctor' says what is in the way",
            ) from error

    def _witness(self, other: Work) -> tuple[tuple[str, str | None], Snapshot]:
        """The other branch as it stands now, and what must be true of it when the commit is made."""
        # First the ref, then what is read of it: a later state of the snapshot is caught by the comparison.
        tip = other.place.repository.local_tip(other.branch)
        return (other.branch, tip), other.place.snapshot(CommitId(tip)) if tip else other.snapshot()

    def _plan(
        self,
        writes: Sequence[FileWrite],
        trailer: tuple[str, str],
        memory_ids: Sequence[MemoryId],
        witness: tuple[str, str | None],
    ) -> Plan:
        count = len(memory_ids)
        return Plan(
            operation=self.load.operation,
            subject=self.load.subject or f"{count} memories",
            writes=writes,
            memory_ids=memory_ids,
            origin=self.load.origin,
            trailers=[*self.load.trailers, trailer],
            witness=witness,
            has_stood=True,
        )

    def _draft(self, work: Work, plan: MakePlan) -> None:
        operation_id = self.intent.operation_id
        rehearse(
            work.place, work.branch, plan, clock=work.clock, operation_id=operation_id, drafts=self.drafts
        )

    def _apply(self, work: Work, plan: MakePlan) -> Applied:
        operation_id = self.intent.operation_id
        return apply(
            work.place, work.branch, plan, clock=work.clock, operation_id=operation_id, drafts=self.drafts
        )


def _brought(arrived: Applied, blobs: Blobs) -> Blobs:
    """What of `blobs` was not on the destination before."""
    return {write.path: blobs[write.path] for write in arrived.plan.writes if write.old is None}


def blobs_of(snapshot: Snapshot, paths: Sequence[str]) -> dict[str, BlobId]:
    """The memory files and their attachments, as far as they stand in the snapshot."""
    found = {path: blob for path in paths if (blob := snapshot.blob(path)) is not None}
    return found | {attached: blob for path in found for attached, blob in attachments_of(snapshot, path)}


def _owner(path: str) -> str:
    """The memory that the file at `path` is, or is attached to."""
    return owner_of(path) or path
