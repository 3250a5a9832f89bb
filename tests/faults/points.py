"""Every point at which a test can end a process, in the order in which a write passes them."""

from __future__ import annotations

PUBLISH = (
    "publish.before-entry",
    "publish.after-entry",
    "publish.prepared",
    "publish.index-locked",
    "publish.ref-locked",
    "publish.remade",
    "publish.before-ref",
    "publish.after-ref",
    "publish.file",
    "publish.file-placed",
    "publish.files-written",
    "publish.before-stat",
    "publish.before-index",
    "publish.index-replaced",
    "publish.after-index",
    "publish.before-cleanup",
    "journal.removing",
)
MOVE = ("move.intent", "move.arrived", "move.left")
CATCH_UP = ("index.removed", "index.added", "index.file-written", "index.stamped", "index.committed")
BUILD = (
    "index.build-added",
    "index.build-stamped",
    "index.built",
    "index.before-swap",
    "index.swapped",
)
PACK = ("pack.written", "pack.half-placed", "pack.placed")
"""Before the rest, where many files are written at once."""
ELSEWHERE = {
    "accept.intent": "faults/test_proposals_killed.py",
    "accept.merged": "faults/test_proposals_killed.py",
    "accept.archived": "faults/test_proposals_killed.py",
    "crossing.written": "flows/working/test_ending.py",
    "crossing.arrived": "flows/working/test_ending.py",
    "crossing.left": "flows/working/test_ending.py",
    "table.filled": "flows/test_past_index.py and versions/test_version_table.py",
    "table.filled-and-kept": "versions/test_version_table.py",
    "versions.stamped": "flows/test_past_index.py",
    "versions.committed": "flows/test_past_index.py",
    "usage.counting": "flows/test_usage.py",
    "usage.counted": "flows/test_usage.py",
    "usage.removed": "flows/test_usage.py",
    "tend.moved": "tending/test_together.py",
    "vectors.segment-written": "embed/test_vectors.py",
    "vectors.before-removal": "embed/test_vectors.py",
    **{
        f"forget.{step}": "privacy/test_forget_killed.py"
        for step in (
            "intent",
            "written",
            "main-moved",
            "branch-moved",
            "refs-moved",
            "worktrees-cleaned",
            "logs-rewritten",
            "derived-removed",
            "purged",
            "scanned",
        )
    },
    "sync.fetched": "flows/test_sync.py",
    "sync.archive-merged": "flows/test_sync.py",
    "sync.merged": "flows/test_sync.py",
    "sync.before-push": "flows/test_sync.py",
    "sync.pushed": "flows/test_sync.py",
}
"""Points that lie on the way of no single write, and the tests that kill there."""
POINTS = (*PACK, *PUBLISH, *MOVE, *CATCH_UP, *BUILD)
