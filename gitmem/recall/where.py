"""Filters: which memories are meant, whatever the words say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from msgspec import Struct

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
from gitmem.index.names import ABOUT, called, without_kind
from gitmem.index.period import LAST_MICROS, NEVER, Period
from gitmem.index.record import Record
from gitmem.model.memory import Json, MemoryType

_DAY_MICROS = 86_400_000_000


class Where(Struct, frozen=True):
    """Conditions that must all hold; the empty one holds for every memory.

    A namespace matches itself and what is below it. Text is compared without case. `since`, `until`,
    `before` and `after` are compared with `created`. Store and commands take any words that name a
    time, and put what they mean into `during` (`gitmem.recall.during`). Without that, they are ISO
    dates or times, in UTC where they have no offset, and a plain date means its whole day. A
    memory without a readable `created` has no date to match. An entry of `fields` names a front
    matter field, nested ones with dots; a list matches if one of its items does. `also` and
    `without` are further keys, (kind, value), that it must and must not have.
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
    before: str | None = None
    after: str | None = None
    also: tuple[tuple[str, str], ...] = ()
    without: tuple[tuple[str, str], ...] = ()
    during: Period | None = None
    about: tuple[tuple[str, frozenset[str]], ...] = ()
    """Of `entities`, those that a memory stands for, with all names as `index.names.called` has them."""
    valid_at: str | None = None
    """A date: only what is valid at some moment of it, by `valid_from` and `valid_until`."""

    @property
    def needs_record(self) -> bool:
        """Whether a date, a field or a key that must not be there is to be looked at."""
        is_dated = self.period is not None or self.valid_at is not None
        return is_dated or bool(self.fields or self.without)

    @property
    def period_micros(self) -> tuple[int, int] | None:
        """The first and the last moment that `created` may name; None where every memory will do."""
        return None if self.period is None else self.period.hull

    @property
    def period(self) -> Period | None:
        """When `created` may be; None where every memory will do."""
        bounds = (self.since, self.after, self.until, self.before)
        if all(bound is None for bound in bounds):
            return self.during
        first = max(_in_utc(self.since), _in_utc(self.after, behind=True), NO_MOMENT + 1)
        ends = [_in_utc(self.until, behind=True), _in_utc(self.before)]
        if any(bound is not None and parse_moment(bound) is None for bound in bounds):
            return NEVER
        last = min((end - 1 for end in ends if end != NO_MOMENT), default=LAST_MICROS)
        return Period(first, last, first, last).both(self.during or Period())

    @property
    def valid_micros(self) -> tuple[int, int] | None:
        """The first and the last moment of `valid_at`; a time without any where it is no date."""
        return None if self.valid_at is None else span_of(self.valid_at) or (LAST_MOMENT, NO_MOMENT)

    def required_keys(self) -> tuple[str, ...]:
        """Exact keys that every matching memory has."""
        found = [key("tag", tag) for tag in self.tags]
        known = {entity for entity, _ in self.about}
        found += [key("entity", entity) for entity in self.entities if entity not in known]
        namespace = (self.namespace or "").strip("/")
        if namespace:
            found.append(key("in", namespace))
        single = {"type": self.type, "agent": self.agent, "session": self.session, "status": self.status}
        found += [key(kind, value) for kind, value in single.items() if value is not None]
        found += [key(kind, value) for kind, value in self.also]
        return tuple(dict.fromkeys(found))

    def name_groups(self) -> tuple[tuple[str, ...], ...]:
        """Terms of the index: of each group every matching memory has one, for an entity under all names."""
        return tuple(tuple(key(ABOUT, name) for name in sorted(names)) for _, names in self.about)

    def excluded_keys(self) -> tuple[str, ...]:
        """Exact keys that no matching memory has."""
        return tuple(key(kind, value) for kind, value in self.without)

    def matches(self, record: Record) -> bool:
        """Whether `record` fulfils every condition."""
        has_keys = record.keys().issuperset(self.required_keys())
        return has_keys and self._is_about(record) and self.matches_beyond_keys(record)

    def matches_beyond_keys(self, record: Record) -> bool:
        """Whether `record`, which has all required keys, fulfils the other conditions."""
        if self.period is not None and not self.period.holds(record.created):
            return False
        if self.without and not record.keys().isdisjoint(self.excluded_keys()):
            return False
        return self._is_valid(record) and self.has_fields(record)

    def _is_about(self, record: Record) -> bool:
        given = {called(name) for entity in record.entities for name in (entity, without_kind(entity))}
        return all(names & given for _, names in self.about)

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

    def is_in_time(self, moment: datetime) -> bool:
        """Whether `moment` is in the period."""
        return self.period is None or self.period.has(micros_of(moment), is_wall_time=False)


def _in_utc(text: str | None, *, behind: bool = False) -> int:
    """The first moment of an ISO date or time, or the first one `behind` it; `NO_MOMENT` where it is none."""
    start = micros_of(parse_moment(text))
    if text is None or start == NO_MOMENT or not behind:
        return start
    return start + (_DAY_MICROS if PLAIN_DATE.fullmatch(text.strip()) else 1)


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
