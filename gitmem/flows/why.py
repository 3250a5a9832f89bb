"""why: for each statement of a memory, who put it there, when, from what source and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import NotFound
from gitmem.flows.log import LogEntry, entry_of
from gitmem.flows.reading.links import Linked, links_of
from gitmem.flows.reading.locate import Located
from gitmem.flows.reading.seen import seen
from gitmem.flows.reading.versions import get_version, locate_version, versions_of
from gitmem.flows.work import Work
from gitmem.git.repository import CommitInfo
from gitmem.model.change import trailers_of
from gitmem.model.ids import BlobId, CommitId, MemoryId
from gitmem.model.memory import DEFAULT_CONFIDENCE, DEFAULT_IMPORTANCE, DEFAULT_TYPE, Memory, Status
from gitmem.model.place import type_of
from gitmem.model.proposal import REVIEWED_BY
from gitmem.model.statements import Statement, statements_of
from gitmem.versions.attribution import Attribution, LineOrigin, attribute
from gitmem.versions.history import Step


class Provenance(Struct, frozen=True):
    """The commit that put lines there. What its trailers do not say is None: unknown.

    `merged` is the merge that carried it to the branch, `restored` the version that brought it back
    after it had gone. `reviewed_by` are the reviewers of any of these commits, and of the moves to another
    branch since. `lines` are those of the statement that it brought.
    """

    entry: LogEntry
    lines: tuple[int, ...]
    reviewed_by: tuple[str, ...] = ()
    merged: LogEntry | None = None
    restored: LogEntry | None = None

    @property
    def is_by_hand(self) -> bool:
        """Whether plain git made the commit."""
        return self.entry.operation is None


class Told(Struct, frozen=True):
    """One statement, and what put it there: more than one where its lines are of several versions.

    `origins` stand newest first.
    """

    statement: Statement
    origins: Sequence[Provenance]


class Why(Struct, frozen=True):
    """The statements of a memory with their origins, and what the memory corrects or disputes.

    Header fields that have their default are left out. Not complete where a shallow clone hides
    older versions. `edit` says that the file has an edit that is not committed, which is not told here.
    """

    memory: Memory
    branch: str
    statements: Sequence[Told]
    links: Sequence[Linked]
    is_complete: bool
    edit: str | None = None

    @property
    def id(self) -> MemoryId:
        return self.memory.id


def why(work: Work, reference: str, *, text: str | None = None, line: int | None = None) -> Why:
    """Where each statement of the memory comes from; `reference` may name a version, `ID@v2`.

    With `text` only the statements that contain it, case and blanks apart; with `line` only the one at
    that line of the file. Raises `NotFound` where there is none.
    """
    found, version = locate_version(work, reference)
    commit, memory = _version(found, version)
    attribution = attribute(work.place, commit, memory.path)
    statements = statements_of("\n".join(attribution.lines))
    wanted = _narrowed(memory, statements, text, line, len(attribution.lines))
    teller = _Teller(attribution, found.snapshot.read)
    told = [Told(statement, teller.origins(statement)) for statement in wanted]
    edit = None
    if version is None and found.work.branch == work.branch:
        edit = next(iter(seen(work).labels(memory.path)), None)
    links = links_of(found.work, memory)
    return Why(memory, found.work.branch, told, links, attribution.is_complete, edit)


def _version(found: Located, text: str | None) -> tuple[CommitId, Memory]:
    if text is None:
        return found.commit, found.memory
    versions, is_complete = versions_of(found.work, found.memory, found.commit)
    version = get_version(found.work, versions, text, is_complete=is_complete)
    return version.commit, found.snapshot.read(version.path, version.blob)


def _narrowed(
    memory: Memory, statements: Sequence[Statement], text: str | None, line: int | None, count: int
) -> list[Statement]:
    from gitmem.recall.question import normal_text

    wanted = [statement for statement in statements if not _is_default(memory, statement)]
    if text is not None:
        phrase = normal_text(text)
        wanted = [statement for statement in wanted if phrase in normal_text(statement.text)]
        if not wanted:
            raise NotFound(f"no statement of {memory.id} contains {text!r}", name=text)
    if line is not None:
        if not 1 <= line <= count:
            raise NotFound(f"{memory.path} has {count} lines, no line {line}", name=str(line))
        wanted = [statement for statement in wanted if statement.first_line <= line <= statement.last_line]
        if not wanted:
            raise NotFound(f"line {line} of {memory.path} states nothing", name=str(line))
    return wanted


def _is_default(memory: Memory, statement: Statement) -> bool:
    """Whether the statement is a header field that says what would hold without it, or the id."""
    defaults: Mapping[str, object] = {
        "id": memory.fields.get("id"),
        "type": type_of(memory.path) or DEFAULT_TYPE,
        "importance": DEFAULT_IMPORTANCE,
        "confidence": DEFAULT_CONFIDENCE,
        "status": Status.ACTIVE,
    }
    if statement.field is None:
        return False
    value = memory.fields.get(statement.field)
    return value in (None, "", [], {}) or value == defaults.get(statement.field, ...)


class _Teller:
    """Gathers the origins of the lines of a statement."""

    def __init__(self, attribution: Attribution, read: Callable[[str, BlobId], Memory]) -> None:
        self._attribution = attribution
        self._read = read
        self._numbers = attribution.numbers
        self._ages = {step.commit.id: age for age, step in enumerate(attribution.steps)}

    def origins(self, statement: Statement) -> list[Provenance]:
        """The distinct origins of the lines, newest first."""
        lines: dict[LineOrigin, list[int]] = {}
        for number in range(statement.first_line, statement.last_line + 1):
            if self._attribution.lines[number - 1].strip():
                lines.setdefault(self._attribution.origins[number - 1], []).append(number)
        found = [self._provenance(origin, numbers) for origin, numbers in lines.items()]
        return sorted(found, key=self._newness, reverse=True)

    def _newness(self, provenance: Provenance) -> tuple[str, int]:
        """Sorts by date; commits of one second as they stand on the branch."""
        return provenance.entry.date, -self._ages.get(provenance.entry.commit, 0)

    def _provenance(self, origin: LineOrigin, lines: Iterable[int]) -> Provenance:
        step = origin.step
        entry = self._entry(step.commit)
        if step.is_born:
            entry = self._as_first_written(entry, step)
        restored = origin.restored_by.commit if origin.restored_by else None
        arrived = origin.merges[0] if origin.merges else step.commit
        newer = self._attribution.steps[: self._ages.get(arrived.id, 0)]
        moves = [each.commit for each in newer if each.is_move]
        passed = [step.commit, *origin.merges, *([restored] if restored else []), *moves]
        reviewers = [name for commit in passed for name in trailers_of(commit.message).get(REVIEWED_BY, [])]
        return Provenance(
            replace(entry, path=step.path),
            tuple(lines),
            tuple(dict.fromkeys(reviewers)),
            merged=self._entry(origin.merges[0]) if origin.merges else None,
            restored=self._entry(restored) if restored else None,
        )

    def _entry(self, commit: CommitInfo) -> LogEntry:
        return entry_of(commit, number=self._numbers.get(commit.id))

    def _as_first_written(self, entry: LogEntry, step: Step) -> LogEntry:
        """What the commit does not say of a new memory, its header may: in a batch each has its own."""
        memory = self._read(step.path, step.blob)
        return replace(
            entry,
            agent=entry.agent or memory.agent,
            session=entry.session or memory.session,
            source=entry.source or memory.source,
        )
