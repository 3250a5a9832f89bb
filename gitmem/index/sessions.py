"""Sessions: which memories were made in one, and which stand next to each other in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gitmem.index.columns import CREATED, GROUP, NO_GROUP
from gitmem.index.content import IndexContent

Pairs = tuple[tuple[int, float], ...]


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
        self._pairs: dict[Pairs, Lending] = {}

    def lending(self, lending: Pairs) -> Lending:
        """For each document, those at certain distances in its session.

        `lending` names the distances, later ones > 0, each with a weight; each document comes with
        the weight of its distance.
        """
        found = self._pairs.get(lending)
        if found is None:
            found = Lending(lambda group: self._pairs_in(group, lending), self.group_of)
            self._pairs[lending] = found
        return found

    @property
    def sizes(self) -> Mapping[int, int]:
        """How many memories each session has."""
        if self._sizes is None:
            self._sizes = {group: len(members) for group, members in self._all_members().items()}
        return self._sizes

    def _pairs_in(self, group: int, lending: Pairs) -> dict[int, Pairs]:
        members = self._ordered(group) if group != NO_GROUP else []
        return {
            document: tuple(
                (members[place + distance], weight)
                for distance, weight in lending
                if 0 <= place + distance < len(members)
            )
            for place, document in enumerate(members)
        }

    def _ordered(self, group: int) -> list[int]:
        created, order_key = self._content.numbers(CREATED), self._content.order_key
        members = self._all_members().get(group, [])
        return sorted(members, key=lambda document: (created[document], order_key(document)))

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
