"""The JSON of what `status` tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape

if TYPE_CHECKING:
    from gitmem.flows.status import StoreStatus
    from gitmem.flows.syncing.fork import Distance


def status_shape(status: StoreStatus) -> Shape:
    return {
        "folder": str(status.folder),
        "branch": status.branch,
        "commit": status.commit,
        "checked_out": status.checked_out,
        "memories": status.memories,
        "by_folder": dict(status.by_folder),
        "branches": dict(status.branches),
        "open_proposals": status.open_proposals,
        "index": {"commit": status.index_commit, "current": status.index_is_current},
        "past": {"commit": status.past_commit, "current": status.past_commit == status.commit},
        "hooks": {"folder": str(status.hooks.folder), "installed": list(status.hooks.installed)},
        "merge_driver": {"installed": status.driver.is_installed, "reason": status.driver.reason},
        "operation_in_progress": status.operation,
        "pending_writes": status.pending,
        "identity": {
            "kind": str(status.identity.kind),
            "name": status.identity.name,
            "why": status.identity.why,
        },
        "fork": {"url": status.fork.url, "commit": status.fork.commit} if status.fork else None,
        "remote": _distance_shape(status.distance) if status.distance else None,
        "notes": list(status.notes),
    }


def _distance_shape(distance: Distance) -> Shape:
    return {
        "name": distance.remote,
        "commit": distance.commit,
        "ahead": distance.ahead,
        "behind": distance.behind,
    }
