"""What a sync came to: what came, what went, and what a person has to look at."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from msgspec import Struct

from gitmem.model.ids import CommitId, MemoryId
from gitmem.versions.memory_changes import MemoryChange
from gitmem.versions.merge_values import TreeLine

__all__ = ["Finding", "FindingKind", "MemoryChange", "Synced", "SyncedBranch"]


class FindingKind(StrEnum):
    """What only a person can settle."""

    POLICY_THERE = "policy-there"
    POLICY_HERE = "policy-here"
    PROPOSAL = "proposal"


class Finding(Struct, frozen=True):
    """Something that was left as it is, and needs a person; `hint` is the next step."""

    kind: FindingKind
    message: str
    hint: str


class SyncedBranch(Struct, frozen=True):
    """One branch: where it stands here and at the remote by now; None where it is not there."""

    name: str
    here: CommitId | None
    there: CommitId | None
    has_moved_here: bool
    has_moved_there: bool


class Synced(Struct, frozen=True):
    """What a sync did, or with `is_dry_run` what it would do.

    `came` and `went` are the memories of main that another side had changed. `rounds` counts how often it had
    to begin anew because others were faster, and 1 for the first time.
    """

    remote: str
    address: str
    came: Sequence[MemoryChange]
    went: Sequence[MemoryChange]
    branches: Sequence[SyncedBranch]
    disputed: Sequence[MemoryId] = ()
    report: Sequence[TreeLine] = ()
    findings: Sequence[Finding] = ()
    notices: tuple[str, ...] = ()
    rounds: int = 1
    is_pushed: bool = False
    is_dry_run: bool = False
