"""check: what is wrong with the memories of a branch, without changing anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitmem.flows.work import Work
from gitmem.model.ids import CommitId
from gitmem.versions.audit import Finding, audit


@dataclass(frozen=True, slots=True)
class Checked:
    """What was looked at and what was found."""

    commit: CommitId | None
    memories: int
    findings: Sequence[Finding]

    @property
    def is_clean(self) -> bool:
        """Whether nothing needs mending; notes and warnings do not count."""
        return not any(finding.severity == "error" for finding in self.findings)


def check(work: Work) -> Checked:
    """Looks at every memory of the branch."""
    snapshot = work.snapshot()
    count = sum(1 for _ in snapshot.files())
    return Checked(snapshot.commit, count, audit(work.place.repository, snapshot))
