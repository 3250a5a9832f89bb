"""Sessions: which memories were made in one, and which stand next to each other in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gitmem.index.columns import CREATED, GROUP, NO_GROUP
from gitmem.index.content import IndexContent
from gitmem.index.grouping import grouping_of

REACH = 3
"""How many memories before and after one count as next to it."""
NOBODY = -1
"""Stands for a document beyond the ends of a session."""


class Weights(NamedTuple):
    """What a memory gives to the `REACH` next ones in its session, and to those before it, nearest first."""

    later: tuple[float, ...]
    earlier: tuple[float, ...]

    def in_window(self) -> tuple[float, ...]:
        """The same for each place of a window; a memory gives itself nothing."""
        return (*reversed(self.earlier), 0.0, *self.later)


class Sessions:
    """The live documents of one content by session: a session name within a namespace.

    In a session they are ordered by `created`, then by id and path in natural order.
    """

    def __init__(self, content: IndexContent) -> None:
        self._content = content
        grouping = grouping_of(content)
        self.members = grouping.members
        """The documents of a session, in the order of their numbers."""
        self.sizes = grouping.sizes
        """How many memories the given sessions have, and maybe others."""
        self.group_of = content.numbers(GROUP)
        """The number of the session of each document; `NO_GROUP` where it has none."""
        self._windows: dict[int, tuple[int, ...]] = {}

    def window(self, document: int) -> tuple[int, ...]:
        """The `REACH` documents before one in its session, itself, and the `REACH` after it.

        `NOBODY` stands beyond the ends; what is in no session has nobody around it.
        """
        window = self._windows.get(document)
        if window is None:
            group = self.group_of[document]
            if group == NO_GROUP:
                return _ALONE
            self._look_around(self._in_order(group))
            window = self._windows[document]
        return window

    def _look_around(self, members: Sequence[int]) -> None:
        row = (*_BEYOND, *members, *_BEYOND)
        width = 2 * REACH + 1
        self._windows.update((member, row[place : place + width]) for place, member in enumerate(members))

    def _in_order(self, group: int) -> list[int]:
        created, order_key = self._content.numbers(CREATED), self._content.order_key
        members = sorted(self.members(group), key=created.__getitem__)
        if len({created[document] for document in members}) < len(members):
            keys = {document: order_key(document) for document in members}
            if len(set(keys.values())) < len(members):
                # An id that was used twice.
                record = self._content.record
                members.sort(key=lambda document: record(document).path)
            members.sort(key=lambda document: (created[document], keys[document]))
        return members


_BEYOND = (NOBODY,) * REACH
_ALONE = (NOBODY,) * (2 * REACH + 1)


def sessions_of(content: IndexContent) -> Sessions:
    """The sessions of `content`, found once."""
    return content.cached("sessions", lambda: Sessions(content))
