"""Writes of several threads that arrive together, carried out together: who comes first does it for all.

While one thread is at work, those that come wait; the next of them then does the work of all that wait. So
nobody waits for a time to pass, one thread alone is not held up, and only one touches the repository.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, TypeVar

from msgspec import Struct, field

Asked = TypeVar("Asked")
Given = TypeVar("Given")
MOST_TOGETHER = 64
_lock = threading.Lock()
_waiting: dict[Hashable, list[Member[Any, Any]]] = {}
"""The members that wait, by group; a group that is here has a thread at work."""


class Member(Struct, Generic[Asked, Given], eq=False, dict=True):
    """One caller: what it asks for, and then what it gets: a result, or the error that is raised to it."""

    asked: Asked
    result: Given | None = None
    error: BaseException | None = None
    is_done: bool = False
    is_doubtful: bool = False
    """Whether the thread that did the work broke off, so that the work may have been done or not."""
    is_gone: bool = False
    """Whether the caller waits no longer, for whatever becomes of its work."""
    turn: threading.Event = field(default_factory=threading.Event)


CarryOut = Callable[[Sequence["Member[Asked, Given]"]], None]


def together(group: Hashable, asked: Asked, carry_out: CarryOut[Asked, Given]) -> Given:
    """What `carry_out` gives to this caller, who may be carried out with others of the same `group`.

    `carry_out` sets the result or the error of each member it is given, 64 at most, the caller's own among
    them. Where it raises, that goes to the caller in whose thread it ran; the others do their work alone, and
    see in `is_doubtful` that it may have been done.
    """
    mine: Member[Asked, Given] = Member(asked)
    with _lock:
        is_busy = group in _waiting
        _waiting.setdefault(group, []).append(mine)
    if is_busy:
        try:
            mine.turn.wait()
        except BaseException:
            _leave(group, mine)
            raise
    if not mine.is_done:
        _lead(group, mine, carry_out)
    if mine.error is not None:
        raise mine.error
    return mine.result  # type: ignore[return-value]


def _leave(group: Hashable, mine: Member[Any, Any]) -> None:
    """Takes a caller out that waits no longer; where it was its turn, the next one goes on."""
    with _lock:
        mine.is_gone = True
        waiting = _waiting.get(group, [])
        if mine in waiting:
            waiting.remove(mine)
            if mine.turn.is_set():
                _go_on(group)


def _go_on(group: Hashable) -> None:
    """Lets the next one do the work, if one waits; called with the lock."""
    if _waiting[group]:
        _waiting[group][0].turn.set()
    else:
        del _waiting[group]


def _lead(group: Hashable, mine: Member[Asked, Given], carry_out: CarryOut[Asked, Given]) -> None:
    """Carries out what waits, with `mine`; then wakes those that are done, and the one that goes on."""
    with _lock:
        waiting = _waiting[group]
        others = (
            [] if mine.is_doubtful else [one for one in waiting if one is not mine and not one.is_doubtful]
        )
        members = [mine, *others[: MOST_TOGETHER - 1]]
        _waiting[group] = [one for one in waiting if one not in members]
    try:
        carry_out(members)
        for member in members:
            member.is_done = True
    except BaseException:
        with _lock:
            for member in members[1:]:
                member.is_doubtful = True
            _waiting[group] = [*(one for one in members[1:] if not one.is_gone), *_waiting[group]]
        members = members[:1]
        raise
    finally:
        for member in members[1:]:
            member.turn.set()
        with _lock:
            _go_on(group)
