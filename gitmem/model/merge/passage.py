"""What both sides added in one place, put into one order that does not depend on who is first."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from gitmem.model.merge.sequence import align

_TIME = re.compile(
    r"[\s>*+#-]*(?:\d{1,9}[.)]\s+)?[\[(*_`]*"
    r"(\d{4}-\d{2}-\d{2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2}(?::\d{2})?)(?!\d)"
)


class Place(Struct, frozen=True):
    """A run of items of one side: where it begins and ends there, and what it is sorted by."""

    side: int
    start: int
    end: int
    key: tuple[str, str]


def time_of(text: str) -> str:
    """The date or time that `text` begins with, behind list marks; empty where it begins otherwise."""
    match = _TIME.match(text)
    if match is None:
        return ""
    day, _, clock = match[1].replace("T", " ").rpartition(" ")
    return f"{day} {clock.zfill(5)}".strip() if day or ":" in clock else clock


def woven(
    texts: tuple[Sequence[str], Sequence[str]], *, heads: tuple[Sequence[bool], Sequence[bool]], by_time: bool
) -> list[tuple[int, int]]:
    """Both sequences as one, as (side, position): items that both have stand once, the rest in order.

    A run goes from one item that `heads` marks to the next and is never taken apart. Runs are taken one
    after another, the smaller beginning first; so the order of each side stays, and that of giving
    them does not matter.
    """
    pairs = align(texts[0], texts[1])
    order: list[tuple[int, int]] = []
    at = (0, 0)
    for i, j in [*pairs, (len(texts[0]), len(texts[1]))]:
        runs = [
            _runs(side, texts[side], heads[side], at[side], end, by_time) for side, end in ((0, i), (1, j))
        ]
        order += [(run.side, n) for run in _merged(*runs) for n in range(run.start, run.end)]
        if i < len(texts[0]):
            order.append((0, i))
        at = (i + 1, j + 1)
    return order


def _runs(
    side: int, texts: Sequence[str], heads: Sequence[bool], start: int, end: int, by_time: bool
) -> list[Place]:
    starts = [n for n in range(start, end) if n == start or heads[n]]
    bounds = zip(starts, [*starts[1:], end], strict=False)
    return [Place(side, a, b, (time_of(texts[a]) if by_time else "", texts[a])) for a, b in bounds]


def _merged(first: list[Place], second: list[Place]) -> list[Place]:
    merged: list[Place] = []
    first, second = first[::-1], second[::-1]
    while first and second:
        merged.append((first if first[-1].key <= second[-1].key else second).pop())
    return merged + first[::-1] + second[::-1]
