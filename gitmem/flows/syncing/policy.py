"""Syncing beside a policy that differs: memories go both ways, files below `.gitmem/` go neither.

Where the other side changed the policy, a merge here would either take it in or, once pushed, take it back
there. So two commits are made instead of one:

    theirs ----------- there     their tree with our memories; parents theirs and here
       \\              /
        memories      /
          \\          /
    ours -- here ---             our tree with their memories; its only parent is ours

`here` is behind `there` by the policy alone. A person takes it in with `gitmem merge REMOTE/main --policy`,
which then is a fast-forward. Until then the same happens at each sync, and nothing that is there already is
written again.
"""

from __future__ import annotations

from msgspec import Struct

from gitmem.flows.merge import MergeKind, Merging, PolicyChange, merge_plan, merged_trees
from gitmem.flows.merging.archive import take_off_archive
from gitmem.flows.rights.default_agent import signed_by_default
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import apply, new_operation_id, preview
from gitmem.flows.writing.sealing import sealed_plan
from gitmem.git.commits import make_commit
from gitmem.git.tree_edit import tree_with
from gitmem.model.change import Origin, Plan, commit_message
from gitmem.model.ids import CommitId
from gitmem.versions.merge_base import base_of
from gitmem.versions.merge_tree import is_policy
from gitmem.versions.merge_values import TreeMerge
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot


class PolicyChanges(Struct, frozen=True):
    """The files below `.gitmem/` that either side changed and the other does not have like that."""

    here: tuple[str, ...] = ()
    there: tuple[str, ...] = ()


def policy_changes(place: Place, ours: CommitId | None, theirs: CommitId | None) -> PolicyChanges:
    """What differs in the policies of two commits, by who changed it. Nothing where one is missing."""
    if ours is None or theirs is None or ours == theirs:
        return PolicyChanges()
    base = base_of(place, ours, theirs)
    if base is None:
        return PolicyChanges()
    return PolicyChanges(_changed(place, base, ours, theirs), _changed(place, base, theirs, ours))


def _changed(place: Place, base: str, side: CommitId, other: CommitId) -> tuple[str, ...]:
    repository = place.repository
    return tuple(
        change.path
        for change in repository.diff_trees(base, side)
        if is_policy(change.path) and change.new != repository.entry(other, change.path)
    )


class _Taking(Struct):
    """The plan that takes their memories and leaves their policy; the last one made counts."""

    work: Work
    theirs: CommitId
    revision: str
    origin: Origin
    merged: TreeMerge | None = None

    def plan(self, snapshot: Snapshot) -> Plan:
        assert snapshot.commit is not None, "an unborn branch has no policy"
        self.merged = merged_trees(self.work, snapshot.commit, self.theirs, PolicyChange.LEAVE, self.revision)
        subject = f"memories of {self.revision} into {self.work.branch}, without its policy"
        return merge_plan(
            snapshot, self.merged, subject, self.origin, merges=None, brings=self.theirs, operation="sync"
        )


def refuse_taking(work: Work, theirs: CommitId, revision: str) -> None:
    """Raises what `take_memories` would raise as things stand, and changes nothing."""
    preview(work.place, work.branch, _Taking(work, theirs, revision, Origin()).plan)


def take_memories(work: Work, theirs: CommitId, revision: str, *, origin: Origin) -> Merging:
    """Brings their memories into the branch, and leaves files below `.gitmem/` as they are here."""
    taking = _Taking(work, theirs, revision, origin)
    applied = apply(work.place, work.branch, taking.plan, clock=work.clock)
    merged, notices = taking.merged, applied.notices
    assert merged is not None, "it was planned"
    if merged.kept_from_archive:
        notices += take_off_archive(work, merged.kept_from_archive, applied.operation_id, origin=origin)
    return Merging(
        work.branch,
        revision,
        theirs,
        MergeKind.MERGE if applied.commit else MergeKind.NOTHING,
        applied.commit or work.place.tip(work.branch),
        [line for line in merged.report if not is_policy(line.path)],
        merged.disputed if applied.commit else (),
        applied.operation_id if applied.commit else None,
        notices,
    )


def _tree_with(place: Place, commit: CommitId, plan: Plan) -> str:
    """The tree of a commit with a plan carried out on it, written."""
    repository = place.repository
    blobs = {
        write.path: write.blob or (None if write.data is None else repository.write_blob(write.data))
        for write in plan.writes
    }
    modes = {write.path: write.mode for write in plan.writes if write.mode is not None}
    return tree_with(repository, commit, blobs, modes=modes)


def commit_for_them(
    work: Work, ours: CommitId, theirs: CommitId, revision: str, *, origin: Origin
) -> CommitId | None:
    """A commit on top of theirs with our memories and their policy; None where they have all of ours."""
    merged = merged_trees(work, theirs, ours, PolicyChange.LEAVE, revision)
    if not merged.writes and not merged.removals:
        return None
    place = work.place
    subject = f"memories of {work.branch} into {revision}, with its policy"
    there = place.snapshot(theirs)
    plan = merge_plan(there, merged, subject, origin, merges=ours, brings=ours, operation="sync")
    plan = sealed_plan(place, there, signed_by_default(place, plan))
    return CommitId(
        make_commit(
            place.repository,
            tree=_tree_with(place, theirs, plan),
            parents=[theirs, ours],
            message=commit_message(plan, new_operation_id(work.clock)),
            when=work.clock.now(),
        )
    )
