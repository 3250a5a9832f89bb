"""What a rule has found in a text."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable

from msgspec import Struct


class Found(Struct, frozen=True):
    """Something of a kind from `start` to `end` of a text, in characters. The value itself is not in it."""

    kind: str
    start: int
    end: int


def apart(found: Iterable[Found]) -> list[Found]:
    """What does not overlap, in the order of the text; of two that do, the one that came first stays."""
    kept: list[Found] = []
    starts: list[int] = []
    for each in found:
        place = bisect(starts, each.start)
        is_behind = place == 0 or kept[place - 1].end <= each.start
        if is_behind and (place == len(kept) or each.end <= kept[place].start):
            kept.insert(place, each)
            starts.insert(place, each.start)
    return kept
