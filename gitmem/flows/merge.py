"""merge: another line of work comes into a branch, as one commit by compare-and-set, without a worktree.

Cases:
    nothing         the branch has it all already
    fast-forward    the branch has nothing of its own: it moves to the other commit
    merge           both have something: one commit with two parents, as `versions.merge_tree` says

What contradicts is no obstacle: it is in the merged files as a dispute, and in the report. Refused, with
nothing changed: histories that share nothing, unless the branch is an archive or its like; links and
submodules that changed there, which only git can merge; files below `.gitmem/`, unless the caller takes or
leaves them.

An edit of a memory that the other side archived stays on the branch; a second commit, of the same
operation, takes the old text off the archive, so that it stands in one place only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from gitmem.errors import Busy, GitmemError, Refused
from gitmem.flows.merging.archive import archived_unit, take_off_archive
from gitmem.flows.proposals.proposing import merge_on
from gitmem.flows.proposals.taking import Taking
from gitmem.flows.rights.telling import ids_for, lines_for, notices_for, told_to
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import preview
from gitmem.git.modes import REGULAR_MODES
from gitmem.git.repository import PathChange
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import BlobId, CommitId, MemoryId
from gitmem.model.proposal import is_proposal
from gitmem.versions.history import last_step
from gitmem.versions.merge_base import base_of
from gitmem.versions.merge_content import Moments
from gitmem.versions.merge_tree import is_policy, merge_trees
from gitmem.versions.merge_units import Halves, halves_of
from gitmem.versions.merge_values import TreeLine, TreeMerge
from gitmem.versions.snapshot import Snapshot

MOST_IDS_IN_TRAILERS = 100


class MergeKind(StrEnum):
    """What it took to bring the other side in."""

    NOTHING = "nothing"
    FAST_FORWARD = "fast-forward"
    MERGE = "merge"


class PolicyChange(StrEnum):
    """What to do with files below `.gitmem/` that the other side changed."""

    REFUSE = "refuse"
    TAKE = "take"
    LEAVE = "leave"


class Merging(Struct, frozen=True):
    """What a merge did. `commit` is where the branch stands now, `merged` what was brought in."""

    branch: str
    revision: str
    merged: CommitId
    kind: MergeKind
    commit: CommitId | None
    report: Sequence[TreeLine] = ()
    disputed: Sequence[MemoryId] = ()
    operation_id: str | None = None
    notices: tuple[str, ...] = ()


def merge(
    work: Work,
    revision: str,
    *,
    origin: Origin,
    policy: PolicyChange = PolicyChange.REFUSE,
    is_commit_wanted: bool = False,
    commit: CommitId | None = None,
    taking: Taking | None = None,
) -> Merging:
    """Brings `revision` into the branch. With `is_commit_wanted` also a fast-forward makes a commit.

    `commit` is what `revision` means, where the caller knows it.

    Raises `NotFound`, `Refused`, `Busy` where git is in the middle of something on the branch, and `Conflict`
    where a file that it would change has an edit that is not committed.
    """
    theirs = commit or work.place.commit_named(revision)
    seen, work = work.place, work.whole
    _refuse_in_the_middle(work)
    planning = _Planning(work, revision, theirs, origin, policy, is_commit_wanted, taking)
    with told_to(seen):
        applied = merge_on(work, planning.plan, operation_id=taking.operation_id if taking else None)
    kind, merged = planning.kind, planning.merged
    notices = applied.notices
    if merged is not None and merged.kept_from_archive and not is_proposal(work.branch):
        try:
            notices += take_off_archive(work, merged.kept_from_archive, applied.operation_id, origin=origin)
        except GitmemError as error:
            # The merge stands, whatever becomes of the archive.
            notices += (f"the archive still has memories that stay on {work.branch}: {error.message}",)
    return Merging(
        work.branch,
        revision,
        theirs,
        kind,
        applied.commit or work.place.tip(work.branch),
        lines_for(seen, merged.report) if merged else (),
        ids_for(seen, merged.disputed, merged.report) if merged else (),
        applied.operation_id if kind is MergeKind.MERGE else None,
        notices_for(seen, notices),
    )


def refuse_merge(work: Work, revision: str, commit: CommitId, *, policy: PolicyChange) -> None:
    """Raises what `merge` would raise as things stand, and changes nothing."""
    work = work.whole
    _refuse_in_the_middle(work)
    planning = _Planning(work, revision, commit, Origin(), policy, False)
    preview(work.place, work.branch, planning.plan)


class _Planning(Struct):
    """The plan of a merge, made anew for each state of the branch; the last one counts."""

    work: Work
    revision: str
    theirs: CommitId
    origin: Origin
    policy: PolicyChange
    is_commit_wanted: bool
    taking: Taking | None = None
    kind: MergeKind = MergeKind.NOTHING
    merged: TreeMerge | None = None

    def plan(self, snapshot: Snapshot) -> Plan:
        work, theirs, revision = self.work, self.theirs, self.revision
        kind = _kind(work, snapshot.commit, theirs, is_commit_wanted=self.is_commit_wanted)
        if kind is MergeKind.FAST_FORWARD and self.policy is PolicyChange.LEAVE:
            changes = work.place.repository.diff_trees(snapshot.commit, theirs)
            if snapshot.commit and any(is_policy(change.path) for change in changes):
                kind = MergeKind.MERGE
        self.kind, self.merged = kind, None
        if kind is MergeKind.NOTHING:
            return Plan("merge", revision, ())
        if kind is MergeKind.FAST_FORWARD:
            return _forward(work, snapshot, theirs, self.policy, revision)
        assert snapshot.commit is not None, "an unborn branch is moved forward"
        taking = self.taking
        narrow = taking.narrow if taking else None
        self.merged = merged_trees(work, snapshot.commit, theirs, self.policy, revision, narrow)
        subject = f"{revision} into {work.branch}"
        plan = merge_plan(snapshot, self.merged, subject, self.origin, merges=theirs, brings=theirs)
        return taking.of(plan) if taking else plan


def _refuse_in_the_middle(work: Work) -> None:
    repository = work.place.repository
    operation = repository.operation_in_progress() if repository.head_branch() == work.branch else None
    if operation is not None and operation != "bisect":
        raise Busy(
            f"a {operation} on {work.branch} is in progress, so nothing was merged",
            hint=f"finish it with 'git {operation} --continue' or '--abort', then repeat the command",
        )


def _kind(work: Work, ours: CommitId | None, theirs: CommitId, *, is_commit_wanted: bool) -> MergeKind:
    repository = work.place.repository
    if ours is not None and repository.is_ancestor(theirs, ours):
        return MergeKind.NOTHING
    if ours is None or (repository.is_ancestor(ours, theirs) and not is_commit_wanted):
        return MergeKind.FAST_FORWARD
    return MergeKind.MERGE


def merged_trees(
    work: Work,
    ours: CommitId,
    theirs: CommitId,
    policy: PolicyChange,
    revision: str,
    narrow: Callable[[Halves], Halves] | None = None,
) -> TreeMerge:
    """How the tree of `ours` becomes that of both. Raises `Refused` naming `revision`; nothing is written."""
    place = work.place
    base = base_of(place, ours, theirs)
    is_aside = work.branch in place.config.branches.values()
    if base is None and not is_aside:
        raise Refused(
            f"{revision} shares no history with {work.branch}",
            hint="'gitmem import' takes memories in from elsewhere, 'gitmem restore' from the archive",
        )
    halves = halves_of(place, base, ours, theirs)
    halves = narrow(halves) if narrow else halves
    merged = merge_trees(
        halves.base,
        halves.ours,
        halves.theirs,
        read=place.repository.read_blob,
        find_archived=lambda key: None if is_aside else archived_unit(work, halves, key),
        is_taken=place.snapshot(ours).occupied,
        moments=Moments(lambda path: _moment(work, ours, path), lambda path: _moment(work, theirs, path)),
        takes_policy=policy is PolicyChange.TAKE,
    )
    _refuse_obstacles(merged.obstacles, revision)
    if policy is not PolicyChange.LEAVE:
        _refuse_policy(merged.policy, revision, is_taken=policy is PolicyChange.TAKE)
    return merged


def _refuse_obstacles(paths: Sequence[str], revision: str) -> None:
    if paths:
        raise Refused(
            f"{paths[0]} is a link or a submodule that changed in {revision}, so nothing was merged",
            hint=f"'git merge {revision}' can do it; memories merge by meaning there too",
        )


def _refuse_policy(paths: Sequence[str], revision: str, *, is_taken: bool) -> None:
    if paths and is_taken:
        raise Refused(
            f"{paths[0]} was changed here and in {revision}, so nothing was merged",
            hint=f"'git merge {revision}' shows the conflict, for a person to settle",
        )
    if paths:
        raise Refused(
            f"{paths[0]} was changed in {revision}; a person has to take in what the store goes by",
            hint=f"'git diff HEAD...{revision} -- .gitmem' shows it, --policy takes it in",
        )


def _moment(work: Work, commit: CommitId, path: str) -> datetime | None:
    step = last_step(work.place, commit, path)
    return step.commit.committer_time if step else None


def _forward(work: Work, snapshot: Snapshot, theirs: CommitId, policy: PolicyChange, revision: str) -> Plan:
    """The plan that moves the branch to `theirs`."""
    changes = work.place.repository.diff_trees(snapshot.commit, theirs)
    if any(tree.branch == work.branch for tree in work.place.repository.worktrees()):
        _refuse_obstacles([change.path for change in changes if not _is_regular(change)], revision)
    if policy is PolicyChange.REFUSE and snapshot.commit is not None:
        paths = [change.path for change in changes if is_policy(change.path)]
        _refuse_policy(paths, revision, is_taken=False)
    writes = [
        FileWrite(
            change.path,
            BlobId(change.old.oid) if change.old else None,
            None,
            BlobId(change.new.oid) if change.new else None,
        )
        for change in changes
        if _is_regular(change)
    ]
    return Plan("merge", f"{revision}, fast-forward", writes, merges=theirs, is_made=True)


def _is_regular(change: PathChange) -> bool:
    return all(side is None or side.mode in REGULAR_MODES for side in (change.old, change.new))


def merge_plan(
    snapshot: Snapshot,
    merged: TreeMerge,
    subject: str,
    origin: Origin,
    *,
    merges: CommitId | None,
    brings: CommitId,
    operation: str = "merge",
) -> Plan:
    """The plan that makes the tree of `snapshot` that of both; with `merges` as the second parent.

    `brings` is the commit of the other side.
    """
    writes = [FileWrite(path, snapshot.blob(path), None) for path in merged.removals]
    writes += [
        FileWrite(path, snapshot.blob(path), placed.data, placed.blob, placed.mode)
        for path, placed in merged.writes.items()
    ]
    ids = [MemoryId(each) for each in dict.fromkeys(line.id for line in merged.report) if each]
    disputed = [("Disputed", memory_id) for memory_id in merged.disputed[:MOST_IDS_IN_TRAILERS]]
    return Plan(
        operation=operation,
        subject=subject,
        writes=writes,
        memory_ids=ids,
        origin=origin,
        trailers=disputed,
        merges=merges,
        brings=brings,
    )
