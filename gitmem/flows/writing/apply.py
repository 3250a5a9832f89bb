"""The one way in: a plan becomes a commit by compare-and-set, or nothing happens.

1. the plan is made on the snapshot that the branch has now
2. what is new in it passes the privacy rules, hand edits of the files it names are refused
3. blobs, trees and the commit are written and flushed
4. the branch moves only if it still stands where it was read; if not, all over from 1; after a few
   lost races the plan is made anew while the branch is locked, so that nobody is overtaken for ever

Several plans can go this way together: each becomes a commit of its own on top of the one before, and the
branch moves once.
"""

from __future__ import annotations

import contextlib
import random
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from gitmem.clock import Clock
from gitmem.errors import BranchMoved
from gitmem.flows.forgetting.forgotten import refuse_while_forgetting
from gitmem.flows.rights.default_agent import signed_by_default
from gitmem.flows.running.background import wake
from gitmem.flows.screening.gate import screen
from gitmem.flows.writing.admission import admitted, worktrees_on
from gitmem.flows.writing.refusals import HandEdit, refuse_during_rebase, refuse_lost_way_back
from gitmem.flows.writing.said import Said
from gitmem.git.commits import commit_data, make_commit, signs_commits
from gitmem.git.identity import author_of, committer_of
from gitmem.git.modes import EXECUTABLE_MODE
from gitmem.git.packs import ObjectWriter, writing_objects
from gitmem.git.publish import FileChange, RefMoved, publish
from gitmem.git.settings import reading_once
from gitmem.git.tree_edit import TreeEdit
from gitmem.model.change import FileWrite, Plan, commit_message
from gitmem.model.ids import CommitId
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

ATTEMPTS = 60
OPTIMISTIC_ATTEMPTS = 3
WRITER_LOCK_SECONDS = 10.0
OBJECTS_EACH = 5
"""Of several commits each brings about so many objects: a file, the folders above it, and itself."""
MakePlan = Callable[[Snapshot], Plan]
Drafts = dict[tuple[str, tuple[str, ...], str], str]
"""Commits that are made, and signed, but not published: by tree, parents and message."""


class Step(Struct, frozen=True):
    """One of the commits that an operation makes."""

    plan: Plan
    operation_id: str
    clock: Clock


MakeSteps = Callable[[Snapshot], Sequence[Step]]


class Applied(Struct, frozen=True):
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
    name = operation_id or new_operation_id(clock)
    return apply_all(place, branch, lambda here: [Step(make_plan(here), name, clock)], drafts=drafts)[0]


def apply_all(
    place: Place, branch: str, make_steps: MakeSteps, *, drafts: Drafts | None = None
) -> list[Applied]:
    """Like `apply` for several plans at once: one commit for each, in order, all of them or none.

    Each plan is for the snapshot with the plans before it carried out; no two of them write the same file.
    """
    refuse_during_rebase(place, branch)
    refuse_lost_way_back(place)
    operation = _Operation(place, branch, make_steps, {} if drafts is None else drafts)
    with place.turn("write.guard", timeout_seconds=WRITER_LOCK_SECONDS) as is_ours:
        if not is_ours:
            refuse_while_forgetting(place)
        for attempt in range(ATTEMPTS):
            try:
                return operation.attempt(under_lock=attempt >= OPTIMISTIC_ATTEMPTS)
            except _NothingToDo:
                return [
                    Applied(None, step.plan, step.operation_id, told)
                    for step, told in zip(operation.steps, operation.told, strict=True)
                ]
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
        operation = _Operation(
            place, branch, lambda snapshot: [Step(make_plan(snapshot), operation_id, clock)], drafts
        )
        with contextlib.suppress(_NothingToDo):
            operation.draft()


def preview(place: Place, branch: str, make_plan: MakePlan) -> Plan:
    """The plan for the branch as it stands. Raises what `apply` would raise of it, and moves nothing."""
    refuse_during_rebase(place, branch)
    seen = place.snapshot_of(branch)
    snapshot = place.whole.snapshot(seen.commit, branch=branch)
    plan = screen(place.whole, snapshot, make_plan(seen), branch=branch).plan
    admitted(place, branch, snapshot, [plan], is_final=True)
    return plan


def new_operation_id(clock: Clock) -> str:
    """A name for one operation: the time to the second, and something random."""
    return f"{clock.now():%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"


class _NothingToDo(Exception):
    """The plans write nothing."""


