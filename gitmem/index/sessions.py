"""Sessions: which memories were made in one, and which stand next to each other in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import NamedTuple

from gitmem.index.columns import CREATED, GROUP, NO_GROUP
from gitmem.index.content import IndexContent
from gitmem.index.grouping import grouping_of


class Weights(NamedTuple):
    """What a memory gives to the next ones in its session, and to those before it, the nearest first."""

    later: tuple[float, ...]
    earlier: tuple[float, ...]


class Sessions:
    """The live documents of one content by session: a session name within a namespace.

    In a session they are ordered by `created`, then by id and path in natural order.
    """

    def __init__(self, content: IndexContent) -> None:
        self._content = content
        self._members = grouping_of(content).members
        self.group_of = content.numbers(GROUP)
        """The number of the session of each document; `NO_GROUP` where it has none."""
        self.sizes: Mapping[int, int] = _Sizes(content)
        """How many memories each session has."""
        self._ordered: dict[int, list[int]] = {}
        self._places: dict[int, int] = {}

    def next_to(self, document: int, weights: Weights) -> Sequence[tuple[int, float]]:
        """Those next to a document in its session, each with the weight of its distance."""
        group = self.group_of[document]
        if group == NO_GROUP:
            return ()
        members = self._ordered.get(group) or self._order(group)
        place = self._places[document]
        after = members[place + 1 : place + 1 + len(weights.later)]
        before = members[max(0, place - len(weights.earlier)) : place]
        return [
            *zip(after, weights.later, strict=False),
            *zip(reversed(before), weights.earlier, strict=False),
        ]

    def _order(self, group: int) -> list[int]:
        created, order_key = self._content.numbers(CREATED), self._content.order_key
        members = sorted(self._members(group), key=created.__getitem__)
        if len({created[document] for document in members}) < len(members):
            keys = {document: order_key(document) for document in members}
            if len(set(keys.values())) < len(members):
                # An id that was used twice.
                record = self._content.record
                members.sort(key=lambda document: record(document).path)
            members.sort(key=lambda document: (created[document], keys[document]))
        self._ordered[group] = members
        self._places.update(zip(members, count()))
        return members


class _Sizes(dict[int, int]):
    """Sizes that are counted where they are asked for: a question is about few of all sessions."""

    def __init__(self, content: IndexContent) -> None:
        super().__init__()
        self._members = grouping_of(content).members

    def __missing__(self, group: int) -> int:
        size = self[group] = len(self._members(group))
        return size


def sessions_of(content: IndexContent) -> Sessions:
    """The sessions of `content`, found once."""
    return content.cached("sessions", lambda: Sessions(content))
