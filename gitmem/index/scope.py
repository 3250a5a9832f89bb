"""The memories that a question is put to, as document numbers, found once for each filter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable

from msgspec import Struct

from gitmem.index.columns import CREATED, GROUP, NO_GROUP, VALID_FROM, VALID_UNTIL
from gitmem.index.content import IndexContent
from gitmem.index.grouping import grouping_of
from gitmem.index.moments import NO_MOMENT, beginning
from gitmem.index.record import RecordFilter
from gitmem.index.schema import KEYS, NAMES


class Scope(Struct, frozen=True):
    """Which documents pass the keys and the period of a filter: `allowed`, None for all that live.

    `name` tells it from the other scopes of its content.
    """

    name: Hashable
    allowed: frozenset[int] | None
    count: int
    groups: int
    mean_group_size: float

    def those_of(self, documents: frozenset[int]) -> frozenset[int]:
        """The ones of `documents` that are in scope."""
        return documents if self.allowed is None else documents & self.allowed

    def holds(self, document: int) -> bool:
        return self.allowed is None or document in self.allowed


def validity(content: IndexContent, first: int, last: int) -> Callable[[int], bool]:
    """Whether a document is valid at some moment of a time, from `first` to `last`."""
    created, begins, ends = (content.numbers(name) for name in (CREATED, VALID_FROM, VALID_UNTIL))

    def is_valid(document: int) -> bool:
        begin, end = begins[document], ends[document]
        return (beginning(created[document], end) if begin == NO_MOMENT else begin) <= last and end >= first

    return is_valid


def scope_of(content: IndexContent, where: RecordFilter) -> Scope:
    """The scope of `where` but for its `fields`, which only records can tell."""
    keys, period, valid = where.required_keys(), where.period_micros, where.valid_micros
    groups = where.name_groups()
    return content.cached_set(
        ("scope", keys, groups, period, valid),
        lambda: _scope(content, keys, groups, period, valid),
        content.documents,
    )


def _scope(
    content: IndexContent,
    keys: tuple[str, ...],
    groups: tuple[tuple[str, ...], ...],
    period: tuple[int, int] | None,
    valid: tuple[int, int] | None,
) -> Scope:
    allowed: frozenset[int] | None = None
    for name in keys:
        found = content.having(KEYS, name)
        allowed = found if allowed is None else allowed & found
    for group in groups:
        found = frozenset().union(*(content.having(NAMES, name) for name in group))
        allowed = found if allowed is None else allowed & found
    if period is not None:
        first, last = period
        created = content.numbers(CREATED)
        candidates = content.all_documents() if allowed is None else allowed
        allowed = frozenset(number for number in candidates if first <= created[number] <= last)
    if valid is not None:
        is_valid = validity(content, *valid)
        candidates = content.all_documents() if allowed is None else allowed
        allowed = frozenset(filter(is_valid, candidates))
    return scope_among(content, allowed, (keys, groups, period, valid))


def scope_among(content: IndexContent, allowed: frozenset[int] | None, name: Hashable) -> Scope:
    """The scope of some documents, or of all that live, under a `name` that no other scope has."""
    if allowed is None:
        # Not counted one by one: the first question in a store of any size would wait for that.
        groups, in_groups = grouping_of(content).counted()
        return Scope(name, None, content.documents, groups, in_groups / groups if groups else 0.0)
    group_of = content.numbers(GROUP)
    sizes = Counter(map(group_of.__getitem__, allowed))
    alone = sizes.pop(NO_GROUP, 0)
    mean = (len(allowed) - alone) / len(sizes) if sizes else 0.0
    return Scope(name, allowed, len(allowed), len(sizes), mean)
