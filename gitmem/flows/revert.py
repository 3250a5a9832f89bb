"""revert and undo: an earlier version comes back, or a whole operation is taken back, as a new commit."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from gitmem.errors import Conflict, Refused
from gitmem.flows.edit import check_expected
from gitmem.flows.moving.carriage import MOVED_TO
from gitmem.flows.moving.carry import UNDOES, Load, carry
from gitmem.flows.proposals.proposing import apply_on
from gitmem.flows.reading.locate import get_editable
from gitmem.flows.reading.versions import get_version, versions_of
from gitmem.flows.remember import Written
from gitmem.flows.rights.acting import refuse_removing_writes
from gitmem.flows.work import Work
from gitmem.flows.working.operations import NOT_UNDONE, commits_of
from gitmem.flows.working.undoing import CROSSING, inverse, undo_crossing
from gitmem.flows.writing.apply import Applied, Drafts, MakePlan, apply, new_operation_id, rehearse
from gitmem.git.repository import CommitInfo
from gitmem.model.change import FileWrite, Origin, Plan, trailers_of
from gitmem.model.ids import CommitId, MemoryId
from gitmem.model.place import owner_of
from gitmem.versions.history import MOVED_FROM
from gitmem.versions.snapshot import Snapshot


class Undone(Struct, frozen=True):
    """What `undo` took back: the operation, and the commits that did it, by branch."""

    operation_id: str
    operation: str
    subject: str
    commits: dict[str, CommitId]
    files: int
    notices: tuple[str, ...] = ()


def revert(work: Work, reference: str, version: str, *, expect: str | None, origin: Origin) -> Written:
    """Brings the text and header of an earlier version back, as a new version in the place it has now."""
    last: list[Written] = []

    def plan(snapshot: Snapshot) -> Plan:
        memory = get_editable(work, snapshot, reference)
        assert snapshot.commit is not None, "a memory was found, so there is a commit"
        versions, is_complete = versions_of(work, memory, snapshot.commit)
        current = versions[0].commit
        if expect is not None:
            check_expected(work, memory, expect, current)
        wanted = get_version(work, versions, version, is_complete=is_complete)
        data = work.place.repository.read_blob(wanted.blob)
        title = snapshot.read(memory.path, wanted.blob).title
        last[:] = [Written(memory.id, memory.path, title, current, work.branch)]
        same = wanted.blob == memory.blob
        return Plan(
            operation="revert",
            subject=title,
            writes=[] if same else [FileWrite(memory.path, memory.blob, data)],
            memory_ids=[memory.id],
            origin=origin,
            trailers=[("Reverts-To", wanted.commit)],
            has_stood=True,
        )

    applied = apply_on(work, plan)
    before = last[0]
    return Written(
        before.id,
        before.path,
        before.title,
        applied.commit or before.version,
        work.branch,
        applied.notices,
        replaced=before.version if applied.commit else None,
    )


def undo(work: Work, operation_id: str | None, *, origin: Origin) -> Undone:
    """Takes an operation back, on every branch it touched: the caller's last one, or the one named.

    Raises `NotFound` where there is none, `Conflict` naming file and commit where something later
    touched the same files; then nothing is changed.
    """
    commits = commits_of(work, operation_id, origin)
    first = next(iter(commits.values()))
    trailers = trailers_of(first.message)
    operation, found_id = trailers["Operation"][0], trailers["Operation-Id"][0]
    if operation in NOT_UNDONE:
        raise Refused(f"{operation} cannot be undone this way", hint=NOT_UNDONE[operation])
    writes = [inverse(work, work.place.snapshot_of(branch), commit) for branch, commit in commits.items()]
    if not any(writes):
        raise Refused(
            f"{operation} ({found_id}) changed no memory, so undo has nothing to take back",
            hint="'gitmem undo OPERATION' takes an earlier operation back",
        )
    ids = [MemoryId(memory_id) for memory_id in trailers.get("Memory-Id", [])]
    what = _Undoing(work, found_id, (first.message.splitlines() or [""])[0], ids, origin)
    if operation in CROSSING and len(commits) > 1:
        undone = undo_crossing(
            work, commits, operation, undone_id=found_id, subject=what.subject, ids=ids, origin=origin
        )
        return what.done(operation, undone)
    # What went comes back first, and only then leaves the other branch, so that it never stands on neither.
    went = [branch for branch, commit in commits.items() if _removes(work, commit)]
    came = [branch for branch in commits if branch not in went]
    if len(went) == 1 and not came and (there := _where_it_went(work, first)) is not None:
        came = [there]
    if len(came) == 1 and not went and (back := _where_it_came_from(work, first, operation)) is not None:
        went = [back]
    if len(went) == len(came) == 1:
        return what.done(operation, what.carried_back(commits, came[0], went[0]))
    return what.done(operation, what.applied(commits))


class _Undoing(Struct, frozen=True):
    """The taking back of one operation: its id, subject and memories."""

    work: Work
    undone_id: str
    subject: str
    ids: list[MemoryId]
    origin: Origin

    def done(self, operation: str, applied: Mapping[str, Applied]) -> Undone:
        return Undone(
            self.undone_id,
            operation,
            self.subject,
            {branch: each.commit for branch, each in applied.items() if each.commit is not None},
            sum(len(each.plan.writes) for each in applied.values()),
            tuple(notice for each in applied.values() for notice in each.notices),
        )

    def applied(self, commits: Mapping[str, CommitInfo]) -> dict[str, Applied]:
        """The inverse of each commit, in one commit on its branch; all are signed before one is published."""
        place, clock, operation_id = self.work.place, self.work.clock, new_operation_id(self.work.clock)
        plans = {branch: self._inversion(commit) for branch, commit in commits.items()}
        drafts: Drafts = {}
        if len(plans) > 1:
            for branch, plan in plans.items():
                rehearse(place, branch, plan, clock=clock, operation_id=operation_id, drafts=drafts)
        return {
            branch: apply(place, branch, plan, clock=clock, operation_id=operation_id, drafts=drafts)
            for branch, plan in plans.items()
        }

    def _inversion(self, commit: CommitInfo) -> MakePlan:
        def plan(snapshot: Snapshot) -> Plan:
            writes = inverse(self.work, snapshot, commit)
            refuse_removing_writes(self.work.place, self.work.identity, writes)
            trailers = [(UNDOES, self.undone_id), *_moved_from(self.work, commit)]
            return Plan("undo", self.subject, writes, self.ids, self.origin, trailers, has_stood=True)

        return plan

    def carried_back(
        self, commits: Mapping[str, CommitInfo], source: str, destination: str
    ) -> dict[str, Applied]:
        """The memories of a move, carried from `source` back to `destination`."""
        here, there = commits.get(source), commits.get(destination)
        place, known = self.work.place, destination if there else source
        paths = [write.path for write in inverse(self.work, place.snapshot_of(known), commits[known])]

        def guard(now_here: Snapshot, now_there: Snapshot) -> None:
            if here is not None:
                inverse(self.work, now_here, here)
            if there is not None:
                inverse(self.work, now_there, there)
            for path in paths:
                if now_there.blob(path) not in (None, now_here.blob(path)):
                    raise Conflict(
                        f"{path} stands on {destination} already, with another text",
                        hint=f"'gitmem show {path} --branch {destination}' shows it",
                    )

        load = Load(
            [path for path in paths if owner_of(path) not in paths],
            "undo",
            self.subject,
            self.ids,
            self.origin,
            [(UNDOES, self.undone_id)],
            moved_from=next(iter(there.parents), None) if there else None,
        )
        carried = carry(
            self.work.on(source),
            self.work.on(destination),
            load,
            operation_id=new_operation_id(self.work.clock),
            guard=guard,
        )
        return {destination: carried.arrived, source: carried.left}


def _where_it_went(work: Work, commit: CommitInfo) -> str | None:
    """The branch to which `commit` moved files that were there already, by another move at the same time.

    None where it is no such commit, or they do not stand there any more as they were taken off.
    """
    for branch in trailers_of(commit.message).get(MOVED_TO, []):
        if work.place.tip(branch) is not None:
            there = work.place.snapshot_of(branch)
            gone = work.place.repository.diff_trees(next(iter(commit.parents), None), commit.id)
            if all(change.old and there.blob(change.path) == change.old.oid for change in gone):
                return branch
    return None


def _where_it_came_from(work: Work, commit: CommitInfo, operation: str) -> str | None:
    """The branch that a move brought files from which another move at the same time had taken off there."""
    branches = work.place.config.branches
    sources = {"restore": branches["archive"], "approve": branches["quarantine"], "archive": work.place.main}
    return sources.get(operation) if MOVED_FROM in trailers_of(commit.message) else None


def _removes(work: Work, commit: CommitInfo) -> bool:
    """Whether the commit took files away and added none."""
    changes = work.place.repository.diff_trees(commit.parents[0] if commit.parents else None, commit.id)
    return all(change.new is None for change in changes)


def _moved_from(work: Work, commit: CommitInfo) -> list[tuple[str, str]]:
    """Where a removal took files from, so that their history is found when they come back."""
    return [("Moved-From", commit.parents[0])] if commit.parents and _removes(work, commit) else []
