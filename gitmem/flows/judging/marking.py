"""What a judgement writes into the headers of known memories, in the commit of the new one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from gitmem.clock import iso_seconds
from gitmem.errors import Refused
from gitmem.evolve.settling import Outcome
from gitmem.flows.judging.verdicts import Against, Verdict
from gitmem.flows.work import Work
from gitmem.flows.writing.drafting import Request, unique
from gitmem.flows.written import Judged
from gitmem.model.change import Draft, FileWrite
from gitmem.model.document import decode, encode
from gitmem.model.header_edit import HeaderCannotChange, edit_header
from gitmem.model.ids import MemoryId
from gitmem.model.memory import Json, Memory, Status

CONFIRMED, CONFIRMED_AT = "confirmed", "confirmed_at"
"""How often a memory was said again, and when that was last."""
CONTRADICTS = "contradicts"


class Marks:
    """The edits of one commit, each file once, however many judgements change it."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._memories: dict[str, Memory] = {}
        self._changes: dict[str, dict[str, Json]] = {}
        self._edited: frozenset[str] | None = None

    def confirm(self, memory: Memory, request: Request) -> int:
        """Counts one more confirmation, with the tags and entities that the request adds; the new count."""
        fields = {**memory.fields, **self._changes.get(memory.path, {})}
        count = _count(fields.get(CONFIRMED))
        changes: dict[str, Json] = {CONFIRMED_AT: iso_seconds(self._work.clock.now())}
        if count is not None:
            changes[CONFIRMED] = count + 1
        for name, old, new in (
            ("tags", memory.tags, request.tags),
            ("entities", memory.entities, request.entities),
        ):
            united = unique([*old, *new])
            if len(united) > len(unique(old)):
                changes[name] = list(united)
        self._change(memory, changes)
        return (count or 0) + 1

    def prepared(self, verdict: Verdict) -> tuple[Verdict, Sequence[Judged]]:
        """The verdict with a request that says what becomes of it, and what is told.

        A memory that somebody edits just now, or whose header cannot be changed, is left as it is.
        """
        against = [self._as_can_be(each) for each in verdict.against]
        request = verdict.request
        supersedes = [each.memory.id for each in against if each.outcome is Outcome.SUPERSEDED]
        disputed = [each.memory.id for each in against if each.outcome is Outcome.DISPUTED]
        if supersedes:
            request = replace(request, supersedes=[*request.supersedes, *supersedes])
        if disputed:
            related: list[Json] = [{"to": each, "relation": CONTRADICTS} for each in disputed]
            fields = {**request.fields, "status": str(Status.DISPUTED), "related": related}
            request = replace(request, fields=fields)
        told = [
            Judged(each.memory.id, each.memory.path, each.memory.title, str(each.outcome), each.reason)
            for each in against
        ]
        return replace(verdict, request=request, against=against), told

    def mark(self, verdict: Verdict, draft: Draft) -> None:
        """Changes the headers of what the new memory contradicts."""
        for each in verdict.against:
            if each.outcome is Outcome.SUPERSEDED:
                self._change(each.memory, {"status": str(Status.SUPERSEDED)})
            elif each.outcome is Outcome.DISPUTED:
                related = self._fields(each.memory).get("related")
                before = list(related) if isinstance(related, list) else []
                entry: Json = {"to": draft.id, "relation": CONTRADICTS}
                self._change(each.memory, {"status": str(Status.DISPUTED), "related": [*before, entry]})

    def writes(self) -> list[FileWrite]:
        """The edits. Raises `Refused` naming a file whose header cannot be changed."""
        return [
            FileWrite(path, self._memories[path].blob, encode(self._text(self._memories[path], changes)))
            for path, changes in self._changes.items()
        ]

    @property
    def ids(self) -> list[MemoryId]:
        """The memories that are changed."""
        return [memory.id for memory in self._memories.values()]

    def _as_can_be(self, against: Against) -> Against:
        if against.outcome is Outcome.TOLD:
            return against
        memory = against.memory
        related = memory.fields.get("related")
        is_odd = related is not None and not isinstance(related, list)
        try:
            self._text(memory, {"status": str(Status.DISPUTED)})
        except Refused:
            is_odd = True
        if is_odd or not memory.has_own_id or memory.path in self._edited_paths():
            return replace(against, outcome=Outcome.TOLD)
        return against

    def _edited_paths(self) -> frozenset[str]:
        """The files with hand edits that are not committed: they belong to who edits them."""
        if self._edited is None:
            from gitmem.flows.reading.edits import look

            self._edited = frozenset(edit.path for edit in look(self._work).edits)
        return self._edited

    def _fields(self, memory: Memory) -> Mapping[str, Json]:
        return {**memory.fields, **self._changes.get(memory.path, {})}

    def _change(self, memory: Memory, changes: dict[str, Json]) -> None:
        self._memories[memory.path] = memory
        self._changes.setdefault(memory.path, {}).update(changes)

    def _text(self, memory: Memory, changes: Mapping[str, Json]) -> str:
        text = decode(self._work.place.repository.read_blob(memory.blob))[0]
        try:
            return edit_header(text, dict(changes))
        except HeaderCannotChange as error:
            raise Refused(
                f"nothing was written: {memory.path} says this, and its header cannot be changed: {error}",
                hint="mend it by hand, then 'gitmem commit'; --force writes this beside it",
            ) from error


def _count(value: Json) -> int | None:
    """How often the header says that a memory was confirmed; None where the field means something else."""
    if value is None:
        return 0
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
