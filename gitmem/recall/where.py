"""Filters: which memories are meant, whatever the words say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from gitmem.index.keys import key
from gitmem.index.moments import (
    LAST_MOMENT,
    NO_MOMENT,
    PLAIN_DATE,
    beginning,
    micros_of,
    parse_moment,
    span_of,
)
from gitmem.index.record import Record
from gitmem.model.memory import Json, MemoryType

_DAY_MICROS = 86_400_000_000


@dataclass(frozen=True, slots=True)
class Where:
    """Conditions that must all hold; the empty one holds for every memory.

    A namespace matches itself and what is below it. Text is compared without case. `since` and
    `until` are ISO dates or times compared with `created`; a plain `until` date includes its day;
    a time without an offset is taken as UTC. A memory without a readable `created` has no date
    to match. An entry of `fields` names a front matter field, nested ones with dots; a list
    matches if one of its items does.
    """

    type: MemoryType | None = None
    namespace: str | None = None
    tags: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    agent: str | None = None
    session: str | None = None
    status: str | None = None
    since: str | None = None
    until: str | None = None
    fields: tuple[tuple[str, str], ...] = ()
    valid_at: str | None = None
    """A date: only what is valid at some moment of it, by `valid_from` and `valid_until`."""

    @property
    def is_empty(self) -> bool:
        """Whether every memory matches."""
        return not self.required_keys() and not self.needs_record

    @property
    def needs_record(self) -> bool:
        """Whether a date or a field must be looked at."""
        dates = (self.since, self.until, self.valid_at)
        return any(date is not None for date in dates) or bool(self.fields)

    @property
    def period_micros(self) -> tuple[int, int] | None:
        """The first and the last moment that `created` may name; None where every memory will do."""
        if self.since is None and self.until is None:
            return None
        first, last = NO_MOMENT + 1, LAST_MOMENT
        if self.since is not None:
            since = micros_of(parse_moment(self.since))
            first = LAST_MOMENT if since == NO_MOMENT else since
        if self.until is not None:
            last = micros_of(parse_moment(self.until))
            if last != NO_MOMENT and PLAIN_DATE.fullmatch(self.until.strip()):
                last += _DAY_MICROS - 1
        return first, last

    @property
    def valid_micros(self) -> tuple[int, int] | None:
        """The first and the last moment of `valid_at`; a time without any where it is no date."""
        return None if self.valid_at is None else span_of(self.valid_at) or (LAST_MOMENT, NO_MOMENT)

    def required_keys(self) -> tuple[str, ...]:
        """Exact keys that every matching memory has."""
        found = [key("tag", tag) for tag in self.tags]
        found += [key("entity", entity) for entity in self.entities]
        namespace = (self.namespace or "").strip("/")
        if namespace:
            found.append(key("in", namespace))
        single = {"type": self.type, "agent": self.agent, "session": self.session, "status": self.status}
        found += [key(kind, value) for kind, value in single.items() if value is not None]
        return tuple(found)

    def matches(self, record: Record) -> bool:
        """Whether `record` fulfils every condition."""
        return record.keys().issuperset(self.required_keys()) and self.matches_beyond_keys(record)

    def matches_beyond_keys(self, record: Record) -> bool:
        """Whether `record`, which has all required keys, fulfils the other conditions."""
        if (self.since is not None or self.until is not None) and not self._is_in_period(record.created):
            return False
        return self._is_valid(record) and self.has_fields(record)

    def has_fields(self, record: Record) -> bool:
        """Whether `record` has every entry of `fields`."""
        return all(_field_matches(record.fields, name, value) for name, value in self.fields)

    def _is_valid(self, record: Record) -> bool:
        if self.valid_micros is None:
            return True
        first, last = self.valid_micros
        begins, ends = span_of(record.valid_from), span_of(record.valid_until)
        end = LAST_MOMENT if ends is None else ends[1]
        begin = beginning(micros_of(parse_moment(record.created)), end) if begins is None else begins[0]
        return begin <= last and end >= first

    def _is_in_period(self, created: str | None) -> bool:
        moment = parse_moment(created)
        return moment is not None and self.is_in_time(moment)

    def is_in_time(self, moment: datetime) -> bool:
        """Whether `moment` is neither before `since` nor after `until`."""
        if self.since is not None:
            since = parse_moment(self.since)
            if since is None or moment < since:
                return False
        if self.until is not None:
            until = parse_moment(self.until)
            if until is None:
                return False
            if PLAIN_DATE.fullmatch(self.until.strip()):
                return moment - until < timedelta(days=1)
            return moment <= until
        return True


def _field_matches(fields: object, name: str, wanted: str) -> bool:
    wanted = wanted.strip().casefold()
    return any(_as_text(value).casefold() == wanted for value in _values(fields, name))


def _values(fields: object, name: str) -> Iterator[Json]:
    """Every value that `name` stands for, a name with dots being tried as written and as a path."""
    if isinstance(fields, list):
        for item in fields:
            yield from _values(item, name)
        return
    if not hasattr(fields, "get"):
        return
    found = fields.get(name)
    if isinstance(found, list):
        yield from found
    elif name in fields:  # type: ignore[operator]
        yield found
    head, dot, rest = name.partition(".")
    while dot:
        if head in fields:  # type: ignore[operator]
            yield from _values(fields.get(head), rest)
        more, dot, rest = rest.partition(".")
        head = f"{head}.{more}"


def _as_text(value: Json) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip()
