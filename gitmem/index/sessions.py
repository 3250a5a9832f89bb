"""Sessions: which memories were made in one, and which stand next to each other in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from gitmem.index.columns import CREATED, GROUP, NO_GROUP
from gitmem.index.content import IndexContent

Pairs = tuple[tuple[int, float], ...]


class Weights(NamedTuple):
    """What a memory gives to the next ones in its session, and to those before it, the nearest first."""

    later: tuple[float, ...]
    earlier: tuple[float, ...]


class Lending(dict[int, Pairs]):
    """Neighbours by document, found for a whole session when one of its documents is asked for."""

    def __init__(self, pairs_in: Callable[[int], dict[int, Pairs]], group_of: Sequence[int]) -> None:
        super().__init__()
        self._pairs_in = pairs_in
        self._group_of = group_of

    def __missing__(self, document: int) -> Pairs:
        self.update(self._pairs_in(self._group_of[document]))
        return self.setdefault(document, ())


class Sessions:
    """The live documents of one content by session: a session name within a namespace.

    In a session they are ordered by `created`, then by id and path in natural order.
    """

    def __init__(self, content: IndexContent) -> None:
        self._content = content
        self.group_of = content.numbers(GROUP)
        """The number of the session of each document; `NO_GROUP` where it has none."""
        self._members: dict[int, list[int]] | None = None
        self._sizes: dict[int, int] | None = None
        self._pairs: dict[Weights, Lending] = {}

    def lending(self, weights: Weights) -> Lending:
        """For each document, those next to it in its session, each with the weight of its distance."""
        found = self._pairs.get(weights)
        if found is None:
            found = Lending(lambda group: self._pairs_in(group, weights), self.group_of)
            self._pairs[weights] = found
        return found

    @property
    def sizes(self) -> Mapping[int, int]:
        """How many memories each session has."""
        if self._sizes is None:
            self._sizes = {group: len(members) for group, members in self._all_members().items()}
        return self._sizes

    def _pairs_in(self, group: int, weights: Weights) -> dict[int, Pairs]:
        members = self._ordered(group) if group != NO_GROUP else []
        (later, earlier), backwards, count = weights, members[::-1], len(members)
        return {
            document: (
                *zip(members[place + 1 : place + 1 + len(later)], later, strict=False),
                *zip(backwards[count - place : count - place + len(earlier)], earlier, strict=False),
            )
            for place, document in enumerate(members)
        }

    def _ordered(self, group: int) -> list[int]:
        created, order_key = self._content.numbers(CREATED), self._content.order_key
        members = sorted(self._all_members().get(group, []), key=created.__getitem__)
        if len({created[document] for document in members}) < len(members):
            members.sort(key=lambda document: (created[document], order_key(document)))
        return members

    def _all_members(self) -> dict[int, list[int]]:
        if self._members is None:
            self._members = {}
            for document in self._content.all_documents():
                group = self.group_of[document]
                if group != NO_GROUP:
                    self._members.setdefault(group, []).append(document)
        return self._members


def sessions_of(content: IndexContent) -> Sessions:
    """The sessions of `content`, found once."""
    return content.cached("sessions", lambda: Sessions(content))
