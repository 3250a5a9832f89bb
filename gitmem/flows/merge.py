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
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from gitmem.errors import Busy, GitmemError, Refused
from gitmem.flows.merge_archive import archived_text, take_off_archive
from gitmem.flows.proposing import apply_on
from gitmem.flows.work import Work
from gitmem.git.repository import PathChange
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import BlobId, CommitId, MemoryId
from gitmem.model.proposal import is_proposal
from gitmem.versions.history import last_step
from gitmem.versions.merge_base import base_of
from gitmem.versions.merge_content import Moments
from gitmem.versions.merge_tree import POLICY_FOLDER, merge_trees
from gitmem.versions.merge_units import Halves, halves_of
from gitmem.versions.merge_values import TreeLine, TreeMerge
from gitmem.versions.snapshot import REGULAR_MODES, Snapshot

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


@dataclass(frozen=True, slots=True)
class Merging:
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


@dataclass(frozen=True, slots=True)
class Taking:
    """How the merge that takes in a proposal differs from another.

    `narrow` leaves of what both sides changed what is to be taken. Where that is not all (`is_whole`), the
    other side does not become a parent, so that the rest of it can be merged later.
    """

    operation: str
    subject: str
    narrow: Callable[[Halves], Halves]
    trailers: Sequence[tuple[str, str]]
    is_whole: bool
    operation_id: str
    memory_ids: Sequence[MemoryId]


def merge(
    work: Work,
    revision: str,
    *,
    origin: Origin,
    policy: PolicyChange = PolicyChange.REFUSE,
    is_commit_wanted: bool = False,
    taking: Taking | None = None,
) -> Merging:
    """Brings `revision` into the branch. With `is_commit_wanted` also a fast-forward makes a commit.

    Raises `NotFound`, `Refused`, `Busy` where git is in the middle of something on the branch, and `Conflict`
    where a file that it would change has an edit that is not committed.
    """
    theirs = work.place.commit_named(revision)
    _refuse_in_the_middle(work)
    found: list[tuple[MergeKind, TreeMerge | None]] = []

    def plan(snapshot: Snapshot) -> Plan:
        kind = _kind(work, snapshot.commit, theirs, is_commit_wanted=is_commit_wanted)
        if kind is MergeKind.FAST_FORWARD and policy is PolicyChange.LEAVE:
            changes = work.place.repository.diff_trees(snapshot.commit, theirs)
            if snapshot.commit and any(change.path.startswith(POLICY_FOLDER) for change in changes):
                kind = MergeKind.MERGE
        merged, narrow = None, None if taking is None else taking.narrow
        if kind is MergeKind.MERGE:
            merged = merged_tree(work, snapshot, theirs, policy, revision, narrow)
        found[:] = [(kind, merged)]
        if kind is MergeKind.NOTHING:
            return Plan("merge", revision, ())
        if merged is None:
            return _forward(work, snapshot, theirs, policy, revision)
        made = _plan(work, snapshot, merged, theirs, revision, origin)
        return made if taking is None else _taken(made, taking, theirs)

    applied = apply_on(work, plan, operation_id=taking.operation_id if taking else None)
    kind, merged = found[0]
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
        merged.report if merged else (),
        merged.disputed if merged else (),
        applied.operation_id if kind is MergeKind.MERGE else None,
        notices,
    )


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


def _taken(plan: Plan, taking: Taking, theirs: CommitId) -> Plan:
    return replace(
        plan,
        operation=taking.operation,
        subject=taking.subject,
        memory_ids=taking.memory_ids,
        trailers=[*taking.trailers, *plan.trailers],
        merges=theirs if taking.is_whole else None,
    )


def merged_tree(
    work: Work,
    snapshot: Snapshot,
    theirs: CommitId,
    policy: PolicyChange,
    revision: str,
    narrow: Callable[[Halves], Halves] | None = None,
) -> TreeMerge:
    """What the merge of `theirs` would make of `snapshot`. Raises `Refused`; nothing is written."""
    place, ours = work.place, snapshot.commit
    assert ours is not None, "an unborn branch is moved forward"
    base = base_of(place, ours, theirs)
    if base is None and work.branch not in place.config.branches.values():
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
        find_archived=lambda key: archived_text(work, halves, key),
        is_taken=snapshot.occupied,
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
        paths = [change.path for change in changes if change.path.startswith(POLICY_FOLDER)]
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


def _plan(
    work: Work, snapshot: Snapshot, merged: TreeMerge, theirs: CommitId, revision: str, origin: Origin
) -> Plan:
    writes = [FileWrite(path, snapshot.blob(path), None) for path in merged.removals]
    writes += [
        FileWrite(path, snapshot.blob(path), placed.data, placed.blob, placed.mode)
        for path, placed in merged.writes.items()
    ]
    ids = [MemoryId(each) for each in dict.fromkeys(line.id for line in merged.report) if each]
    disputed = [("Disputed", memory_id) for memory_id in merged.disputed[:MOST_IDS_IN_TRAILERS]]
    return Plan(
        operation="merge",
        subject=f"{revision} into {work.branch}",
        writes=writes,
        memory_ids=ids,
        origin=origin,
        trailers=disputed,
        merges=theirs,
    )
