"""What the index stores of a memory: what every hit and listing shows, without the body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, Self

from msgspec import Struct, field

from gitmem.index.keys import key, namespaces_above
from gitmem.index.period import WALL_TIME, Period, is_wall_time
from gitmem.model.ids import BlobId, MemoryId
from gitmem.model.memory import UNREADABLE, Json, Memory, MemoryType, Status
from gitmem.model.wiki_links import mentions_in

Stored = Sequence[object]
PROBLEM = "problem"
"""The kind of the keys that tell what is wrong with the file of a memory."""
UNREADABLE_KEY = key(PROBLEM, UNREADABLE)


class Record(Struct, frozen=True):
    """One memory as the index knows it."""

    id: MemoryId
    path: str
    blob: BlobId
    type: MemoryType
    namespace: str
    title: str
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    created: str | None = None
    importance: float = 0.5
    confidence: float = 1.0
    status: Status = Status.ACTIVE
    valid_from: str | None = None
    valid_until: str | None = None
    source: str | None = None
    agent: str | None = None
    session: str | None = None
    subject: str | None = None
    supersedes: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    mentions: tuple[tuple[str, str], ...] = ()
    """What the links in it name, each with the relation."""
    fields: Mapping[str, Json] = field(default_factory=dict)
    problem_codes: tuple[str, ...] = ()
    has_own_id: bool = True

    @classmethod
    def from_memory(cls, memory: Memory) -> Self:
        """The record of `memory`."""
        return cls(
            id=memory.id,
            path=memory.path,
            blob=memory.blob,
            type=memory.type,
            namespace=memory.namespace,
            title=memory.title,
            tags=tuple(memory.tags),
            entities=tuple(memory.entities),
            created=memory.created,
            importance=memory.importance,
            confidence=memory.confidence,
            status=memory.status,
            valid_from=memory.valid_from,
            valid_until=memory.valid_until,
            source=memory.source,
            agent=memory.agent,
            session=memory.session,
            subject=memory.subject,
            supersedes=tuple(memory.supersedes),
            related=tuple(relation.to for relation in memory.related),
            mentions=tuple((name, relation) for name, relation in mentions_in(memory.body, memory.fields)),
            fields=dict(memory.fields),
            problem_codes=tuple(problem.code for problem in memory.problems),
            has_own_id=memory.has_own_id,
        )

    @property
    def is_unreadable(self) -> bool:
        """Whether an object of it, or of its attachments, could not be read when it was indexed."""
        return UNREADABLE in self.problem_codes

    def to_stored(self) -> Stored:
        """Plain values, which JSON can hold, in the order of the fields of this class."""
        values: list[object] = [getattr(self, name) for name in _NAMES]
        values[_TYPE] = str(self.type)
        values[_STATUS] = str(self.status)
        return tuple(values)

    @classmethod
    def from_stored(cls, stored: Stored) -> Self:
        """The record that gave `stored`. Raises ValueError or TypeError where it is damaged."""
        values = list(stored)
        if len(values) != len(_NAMES):
            raise ValueError("a stored record has the wrong number of values")
        for place in _TUPLES:
            values[place] = tuple(values[place])  # type: ignore[arg-type]
        if values[_MENTIONS]:
            values[_MENTIONS] = tuple((str(name), str(relation)) for name, relation in values[_MENTIONS])  # type: ignore[attr-defined]
        values[_TYPE] = MemoryType(str(values[_TYPE]))
        values[_STATUS] = Status(str(values[_STATUS]))
        return cls(*values)  # type: ignore[arg-type]

    def keys(self) -> set[str]:
        """The exact keys by which filters find this record."""
        found = {key("type", self.type), key("status", self.status), key("title", self.title)}
        found.update(key("in", name) for name in namespaces_above(self.namespace))
        found.update(key("tag", tag) for tag in self.tags)
        found.update(key("entity", entity) for entity in self.entities)
        if self.agent is not None:
            found.add(key("agent", self.agent))
        if self.session is not None:
            found.add(key("session", self.session))
        found.update(key(PROBLEM, code) for code in self.problem_codes)
        if is_wall_time(self.created):
            found.add(key(*WALL_TIME))
        return found


_NAMES = tuple(Record.__struct_fields__)
_TYPE = _NAMES.index("type")
_STATUS = _NAMES.index("status")
_MENTIONS = _NAMES.index("mentions")
_TUPLES = tuple(map(_NAMES.index, ("tags", "entities", "supersedes", "related", "mentions", "problem_codes")))


class RecordFilter(Protocol):
    """Which records are wanted."""

    def required_keys(self) -> tuple[str, ...]:
        """Exact keys that every wanted record has."""

    def name_groups(self) -> tuple[tuple[str, ...], ...]:
        """Terms of the field of names: of each group every wanted record has at least one."""

    def excluded_keys(self) -> tuple[str, ...]:
        """Exact keys that no wanted record has."""

    @property
    def period(self) -> Period | None:
        """When `created` may be; None for any time."""

    @property
    def period_micros(self) -> tuple[int, int] | None:
        """The first and the last moment of `created`, in microseconds since 1970; None for any.

        Some beyond `period` may be in it, none of `period` is beyond it.
        """

    @property
    def valid_micros(self) -> tuple[int, int] | None:
        """The first and the last moment of a time in which wanted records are valid; None for any."""

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Front matter fields that are looked at, with their values."""

    def has_fields(self, record: Record) -> bool:
        """Whether `record` has every entry of `fields`."""

    @property
    def needs_record(self) -> bool:
        """Whether `matches_beyond_keys` looks at anything."""

    def matches_beyond_keys(self, record: Record) -> bool:
        """Whether `record`, which has all required keys, is wanted."""

    def matches(self, record: Record) -> bool:
        """Whether `record` is wanted."""
