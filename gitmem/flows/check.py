"""check: what is wrong with the memories of a branch, without changing anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gitmem.errors import Damaged
from gitmem.flows.anchor_look import AnchorLook, anchor_findings
from gitmem.flows.carry import unfinished_moves
from gitmem.flows.work import Work
from gitmem.git.recover import pending_entries
from gitmem.model.ids import CommitId, id_key
from gitmem.model.memory import Memory
from gitmem.versions.audit import Finding, audit, in_order
from gitmem.versions.config import CONFIG_PATH
from gitmem.versions.snapshot import Snapshot


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
    """Looks at every memory of the branch, and whether an archived one stands on it too."""
    snapshot = work.snapshot()
    count = sum(1 for _ in snapshot.files())
    archived = {} if _is_archive(work) else _by_id(_archive(work))
    look = AnchorLook(work)
    findings = audit(
        work.place.repository, snapshot, known_ids=archived, also=lambda memory: anchor_findings(look, memory)
    )
    look.close()
    if look.note:
        findings.append(Finding("warning", "anchor-unknown", CONFIG_PATH, look.note))
    findings += [
        Finding(
            "error",
            "doubled",
            here.path,
            f"{here.id} stands on {work.branch} and on archive; 'gitmem doctor --fix' mends it",
        )
        for here, _ in _pairs(snapshot, archived)
    ]
    findings += _unfinished(work)
    return Checked(snapshot.commit, count, in_order(findings))


def _unfinished(work: Work) -> list[Finding]:
    """Writes and moves that a dead process left, if nobody finished them before this look."""
    writes = [entry for entry in pending_entries(work.place.repository) if entry.is_pending or entry.is_dead]
    moves = [] if work.is_past else unfinished_moves(work)
    labels = [entry.label for entry in writes] + [f"{move.operation} {move.operation_id}" for move in moves]
    return [
        Finding("warning", "unfinished", ".", f"{label} was interrupted; any other command finishes it")
        for label in labels
    ]


def doubled(work: Work) -> list[tuple[Memory, Memory]]:
    """The memories that stand on the branch and on archive, as they are on each."""
    return [] if _is_archive(work) else _pairs(work.snapshot(), _by_id(_archive(work)))


def _is_archive(work: Work) -> bool:
    return work.is_past or work.branch == work.place.config.branches["archive"]


def _archive(work: Work) -> Snapshot:
    return work.place.snapshot_of(work.place.config.branches["archive"])


def _by_id(snapshot: Snapshot) -> dict[str, Memory]:
    return {id_key(memory.id): memory for memory in _readable(snapshot)}


def _pairs(snapshot: Snapshot, archived: dict[str, Memory]) -> list[tuple[Memory, Memory]]:
    if not archived:
        return []
    return [
        (memory, archived[id_key(memory.id)])
        for memory in _readable(snapshot)
        if id_key(memory.id) in archived
    ]


def _readable(snapshot: Snapshot) -> list[Memory]:
    memories = []
    for path, blob in snapshot.files():
        try:
            memories.append(snapshot.read(path, blob))
        except Damaged:
            continue
    return memories
