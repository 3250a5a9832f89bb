"""The commits of tend: what is archived arrives there first, then it leaves the branches where it stood.

One commit on each branch, all with one operation id, finished by the next command where they are broken off
(`Crossing`). Main gets the summaries in the commit that takes away what they are summaries of.

Cases of a memory that was changed after the plan was made:
    before it arrived      nothing is done, and the plan is made anew
    after that             it stays where it is, and its copy is taken off the archive again
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from gitmem.errors import Conflict
from gitmem.flows.move import refuse_doubles
from gitmem.flows.tending.holders import Sought
from gitmem.flows.work import Work
from gitmem.flows.working.crossing import Leg, crossing_of
from gitmem.flows.working.undoing import TEND
from gitmem.flows.writing.apply import Applied, MakePlan, apply
from gitmem.lifecycle.plan import Step
from gitmem.model.change import Draft, FileWrite, Origin, Plan
from gitmem.model.ids import BlobId, CommitId, MemoryId
from gitmem.model.place import owner_of
from gitmem.model.visible import memories_text
from gitmem.versions.attachments import attachments_of
from gitmem.versions.history import MOVED_FROM
from gitmem.versions.snapshot import Snapshot

OPERATION = TEND
MOVED_TO = "Moved-To"


class MovedOn(Conflict):
    """What the plan was made of has changed."""


class Moving(Struct):
    """The archiving of the memories of `steps`, which were judged at the commits `planned` of their branches.

    `summaries` are written to main.
    """

    work: Work
    planned: dict[str, CommitId]
    steps: Sequence[Step]
    summaries: Sequence[Draft]
    operation_id: str
    origin: Origin
    _stayed: dict[str, set[str]] = field(default_factory=dict)
    _files: dict[str, dict[str, BlobId]] = field(default_factory=dict)
    _brought: dict[str, BlobId] = field(default_factory=dict)

    def run(self) -> dict[str, Applied]:
        """Makes the commits, by branch. Raises `MovedOn` where the plan is out of date: nothing is done."""
        archive = self._archive
        for branch, commit in self.planned.items():
            snapshot = self.work.place.snapshot(commit)
            files = [
                file
                for step in self.steps
                if step.life.branch == branch
                for file in ((step.life.path, step.life.blob), *attachments_of(snapshot, step.life.path))
            ]
            if files:
                self._files[branch] = dict(files)
        plans: dict[str, MakePlan] = {archive.branch: self._arrival}
        plans |= {branch: self._departure(branch) for branch in self._files}
        legs = [Leg(branch, self.work.place.tip(branch), self._writes_on(branch)) for branch in plans]
        crossing = crossing_of(self.work, OPERATION, self.operation_id, self._subject, legs)
        done = crossing.run(self.work, plans)
        if self.stayed:
            apply(archive.place, archive.branch, self._withdrawal, clock=self.work.clock)
        return done

    @property
    def stayed(self) -> set[str]:
        """The paths of memories that were changed while they were moved, after the run."""
        return set().union(*self._stayed.values())

    @property
    def _archive(self) -> Work:
        return self.work.on(self.work.place.config.branches["archive"])

    @property
    def _subject(self) -> str:
        return self.steps[0].life.title if len(self.steps) == 1 else memories_text(len(self.steps))

    def _ids(self, *branches: str) -> list[MemoryId]:
        return [step.life.id for step in self.steps if step.life.branch in branches]

    def _writes_on(self, branch: str) -> list[tuple[str, str | None, str | None]]:
        """What a run that was broken off has still to do on a branch; nothing is made up for on the first."""
        repository = self.work.place.repository
        news = self.summaries if branch == self.work.branch else ()
        return [
            *((path, blob, None) for path, blob in self._files.get(branch, {}).items()),
            *((draft.path, None, repository.write_blob(draft.data)) for draft in news),
        ]

    def _arrival(self, there: Snapshot) -> Plan:
        """What brings the files to the archive, made only if main still stands where it was looked at."""
        main = self.work.branch
        tip = self.work.place.repository.local_tip(main)
        for branch in self._files:
            self._check(branch)
        memories = [
            memory
            for branch, files in self._files.items()
            for path in files
            if (memory := self.work.place.snapshot(self.planned[branch]).memory(path)) is not None
        ]
        refuse_doubles(self._archive, there, memories)
        found = {path: blob for files in self._files.values() for path, blob in files.items()}
        self._brought = {path: blob for path, blob in found.items() if there.blob(path) is None}
        writes = [FileWrite(path, None, None, blob) for path, blob in self._brought.items()]
        trailers = [(MOVED_FROM, self.planned[branch]) for branch in self._files]
        return self._plan(writes, self._ids(*self._files), trailers, (main, tip))

    def _check(self, branch: str) -> None:
        """Lets go only what still is what was judged, and what nobody has come to need since."""
        here, planned = self.work.place.snapshot_of(branch), self.planned[branch]
        sought = Sought.of([step.life for step in self.steps])
        for change in here.changes_since(planned) if here.commit != planned else ():
            if change.path in self._files[branch]:
                raise MovedOn(f"{change.path} was changed just now", hint="run the command again")
            memory = here.memory(change.path) if change.new else None
            if memory is not None and sought.needed_by(memory):
                raise MovedOn(f"{change.path} came to need a memory just now", hint="run the command again")

    def _departure(self, branch: str) -> MakePlan:
        """What takes the files off a branch, made only if the archive still is what was looked at."""

        def plan(here: Snapshot) -> Plan:
            archive = self._archive
            tip = archive.place.repository.local_tip(archive.branch)
            there = archive.snapshot()
            files = self._files[branch]
            is_rehearsed = not self._has_arrived(there)
            changed = {_owner(path) for path, blob in files.items() if here.blob(path) != blob}
            self._stayed[branch] = {path for path in changed if here.blob(path) is not None}
            writes = [
                FileWrite(path, blob, None)
                for path, blob in files.items()
                if _owner(path) not in changed and (is_rehearsed or there.blob(path) is not None)
            ]
            ids = [id for id, path in self._named(branch) if path not in changed]
            if branch == self.work.branch:
                drafts = [draft for draft in self.summaries if not here.occupied(draft.path)]
                writes += [FileWrite(draft.path, None, draft.data) for draft in drafts]
                ids += [draft.id for draft in drafts]
            witness = None if is_rehearsed else (archive.branch, tip)
            return self._plan(writes, ids, [(MOVED_TO, archive.branch)], witness)

        return plan

    def _has_arrived(self, there: Snapshot) -> bool:
        return any(there.blob(path) == blob for path, blob in self._brought.items()) or not self._brought

    def _named(self, branch: str) -> list[tuple[MemoryId, str]]:
        return [(step.life.id, step.life.path) for step in self.steps if step.life.branch == branch]

    def _withdrawal(self, there: Snapshot) -> Plan:
        """Takes the copies of what stays off the archive, where this run had brought them."""
        writes = [
            FileWrite(path, blob, None)
            for path, blob in self._brought.items()
            if _owner(path) in self.stayed and there.blob(path) == blob
        ]
        ids = [step.life.id for step in self.steps if step.life.path in self.stayed]
        return Plan(OPERATION, "taken back", writes, ids, self.origin, has_stood=True)

    def _plan(
        self,
        writes: Sequence[FileWrite],
        ids: Sequence[MemoryId],
        trailers: Sequence[tuple[str, str]],
        witness: tuple[str, str | None] | None,
    ) -> Plan:
        return Plan(
            OPERATION,
            self._subject,
            writes,
            ids,
            self.origin,
            trailers,
            witness=witness,
            has_stood=True,
        )


def _owner(path: str) -> str:
    return owner_of(path) or path
