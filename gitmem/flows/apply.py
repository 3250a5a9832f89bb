"""The one way in: a plan becomes a commit by compare-and-set, or nothing happens.

1. the plan is made on the snapshot that the branch has now
2. hand edits of the files it names are refused
3. blobs, trees and the commit are written and flushed
4. the branch moves only if it still stands where it was read; if not, all over from 1; after a few
   lost races the plan is made anew while the branch is locked, so that nobody is overtaken for ever
"""

from __future__ import annotations

import contextlib
import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gitmem.clock import Clock
from gitmem.errors import BranchMoved, Refused, StoreProblem
from gitmem.flows.background import wake
from gitmem.flows.refusals import (
    HandEdit,
    refuse_during_rebase,
    refuse_filters,
    refuse_hand_edit,
    refuse_lost_way_back,
    refuse_nested,
    refuse_unmerged,
)
from gitmem.git.commits import make_commit, signs_commits
from gitmem.git.identity import author_of
from gitmem.git.packs import ObjectWriter, writing_objects
from gitmem.git.publish import FileChange, PublishResult, RefMoved, publish
from gitmem.git.repository import Worktree
from gitmem.git.tree_edit import tree_with
from gitmem.git.trees import EXECUTABLE_MODE
from gitmem.model.change import FileWrite, Plan, commit_message
from gitmem.model.ids import CommitId
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

ATTEMPTS = 60
OPTIMISTIC_ATTEMPTS = 3
WRITER_LOCK_SECONDS = 10.0
MakePlan = Callable[[Snapshot], Plan]
Drafts = dict[tuple[str, tuple[str, ...], str], str]
"""Commits that are made, and signed, but not published: by tree, parents and message."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of a plan. `commit` is None where there was nothing to change."""

    commit: CommitId | None
    plan: Plan
    operation_id: str
    notices: tuple[str, ...] = ()


def apply(
    place: Place,
    branch: str,
    make_plan: MakePlan,
    *,
    clock: Clock,
    operation_id: str | None = None,
    drafts: Drafts | None = None,
) -> Applied:
    """Carries out the plan that `make_plan` gives for the branch as it stands, in one commit.

    `make_plan` may be called several times: each lost race plans anew. Raises what it raises,
    `Conflict` for hand edits in the way, `BranchMoved` when the race was lost 60 times. Commits
    of one operation share an `operation_id`; a new one is made where none is given. A commit that
    is among the `drafts` of `rehearse` is not signed again.
    """
    refuse_during_rebase(place, branch)
    refuse_lost_way_back(place)
    drafts = {} if drafts is None else drafts
    operation = _Operation(place, branch, make_plan, operation_id or new_operation_id(clock), clock, drafts)
    with place.turn("write.guard", timeout_seconds=WRITER_LOCK_SECONDS):
        for attempt in range(ATTEMPTS):
            try:
                return operation.attempt(under_lock=attempt >= OPTIMISTIC_ATTEMPTS)
            except _NothingToDo as done:
                return Applied(None, done.plan, operation.operation_id)
            except (RefMoved, HandEdit) as error:
                if isinstance(error, HandEdit) and attempt >= OPTIMISTIC_ATTEMPTS:
                    raise
                time.sleep(random.uniform(0, min(0.2, 0.002 * 2 ** min(attempt, 7))))
    raise BranchMoved(
        f"{branch} kept moving under this write ({ATTEMPTS} tries); nothing was changed",
        hint="run the command again",
    )


def rehearse(
    place: Place, branch: str, make_plan: MakePlan, *, clock: Clock, operation_id: str, drafts: Drafts
) -> None:
    """Puts the commit that `apply` would publish now into `drafts`. Raises what making it raises.

    For an operation of several commits: whatever cannot be signed is known before the first of them is
    published. Does nothing where commits are not signed.
    """
    if signs_commits(place.repository):
        operation = _Operation(place, branch, make_plan, operation_id, clock, drafts)
        with contextlib.suppress(_NothingToDo):
            operation.draft()


def new_operation_id(clock: Clock) -> str:
    """A name for one operation: the time to the second, and something random."""
    return f"{clock.now():%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"


class _NothingToDo(Exception):
    """The plan writes nothing."""

    def __init__(self, plan: Plan) -> None:
        super().__init__()
        self.plan = plan


