"""status: where the store is, how much is in it, and whether anything stands in the way."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from gitmem.flows.forgetting.forgotten import FORGETTING, missing_keys
from gitmem.flows.merging.driver import DriverReport, installed_driver
from gitmem.flows.reading.indexed import index_of
from gitmem.flows.reading.uses import why_not_counted
from gitmem.flows.running.hooks import HookReport, installed_hooks
from gitmem.flows.syncing.fork import Distance, Fork, distance, fork_of
from gitmem.flows.work import Work
from gitmem.git.recover import pending_entries
from gitmem.model.identity import Identity
from gitmem.model.ids import CommitId
from gitmem.model.place import type_of
from gitmem.versions.fork_settings import ACTIVE_ONLY, leaves_archive
from gitmem.versions.proposals import proposals_of
from gitmem.versions.tables import table_tip


class StoreStatus(Struct, frozen=True):
    """The state of a store.

    `index_commit` is what the index shows, `past_commit` what the table of versions shows; None where
    there is none yet.
    """

    folder: Path
    branch: str
    commit: CommitId | None
    checked_out: str | None
    memories: int
    by_folder: Mapping[str, int]
    branches: Mapping[str, int]
    index_commit: CommitId | None
    hooks: HookReport
    operation: str | None
    pending: int
    identity: Identity
    notes: Sequence[str]
    driver: DriverReport
    past_commit: CommitId | None = None
    fork: Fork | None = None
    distance: Distance | None = None
    open_proposals: int = 0

    @property
    def index_is_current(self) -> bool:
        return self.index_commit == self.commit


def status(work: Work) -> StoreStatus:
    """The state of the store; changes nothing."""
    place = work.place
    repository = place.repository
    snapshot = work.snapshot()
    counts = Counter(str(type_of(path) or "other folders") for path, _ in snapshot.files())
    hooks = installed_hooks(repository)
    roles = {
        branch: sum(1 for _ in place.snapshot_of(branch).files())
        for branch in place.config.branches.values()
        if place.tip(branch)
    }
    driver = installed_driver(repository)
    return StoreStatus(
        folder=repository.worktree or repository.git_dir,
        branch=work.branch,
        commit=snapshot.commit,
        checked_out=repository.head_branch(),
        memories=sum(counts.values()),
        by_folder=dict(counts.most_common()),
        branches=roles,
        index_commit=index_of(work).stamp(),
        hooks=hooks,
        operation=repository.operation_in_progress(),
        pending=len(pending_entries(repository)),
        identity=work.identity,
        notes=_notes(work, hooks, driver),
        driver=driver,
        past_commit=table_tip(place, work.branch),
        fork=fork_of(place),
        distance=distance(work),
        open_proposals=sum(each.is_open for each in proposals_of(place)),
    )


def _notes(work: Work, hooks: HookReport, driver: DriverReport) -> list[str]:
    """What a person should know about this clone."""
    place, repository = work.place, work.place.repository
    notes = []
    if hooks.reason:
        notes.append(f"hooks are not installed: {hooks.reason}")
    elif not hooks.installed and not repository.is_bare:
        notes.append("hooks are not installed; 'gitmem init' installs them")
    if not driver.is_installed:
        notes.append(f"the merge driver is not set up: {driver.reason}; 'gitmem init' sets it up")
    if repository.is_shallow():
        notes.append("this is a shallow clone: older versions are missing")
    if repository.grafts():
        notes.append("info/grafts gives commits other parents: history is shown so, as git shows it")
    if repository.has_replacements():
        notes.append("git replace puts other objects in place: what was committed is shown, not those")
    if missing := missing_keys(place):
        notes.append(
            f"checks for forgotten texts are off: key {missing[0]} is not here; forgotten history is refused"
        )
    if os.path.lexists(place.home / FORGETTING):
        notes.append("a forget is under way, or was broken off: 'gitmem forget' goes on with it")
    if leaves_archive(place):
        notes.append(f"archived memories were left behind when this was cloned ({ACTIVE_ONLY})")
    if reason := why_not_counted(work):
        notes.append(f"uses are not counted: {reason}")
    return notes
