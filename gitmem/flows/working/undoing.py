"""The end of a session taken back: its notes come back first, and leave main and archive then.

As one operation, finished by the next command where it dies on the way. What is on main of it goes only where
nobody changed it since. An agent may do this: no memory is gone by it, since each note stands where it stood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.errors import Conflict, Refused
from gitmem.flows.moving.carriage import UNDOES
from gitmem.flows.rights.acting import refuse_removal
from gitmem.flows.work import Work
from gitmem.flows.working.crossing import Leg, crossing_of
from gitmem.flows.working.notes import FOLDED
from gitmem.flows.writing.apply import Applied, MakePlan, new_operation_id
from gitmem.git.modes import EXECUTABLE_MODE, REGULAR_MODES
from gitmem.git.repository import CommitInfo
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import BlobId, MemoryId
from gitmem.versions.history import MOVED_FROM
from gitmem.versions.snapshot import Snapshot

SESSION_END, TEND = "session-end", "tend"
CROSSING = frozenset({SESSION_END, TEND})
"""Operations that write to several branches at once, and are taken back so."""
Blobs = list[tuple[str, str | None, str | None]]


def undo_crossing(
    work: Work,
    commits: Mapping[str, CommitInfo],
    operation: str,
    *,
    undone_id: str,
    subject: str,
    ids: Sequence[MemoryId],
    origin: Origin,
) -> dict[str, Applied]:
    """Takes the `commits` of an operation that crossed branches back, each in one commit on its branch.

    What left a branch for the archive comes back there first, and only then leaves the others.

    The caller has looked whether something later touched their files; it is looked at again as each commit
    is made, and `Conflict` raised where it did.
    """
    writes = {branch: _blobs(work, commit) for branch, commit in commits.items()}
    # A summary says nothing that the notes do not say, which come back.
    gone = [path for blobs in writes.values() for path, now, new in blobs if new is None]
    gone = [path for path in gone if not _is_summary(work, writes, path)]
    back = [path for blobs in writes.values() for path, now, _ in blobs if now is None]
    refuse_removal(work.place, work.identity, gone, back)
    first = _getting_back(work, commits, operation)
    branches = [*first, *(branch for branch in writes if branch not in first)]

    def plan_for(branch: str) -> MakePlan:
        commit = commits[branch]
        parent = next(iter(commit.parents), None)
        moved = [(MOVED_FROM, parent)] if branch in first and parent else []

        def plan(here: Snapshot) -> Plan:
            inverse(work, here, commit)
            files = [FileWrite(path, _id(old), None, _id(new)) for path, old, new in writes[branch]]
            trailers = [(UNDOES, undone_id), *moved]
            return Plan("undo", subject, files, ids, origin, trailers, has_stood=True)

        return plan

    legs = [Leg(branch, work.place.tip(branch), writes[branch]) for branch in branches]
    operation_id = new_operation_id(work.clock)
    crossing = crossing_of(work, "undo", operation_id, subject, legs, [(UNDOES, undone_id)])
    return crossing.run(work, {branch: plan_for(branch) for branch in branches})


def _getting_back(work: Work, commits: Mapping[str, CommitInfo], operation: str) -> list[str]:
    """The branches that get something back; the end of a session gives to main what leaves it again."""
    branches = work.place.config.branches
    if operation == SESSION_END:
        found = [branches["working"]]
    else:
        found = [branch for branch in commits if branch != branches["archive"]]
    if not found or found[0] not in commits:
        raise Refused(f"this {operation} is not known where it began, so it cannot be undone as a whole")
    return found


def _is_summary(work: Work, writes: Mapping[str, Blobs], path: str) -> bool:
    """Whether a file of the end is the summary that it made on main."""
    for gone, now, _ in writes.get(work.place.main, ()):
        if gone == path and now is not None and work.place.config.is_memory_path(path):
            return FOLDED in work.place.snapshot(None).read(path, BlobId(now)).fields
    return False


def _blobs(work: Work, commit: CommitInfo) -> Blobs:
    """For each file of the commit, the blob that it has now and the one that it gets back."""
    parent = next(iter(commit.parents), None)
    found: Blobs = []
    for change in work.place.repository.diff_trees(parent, commit.id):
        now, before = (
            side.oid if side and side.mode in REGULAR_MODES else None for side in (change.new, change.old)
        )
        found.append((change.path, now, before))
    return found


def _id(oid: str | None) -> BlobId | None:
    return None if oid is None else BlobId(oid)


def inverse(work: Work, snapshot: Snapshot, commit: CommitInfo) -> list[FileWrite]:
    """The writes that take `commit` back. Raises `Conflict` where a later commit touched its files."""
    repository = work.place.repository
    writes = []
    for change in repository.diff_trees(commit.parents[0] if commit.parents else None, commit.id):
        if change.path.startswith(".git"):
            continue
        old = change.old.oid if change.old and change.old.mode in REGULAR_MODES else None
        new = change.new.oid if change.new and change.new.mode in REGULAR_MODES else None
        now = snapshot.blob(change.path)
        if now != new:
            raise Conflict(
                f"{change.path} was changed after {commit.id[:10]}, so it cannot be undone as a whole",
                hint=f"'gitmem log {change.path}' shows by what; 'gitmem revert' goes back for one memory",
            )
        data = repository.read_blob(old) if old else None
        is_executable = change.old is not None and change.old.mode == EXECUTABLE_MODE
        writes.append(FileWrite(change.path, BlobId(new) if new else None, data, is_executable=is_executable))
    return writes
