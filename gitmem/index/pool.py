"""Opened indexes, kept between the questions of one handle: opening one costs more than asking it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, Protocol, TypeVar

from gitmem.index.damage import DAMAGE

KEPT_CONTENTS = 3
"""How many are kept: that of the branch, that with the edits of the worktree, and one of another branch."""


class Keepable(Protocol):
    """What was opened, as far as a pool knows it."""

    def trim(self) -> None:
        """Lets go of what can be read again, where there is much of it."""

    def close(self) -> None:
        """Gives the files back."""


C = TypeVar("C", bound=Keepable)


class _Kept(NamedTuple, Generic[C]):
    place: str
    state: Hashable
    shown: Hashable
    content: C


class IndexPool(Generic[C]):
    """Contents that nobody is asking just now; safe to use from several threads.

    A content is known by the folder of its index, by the state that the files there were in, and by
    what it shows. It is lent to one asker at a time, and only while the files are the same.
    """

    def __init__(self, kept_contents: int = KEPT_CONTENTS) -> None:
        self._kept_contents = kept_contents
        self._lock = threading.Lock()
        self._idle: list[_Kept[C]] = []

    def take(self, place: str, state: Hashable, shown: Hashable) -> C | None:
        """The content that shows what is `shown`, now the caller's; None where none is kept.

        Whatever was opened from files of `place` in another state is closed.
        """
        with self._lock:
            gone = [kept for kept in self._idle if kept.place == place and kept.state != state]
            same = [kept for kept in self._idle if kept.place == place and kept.state == state]
            found = next((kept for kept in same if kept.shown == shown), None)
            self._idle = [kept for kept in self._idle if kept is not found and kept not in gone]
        for kept in gone:
            _close(kept.content)
        return found.content if found else None

    def put(self, place: str, state: Hashable, shown: Hashable, content: C) -> None:
        """Keeps `content` for the next asker, and closes the one that nobody asked for longest."""
        content.trim()
        with self._lock:
            self._idle.insert(0, _Kept(place, state, shown, content))
            gone, self._idle = self._idle[self._kept_contents :], self._idle[: self._kept_contents]
        for kept in gone:
            _close(kept.content)

    def close_unless(self, is_same: Callable[[str, Hashable], bool]) -> None:
        """Closes what was opened from files of a place that are no more in the state they were in."""
        with self._lock:
            gone = [kept for kept in self._idle if not is_same(kept.place, kept.state)]
            self._idle = [kept for kept in self._idle if kept not in gone]
        for kept in gone:
            _close(kept.content)

    def close(self) -> None:
        """Closes what is kept; may be repeated. What is lent just now is kept again when it comes back."""
        with self._lock:
            gone, self._idle = self._idle, []
        for kept in gone:
            _close(kept.content)


def _close(content: Keepable) -> None:
    try:
        content.close()
    except DAMAGE:
        return
