"""What one sync knows as it goes: where it stands, what the remote has, and what came of it so far."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from gitmem.flows.syncing.policy import PolicyChanges
from gitmem.flows.syncing.values import Finding, FindingKind, Synced, SyncedBranch
from gitmem.flows.work import Work
from gitmem.git.remotes import address_of
from gitmem.model.change import Origin
from gitmem.model.ids import CommitId, MemoryId
from gitmem.versions.fork_settings import leaves_archive
from gitmem.versions.memory_changes import MemoryChange
from gitmem.versions.merge_values import TreeLine

PROPOSALS = "proposals/"


class Syncing(Struct):
    """One sync; `theirs` is what the remote has of the branches, as fetched in this round."""

    work: Work
    remote: str
    origin: Origin
    rounds: int = 1
    theirs: dict[str, CommitId] = field(default_factory=dict)
    before: dict[str, str | None] = field(default_factory=dict)
    """Where the branches of the remote were known to stand before this sync."""
    came: dict[str, MemoryChange] = field(default_factory=dict)
    went: Sequence[MemoryChange] = ()
    moved_here: set[str] = field(default_factory=set)
    moved_there: set[str] = field(default_factory=set)
    disputed: dict[MemoryId, None] = field(default_factory=dict)
    report: list[TreeLine] = field(default_factory=list)
    findings: dict[FindingKind | str, Finding] = field(default_factory=dict)
    notices: dict[str, None] = field(default_factory=dict)
    policy: PolicyChanges = field(default_factory=PolicyChanges)

    @property
    def main(self) -> str:
        return self.work.place.main

    @property
    def archive(self) -> str:
        return self.work.place.config.branches["archive"]

    def revision(self, branch: str) -> str:
        return f"{self.remote}/{branch}"

    def wants_archive(self) -> bool:
        """Whether archives are synced: not in a clone that left it behind, unless it has archived itself."""
        repository = self.work.place.repository
        return not leaves_archive(self.work.place) or repository.local_tip(self.archive) is not None

    def archives(self) -> list[CommitId | None]:
        """The archives known here, for telling what is archived from what is gone."""
        return [self.work.place.tip(self.archive), self.theirs.get(self.archive)]

    def done(self, *, is_pushed: bool, is_dry_run: bool = False) -> Synced:
        """The outcome."""
        repository = self.work.place.repository
        names = [self.main, self.archive]
        names += sorted({name for name in [*self.theirs, *self.moved_there] if name not in names})
        branches = []
        for name in names:
            tip = self.work.place.tip(name)
            if tip is not None or name in self.theirs:
                branches.append(
                    SyncedBranch(
                        name, tip, self.theirs.get(name), name in self.moved_here, name in self.moved_there
                    )
                )
        return Synced(
            remote=self.remote,
            address=address_of(repository, self.remote) or self.remote,
            came=sorted(self.came.values(), key=lambda change: change.path),
            went=self.went,
            branches=branches,
            disputed=list(self.disputed),
            report=self.report,
            findings=list(self.findings.values()),
            notices=tuple(self.notices),
            rounds=self.rounds,
            is_pushed=is_pushed and FindingKind.POLICY_HERE not in self.findings,
            is_dry_run=is_dry_run,
        )
