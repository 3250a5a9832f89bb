"""Sessions: which memories were made in one, and which stand next to each other in it."""

from __future__ import annotations

from collections.abc import Callable

from gitmem.index.columns import CREATED, GROUP, NO_GROUP
from gitmem.index.content import IndexContent

Pairs = tuple[tuple[int, float], ...]


class Sessions:
    """The live documents of one content by session: a session name within a namespace.

    In a session they are ordered by `created`, then by id and path in natural order.
    """

    def __init__(self, content: IndexContent) -> None:
        self._content = content
        self.group_of = content.numbers(GROUP)
        """The number of the session of each document; `NO_GROUP` where it has none."""
        self._members: dict[int, list[int]] | None = None
        self._pairs: dict[Pairs, dict[int, Pairs]] = {}

    def lending(self, lending: tuple[tuple[int, float], ...]) -> Callable[[int], Pairs]:
        """A function that gives the documents at certain distances in a document's session.

        `lending` names the distances, later ones > 0, each with a weight; each document comes with
        the weight of its distance.
        """
        known = self._pairs.setdefault(lending, {})

        def pairs_of(document: int) -> Pairs:
            found = known.get(document)
            if found is None:
                known.update(self._pairs_in(self.group_of[document], lending))
                found = known.setdefault(document, ())
            return found

        return pairs_of

    def size(self, group: int) -> int:
        """How many memories a session has."""
        return len(self._all_members().get(group, ()))

    def _pairs_in(self, group: int, lending: tuple[tuple[int, float], ...]) -> dict[int, Pairs]:
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
