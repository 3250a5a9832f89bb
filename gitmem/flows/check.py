"""check: what is wrong with the memories of a branch, without changing anything."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.errors import Damaged
from gitmem.flows.checks.dates import date_findings
from gitmem.flows.checks.known import GatheredKnown
from gitmem.flows.forgetting.forgotten import checker_of, forgotten_findings
from gitmem.flows.moving.carry import unfinished_moves
from gitmem.flows.reading.anchor_look import AnchorLook, anchor_findings
from gitmem.flows.reading.locked import plain_findings
from gitmem.flows.work import Work
from gitmem.flows.working.crossing import unfinished_crossings
from gitmem.git.recover import pending_entries
from gitmem.model.ids import CommitId, id_key
from gitmem.model.memory import Memory
from gitmem.review.codes import CHECKS, Check
from gitmem.review.examine import broken_wiki_links, findings_beside, findings_in_text
from gitmem.versions.audit import SEVERITIES, Finding, audit, broken_links_of, in_order
from gitmem.versions.check_settings import OFF, CheckSettings
from gitmem.versions.config import CONFIG_PATH
from gitmem.versions.snapshot import Snapshot

__all__ = ["Checked", "Finding", "check", "doubled", "finished"]


class Checked(Struct, frozen=True):
    """What was looked at and what was found.

    `base` is the commit from which on changes were judged; None where the whole store was. `memories` are
    those that were looked at, `checks` what is known of every kind of finding.
    """

    commit: CommitId | None
    memories: int
    findings: Sequence[Finding]
    base: CommitId | None = None
    checks: Mapping[str, Check] = field(default_factory=lambda: CHECKS)

    @property
    def is_clean(self) -> bool:
        """Whether nothing needs mending; notes and warnings do not count."""
        return not self.has_at_least("error")

    def has_at_least(self, severity: str) -> bool:
        """Whether anything as bad as `severity` was found; `never` is worse than anything."""
        if severity not in SEVERITIES:
            return False
        worst = SEVERITIES[: SEVERITIES.index(severity) + 1]
        return any(finding.severity in worst for finding in self.findings)


def finished(findings: Iterable[Finding], settings: CheckSettings, ids: Mapping[str, str]) -> list[Finding]:
    """`findings` in order, each with what to do and the id of its memory, as severe as the policy says.

    `ids` are the ids of memories by path.
    """
    known = []
    for finding in findings:
        severity = settings.severities.get(finding.code, finding.severity)
        if severity != OFF:
            hint = finding.hint or ("" if "'gitmem " in finding.message else CHECKS[finding.code].advice)
            known.append(
                replace(finding, severity=severity, hint=hint, id=finding.id or ids.get(finding.path, ""))
            )
    return in_order(known)


def check(work: Work, *, is_thorough: bool = False) -> Checked:
    """Looks at every memory of the branch, and whether an archived one stands on it too.

    Memories are compared with each other only where it `is_thorough`.
    """
    snapshot = work.snapshot()
    count = sum(1 for _ in snapshot.files())
    archived = {} if _is_archive(work) else _by_id(_archive(work))
    look = AnchorLook(work)
    checker = checker_of(work.place)
    ids: dict[str, str] = {}

    def also(memory: Memory) -> Iterable[Finding]:
        ids[memory.path] = memory.id
        place = work.place
        told = (*plain_findings(place, memory), *forgotten_findings(checker, memory), *date_findings(memory))
        return (*anchor_findings(look, memory), *told)

    findings = audit(work.place.repository, snapshot, also=also)
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
    findings += _in_texts(work, snapshot, count, archived, is_thorough=is_thorough)
    return Checked(snapshot.commit, count, finished(findings, work.place.config.check, ids))


def _in_texts(
    work: Work, snapshot: Snapshot, count: int, archived: Mapping[str, Memory], *, is_thorough: bool
) -> list[Finding]:
    """What the texts say, and what they say of each other; of two that say the same, the later is named."""
    settings = work.place.config.check
    known = GatheredKnown(work, archived.values())
    findings: list[Finding] = []
    linking: list[tuple[str, str]] = []
    linked: list[Memory] = []
    for number, (path, blob) in enumerate(snapshot.files(), 1):
        work.progress("checking", number, count)
        try:
            reading = known.read(path, blob)
        except Damaged:
            continue
        findings += findings_in_text(path, reading.text, settings)
        if is_thorough:
            findings += findings_beside(reading, known.near(reading))
        known.add(reading, is_compared=is_thorough)
        if "[[" in reading.text:
            linking.append((path, reading.text))
        if reading.memory.related or reading.memory.supersedes:
            linked.append(reading.memory)
    for path, text in linking:
        findings += broken_wiki_links(path, text, known.has)
    for memory in linked:
        findings += broken_links_of(memory, known.has_id, known.has)
    return findings


def _unfinished(work: Work) -> list[Finding]:
    """Writes and moves that a dead process left, if nobody finished them before this look."""
    writes = [entry for entry in pending_entries(work.place.repository) if entry.is_pending or entry.is_dead]
    moves = [] if work.is_past else unfinished_moves(work)
    is_told = work.place.veil is None
    labels = [entry.label if is_told else "a write" for entry in writes]
    labels += [f"{move.operation} {move.operation_id}" for move in moves]
    crossings = [] if work.is_past else unfinished_crossings(work)
    labels += [f"{crossing.operation} {crossing.operation_id}" for crossing in crossings]
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
