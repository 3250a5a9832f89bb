"""What a side did to a sequence, and where two sides meet. The same for blocks, lines and rows.

    align       pairs of equal items, by items that occur once, then by likeness of runs
    script_of   what a side did to the base: kept, replaced, inserted
    stretches   the base cut into what is kept by both, changed by one, and changed by both

An item that only one side touched is never part of a meeting: two changes that merely touch do not meet.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from difflib import SequenceMatcher
from typing import Generic, TypeVar

from msgspec import Struct, field

T = TypeVar("T", bound=Hashable)
Pairs = list[tuple[int, int]]
Likeness = Callable[[T, T], float]

MOST_CELLS = 40_000
"""Items times items that are compared one by one; a larger stretch without landmarks counts as replaced."""
MOST_LIKENESSES = 900
ALIKE = 0.4
"""From this likeness on, an item counts as the changed form of another."""


def align(a: Sequence[T], b: Sequence[T]) -> Pairs:
    """Positions of equal items in both, rising. Bounded: about n log n, and `MOST_CELLS` a stretch."""
    pairs: Pairs = []
    stack = [(0, len(a), 0, len(b))]
    while stack:
        a0, a1, b0, b1 = stack.pop()
        while a0 < a1 and b0 < b1 and a[a0] == b[b0]:
            pairs.append((a0, b0))
            a0, b0 = a0 + 1, b0 + 1
        while a0 < a1 and b0 < b1 and a[a1 - 1] == b[b1 - 1]:
            a1, b1 = a1 - 1, b1 - 1
            pairs.append((a1, b1))
        if a0 == a1 or b0 == b1:
            continue
        marks = _landmarks(a, b, a0, a1, b0, b1)
        if marks:
            edges = [(a0 - 1, b0 - 1), *marks, (a1, b1)]
            pairs += marks
            for (i0, j0), (i1, j1) in itertools.pairwise(edges):
                stack.append((i0 + 1, i1, j0 + 1, j1))
        elif (a1 - a0) * (b1 - b0) <= MOST_CELLS:
            matcher = SequenceMatcher(None, a[a0:a1], b[b0:b1], autojunk=False)
            for block in matcher.get_matching_blocks():
                pairs += [(a0 + block.a + k, b0 + block.b + k) for k in range(block.size)]
    return sorted(pairs)


def _landmarks(a: Sequence[T], b: Sequence[T], a0: int, a1: int, b0: int, b1: int) -> Pairs:
    """Items that occur once on both sides, the longest run of them that rises on both."""
    counts_a, counts_b = Counter(a[a0:a1]), Counter(b[b0:b1])
    where = {item: at for at, item in enumerate(b[b0:b1], b0) if counts_b[item] == 1}
    once = [(at, where[a[at]]) for at in range(a0, a1) if counts_a[a[at]] == 1 and a[at] in where]
    tails: list[int] = []
    chain: list[int] = []
    before: list[int | None] = []
    for number, (_, at) in enumerate(once):
        place = bisect_left(tails, at)
        before.append(chain[place - 1] if place else None)
        tails[place : place + 1] = [at]
        chain[place : place + 1] = [number]
    run: Pairs = []
    number_or_none = chain[-1] if chain else None
    while number_or_none is not None:
        run.append(once[number_or_none])
        number_or_none = before[number_or_none]
    return run[::-1]


class Script(Struct, Generic[T]):
    """What a side did to a base of `size` items.

    `before[g]` and `after[g]` are the side's position at the gap before base item `g`, without and with
    what it inserted there. `replaced` are (start, end) in the base, not empty, in order; inside one, gaps
    have no position of their own.
    """

    size: int
    before: list[int] = field(default_factory=list)
    after: list[int] = field(default_factory=list)
    replaced: list[tuple[int, int]] = field(default_factory=list)


def script_of(base: Sequence[T], side: Sequence[T], likeness: Likeness[T] | None = None) -> Script[T]:
    """What `side` did to `base`; with `likeness`, an item alike to one that went counts as its new form."""
    script: Script[T] = Script(len(base), [0] * (len(base) + 1), [0] * (len(base) + 1))
    at, position = 0, 0
    for i, j, is_equal in [*_anchors(base, side, likeness), (len(base), len(side), True)]:
        if i > at:
            script.replaced.append((at, i))
            script.before[at] = script.after[at] = position
            script.before[i] = script.after[i] = j
        else:
            script.before[i], script.after[i] = position, j
        if not is_equal:
            script.replaced.append((i, i + 1))
        at, position = i + 1, j + 1
    return script


def _anchors(
    base: Sequence[T], side: Sequence[T], likeness: Likeness[T] | None
) -> Iterator[tuple[int, int, bool]]:
    """Pairs of items that are one, equal or changed, rising."""
    at, position = 0, 0
    for i, j in [*align(base, side), (len(base), len(side))]:
        if likeness:
            yield from ((a, b, False) for a, b in _alike(base, side, at, i, position, j, likeness))
        if i < len(base):
            yield i, j, True
        at, position = i + 1, j + 1


def _alike(
    base: Sequence[T], side: Sequence[T], b0: int, b1: int, s0: int, s1: int, likeness: Likeness[T]
) -> Pairs:
    """Pairs of an item and its changed form within a stretch where nothing is equal, the likest in all."""
    rows, columns = b1 - b0, s1 - s0
    if not rows or not columns or rows * columns > MOST_LIKENESSES:
        return []
    scores = [[likeness(base[b0 + i], side[s0 + j]) for j in range(columns)] for i in range(rows)]
    best = [[0.0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(rows - 1, -1, -1):
        for j in range(columns - 1, -1, -1):
            pair = scores[i][j] + best[i + 1][j + 1] if scores[i][j] >= ALIKE else 0.0
            best[i][j] = max(pair, best[i + 1][j], best[i][j + 1])
    pairs: Pairs = []
    i = j = 0
    while i < rows and j < columns:
        score = scores[i][j]
        if score >= ALIKE and best[i][j] == score + best[i + 1][j + 1]:
            pairs.append((b0 + i, s0 + j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


class Stretch(Struct, frozen=True):
    """A part of the base with what stands for it on each side, as (start, end) positions.

    `is_first_changed` and `is_second_changed` say who touched it. An empty `base` is an insertion.
    """

    base: tuple[int, int]
    first: tuple[int, int]
    second: tuple[int, int]
    is_first_changed: bool
    is_second_changed: bool


def stretches(first: Script[T], second: Script[T]) -> Iterator[Stretch]:
    """The base from front to end: insertions, kept items, and what was replaced, joined where it meets."""
    regions = dict(_regions(first, second))
    touched = (_touched(first), _touched(second))
    g = 0
    while True:
        inserted_first = (first.before[g], first.after[g])
        inserted_second = (second.before[g], second.after[g])
        is_first, is_second = inserted_first[0] < inserted_first[1], inserted_second[0] < inserted_second[1]
        if is_first or is_second:
            yield Stretch((g, g), inserted_first, inserted_second, is_first, is_second)
        if g == first.size:
            return
        end = regions.get(g, g + 1)
        yield Stretch(
            (g, end),
            (first.after[g], first.before[end]),
            (second.after[g], second.before[end]),
            _touches(first, touched[0], g, end),
            _touches(second, touched[1], g, end),
        )
        g = end


def _regions(first: Script[T], second: Script[T]) -> Iterator[tuple[int, int]]:
    """The replaced parts of both, joined where they share a base item."""
    spans = sorted([*first.replaced, *second.replaced])
    start, end = -1, -1
    for span_start, span_end in spans:
        if span_start >= end:
            if end > start:
                yield start, end
            start, end = span_start, span_end
        end = max(end, span_end)
    if end > start:
        yield start, end


def _touched(script: Script[T]) -> list[bool]:
    """For each item of the base whether the side replaced it."""
    touched = [False] * script.size
    for start, end in script.replaced:
        touched[start:end] = [True] * (end - start)
    return touched


def _touches(script: Script[T], touched: list[bool], start: int, end: int) -> bool:
    """Whether a side changed anything between two gaps of the base."""
    return any(touched[start:end]) or any(script.before[g] < script.after[g] for g in range(start + 1, end))