class _Operation(Struct):
    """One operation and the attempts at it.

    `steps`, what is `told` of each, and their `commits` are those made last.
    """

    place: Place
    branch: str
    make_steps: MakeSteps
    drafts: Drafts
    steps: Sequence[Step] = ()
    told: Sequence[tuple[str, ...]] = ()
    commits: Sequence[str] = ()

    def attempt(self, *, under_lock: bool) -> list[Applied]:
        with reading_once():
            return self._attempt(under_lock=under_lock)

    def _attempt(self, *, under_lock: bool) -> list[Applied]:
        repository = self.place.whole.repository
        snapshot = self.place.snapshot_of(self.branch)
        # Without the locks a file may be in the middle of another writer's publication.
        commit, changes = self._commit(snapshot, is_final=not under_lock)
        first = self.steps[0]
        result = publish(
            repository,
            self.branch,
            expected=repository.local_tip(self.branch) and snapshot.commit,
            commit=commit,
            changes=changes,
            label=self._label(),
            now=first.clock.now(),
            remake=self._remade if under_lock else None,
            witness=first.plan.witness,
        )
        wake(self.place)
        worktrees = worktrees_on(self.place, self.branch)
        said = Said(self.place, self.branch, author_of(repository), worktrees, result)
        is_alone = len(self.steps) == 1
        return [
            Applied(
                CommitId(commit),
                step.plan,
                step.operation_id,
                (*told, *(said.all() if is_alone else said.about(step.plan))),
            )
            for step, told, commit in zip(self.steps, self.told, self.commits, strict=True)
        ]

    def draft(self) -> None:
        """Makes the commits, which are among the drafts then."""
        refuse_during_rebase(self.place, self.branch)
        self._commit(self.place.snapshot_of(self.branch), is_final=False)

    def _label(self) -> str:
        plan = self.steps[0].plan
        more = f" and {len(self.steps) - 1} more" if len(self.steps) > 1 else ""
        return f"{plan.operation}: {plan.subject}{more}"

    def _remade(self, tip: str) -> tuple[str, list[FileChange]]:
        return self._commit(self.place.snapshot(CommitId(tip), branch=self.branch), is_final=True)

    def _commit(self, snapshot: Snapshot, *, is_final: bool) -> tuple[str, list[FileChange]]:
        """The last commit that carries out the plans on `snapshot`, and what all change; still unseen.

        Plans are made on what whoever acts may see of the branch, and judged and carried out on all of it.
        """
        signed = [
            replace(step, plan=signed_by_default(self.place, step.plan)) for step in self.make_steps(snapshot)
        ]
        whole = self.place.whole
        snapshot = whole.snapshot(snapshot.commit, branch=self.branch)
        screened = [screen(whole, snapshot, step.plan, branch=self.branch) for step in signed]
        self.told = [each.notices for each in screened]
        self.steps = [replace(step, plan=each.plan) for step, each in zip(signed, screened, strict=True)]
        plans = [step.plan for step in self.steps]
        if not any(plan.writes or plan.merges is not None or plan.is_record for plan in plans):
            raise _NothingToDo
        plans = admitted(self.place, self.branch, snapshot, plans, is_final=is_final)
        self.steps = [replace(step, plan=plan) for step, plan in zip(self.steps, plans, strict=True)]
        changes = self._write(snapshot)
        return self.commits[-1], changes

    def _write(self, snapshot: Snapshot) -> list[FileChange]:
        """Writes files, folders and commits of all steps; what they change."""
        repository = self.place.whole.repository
        trees: list[str] = []
        changes: list[FileChange] = []
        is_chain = len(self.steps) > 1
        files = sum(len(step.plan.writes) for step in self.steps) * (OBJECTS_EACH if is_chain else 1)
        with writing_objects(repository, files=files) as objects:
            edit = None
            for plan in (step.plan for step in self.steps):
                made = [FileChange(write.path, write.old, _new_blob(objects, write)) for write in plan.writes]
                changes += made
                if plan.is_made and plan.merges is not None:
                    self.commits = [plan.merges]
                    return changes
                edit = edit or TreeEdit(repository, snapshot.commit, objects)
                blobs = {change.path: change.new for change in made}
                trees.append(edit.tree_with(blobs, modes=_modes(plan.writes)))
            if is_chain and not signs_commits(repository):
                by = (author_of(repository), committer_of(repository))
                self._chain(snapshot, trees, lambda facts: objects.commit(commit_data(by, **facts)))
                return changes
        self._chain(snapshot, trees, self._drafted)
        return changes

    def _drafted(self, facts: dict[str, Any]) -> str:
        """The commit, which git may have to sign, made unless it is among the drafts."""
        key = (facts["tree"], tuple(facts["parents"]), facts["message"])
        if key not in self.drafts:
            self.drafts[key] = make_commit(self.place.whole.repository, **facts)
        return self.drafts[key]

    def _chain(self, snapshot: Snapshot, trees: list[str], make: Callable[[dict[str, Any]], str]) -> None:
        """Makes a commit for each step, each the parent of the next."""
        commits: list[str] = []
        parent: str | None = snapshot.commit
        for step, tree in zip(self.steps, trees, strict=True):
            parents = [commit for commit in (parent, step.plan.merges) if commit]
            message = commit_message(step.plan, step.operation_id)
            facts = {"tree": tree, "parents": parents, "message": message, "when": step.clock.now()}
            parent = make(facts)
            commits.append(parent)
        self.commits = commits


def _modes(writes: Sequence[FileWrite]) -> dict[str, int]:
    """The modes of files that do not just keep theirs."""
    executable = {write.path: EXECUTABLE_MODE for write in writes if write.is_executable and not write.old}
    return executable | {write.path: write.mode for write in writes if write.mode is not None}


def _new_blob(objects: ObjectWriter, write: FileWrite) -> str | None:
    if write.blob is not None or write.data is None:
        return write.blob
    return objects.blob(write.data)