@dataclass(slots=True)
class _Operation:
    """One operation and the attempts at it; `plan` is the one made last."""

    place: Place
    branch: str
    make_plan: MakePlan
    operation_id: str
    clock: Clock
    drafts: Drafts
    plan: Plan | None = None

    def attempt(self, *, under_lock: bool) -> Applied:
        repository = self.place.repository
        snapshot = self.place.snapshot_of(self.branch)
        # Without the locks a file may be in the middle of another writer's publication.
        commit, changes = self._commit(snapshot, is_final=not under_lock)
        plan = self._made()
        result = publish(
            repository,
            self.branch,
            expected=repository.local_tip(self.branch) and snapshot.commit,
            commit=commit,
            changes=changes,
            label=f"{plan.operation}: {plan.subject}",
            now=self.clock.now(),
            remake=self._remade if under_lock else None,
            witness=plan.witness,
        )
        wake(self.place)
        notices = _notices(self.place, self.branch, self._worktrees(), result)
        return Applied(CommitId(result.commit), self._made(), self.operation_id, notices)

    def draft(self) -> None:
        """Makes the commit, which is among the drafts then."""
        refuse_during_rebase(self.place, self.branch)
        self._commit(self.place.snapshot_of(self.branch), is_final=False)

    def _made(self) -> Plan:
        assert self.plan is not None, "a plan was made before"
        return self.plan

    def _worktrees(self) -> list[Worktree]:
        return [tree for tree in self.place.repository.worktrees() if tree.branch == self.branch]

    def _remade(self, tip: str) -> tuple[str, list[FileChange]]:
        return self._commit(self.place.snapshot(CommitId(tip), branch=self.branch), is_final=True)

    def _commit(self, snapshot: Snapshot, *, is_final: bool) -> tuple[str, list[FileChange]]:
        """The commit that carries out the plan on `snapshot`, and what it changes. Nothing shows it yet."""
        self.plan = plan = self.make_plan(snapshot)
        if not plan.writes and plan.merges is None and not plan.is_record:
            raise _NothingToDo(plan)
        repository = self.place.repository
        worktrees = self._worktrees()
        refuse_filters(self.place, plan)
        for worktree in worktrees:
            refuse_unmerged(worktree, plan)
        for write in plan.writes:
            _check_unchanged(snapshot, write)
            for worktree in worktrees if is_final else ():
                refuse_nested(write, worktree)
                refuse_hand_edit(self.place, worktree, write)
        with writing_objects(repository, files=len(plan.writes)) as objects:
            changes = [FileChange(write.path, write.old, _new_blob(objects, write)) for write in plan.writes]
            if plan.is_made and plan.merges is not None:
                return plan.merges, changes
            tree = tree_with(
                repository,
                snapshot.commit,
                {change.path: change.new for change in changes},
                objects,
                modes=_modes(plan.writes),
            )
        parents = tuple(commit for commit in (snapshot.commit, plan.merges) if commit)
        key = (tree, parents, commit_message(plan, self.operation_id))
        if key not in self.drafts:
            self.drafts[key] = make_commit(
                repository, tree=tree, parents=parents, message=key[2], when=self.clock.now()
            )
        return self.drafts[key], changes


def _modes(writes: Sequence[FileWrite]) -> dict[str, int]:
    """The modes of files that do not just keep theirs."""
    executable = {write.path: EXECUTABLE_MODE for write in writes if write.is_executable and not write.old}
    return executable | {write.path: write.mode for write in writes if write.mode is not None}


def _new_blob(objects: ObjectWriter, write: FileWrite) -> str | None:
    if write.blob is not None or write.data is None:
        return write.blob
    return objects.blob(write.data)


def _notices(place: Place, branch: str, worktrees: list[Worktree], result: PublishResult) -> tuple[str, ...]:
    notices = []
    author = author_of(place.repository)
    if author.is_fallback:
        notices.append(
            f"git knows no name and address here, so the commit is by {author.name} <{author.email}>; "
            "set user.name and user.email"
        )
    if not worktrees and not place.repository.is_bare and branch == place.main:
        notices.append(f"{branch} is not checked out here; it moved, the files of this checkout did not")
    if result.pending and not any(skipped.may_come for skipped in result.skipped):
        notices.append("git's index is locked by another program; it will be brought along when it is free")
    for skipped in result.skipped:
        what = f"{skipped.path} in {skipped.worktree} was left alone"
        if not skipped.path:
            what = f"the files in {skipped.worktree} were not brought along yet"
        elif skipped.may_come:
            what = f"{skipped.path} in {skipped.worktree} could not be written yet"
        notices.append(f"{what}: {skipped.reason}")
    return tuple(notices)


def _check_unchanged(snapshot: Snapshot, write: FileWrite) -> None:
    current = snapshot.blob(write.path)
    if current != write.old:
        raise StoreProblem(f"{write.path}: not the file the plan was made for")
    if write.old is None and snapshot.occupied(write.path):
        raise Refused(f"{write.path}: something that is not a regular file stands there")
