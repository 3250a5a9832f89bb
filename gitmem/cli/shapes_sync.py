"""The JSON of clones and syncs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape
from gitmem.cli.shapes_why import shared_shape

if TYPE_CHECKING:
    from gitmem.flows.clone import Cloned
    from gitmem.flows.syncing.fork import Fork, SinceFork
    from gitmem.flows.syncing.values import MemoryChange, Synced, SyncedBranch
    from gitmem.flows.usage import Shared


def cloned_shape(cloned: Cloned) -> Shape:
    return {
        "folder": str(cloned.folder),
        "fork": fork_shape(cloned.fork) if cloned.fork else None,
        "main": cloned.main,
        "memories": cloned.memories,
        "active_only": cloned.is_active_only,
        "agent": cloned.agent,
        "hooks": {
            "folder": str(cloned.hooks.folder),
            "installed": list(cloned.hooks.installed),
            "reason": cloned.hooks.reason,
        },
        "merge_driver": {"installed": cloned.driver.is_installed, "reason": cloned.driver.reason},
    }


def fork_shape(fork: Fork) -> Shape:
    return {"url": fork.url, "commit": fork.commit}


def synced_shape(synced: Synced, shared: Shared | None) -> Shape:
    return {
        "remote": synced.remote,
        "address": synced.address,
        "dry_run": synced.is_dry_run,
        "pushed": synced.is_pushed,
        "rounds": synced.rounds,
        "came": [_change_shape(change) for change in synced.came],
        "went": [_change_shape(change) for change in synced.went],
        "branches": [_branch_shape(branch) for branch in synced.branches],
        "disputed": list(synced.disputed),
        "report": [
            {"case": str(line.case), "id": line.id or None, "path": line.path, "message": line.message}
            for line in synced.report
        ],
        "findings": [
            {"kind": str(finding.kind), "message": finding.message, "hint": finding.hint}
            for finding in synced.findings
        ],
        "notices": list(synced.notices),
        "uses": shared_shape(shared) if shared else None,
    }


def _change_shape(change: MemoryChange) -> Shape:
    return {"id": change.id, "path": change.path, "title": change.title, "what": str(change.what)}


def _branch_shape(branch: SyncedBranch) -> Shape:
    return {
        "name": branch.name,
        "here": branch.here,
        "there": branch.there,
        "moved_here": branch.has_moved_here,
        "moved_there": branch.has_moved_there,
    }


def since_fork_shape(since: SinceFork) -> Shape:
    return {
        "fork": fork_shape(since.fork),
        "remote": since.remote,
        "here": since.here,
        "there": since.there,
        "changes": [{"side": each.side, **_change_shape(each.change)} for each in since.changes],
    }
