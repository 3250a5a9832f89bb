"""The smallest rule of a merge: what one side left as it was, the other side decides.

base == first          second
base == second         first
first == second        first
all three differ       no answer: the caller has a rule for it
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
Ordered = TypeVar("Ordered", str, bool)


class BothChanged(Exception):
    """Both sides changed it, each in its own way."""


def changed_side(base: T | None, first: T, second: T) -> T:
    """What the side that changed has. Raises `BothChanged`; without a base only equal sides agree."""
    if first == second or second == base:
        return first
    if first == base:
        return second
    raise BothChanged


def changed_or_larger(base: Ordered | None, first: Ordered, second: Ordered) -> Ordered:
    """What the side that changed has; the larger by order where both did."""
    try:
        return changed_side(base, first, second)
    except BothChanged:
        return max(first, second)


def united(base: Sequence[T] | None, first: Sequence[T], second: Sequence[T]) -> list[T]:
    """The set that both sides come to: what either added is in, what either took out is out.

    In the order of `first`, then what only `second` added. As a set, symmetric and associative.
    """
    kept = [item for item in first if item in second or base is None or item not in base]
    return kept + [item for item in second if item not in first and (base is None or item not in base)]
