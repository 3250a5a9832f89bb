"""Which of many memories may say the same as one, or the contrary: by their rarest words, unread."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from gitmem.evolve.claims import Reading

Term = TypeVar("Term", bound=Hashable)
Having = Callable[[str], Collection[int]]
"""The numbers of the memories that hold a word."""
MOST_OF_A_CLAIM = 3
MOST_OF_A_MEMORY = 5
LEAST_SHARE = 0.6
"""Of what the words are worth, by their rarity, so much must be found in a candidate."""
MOST_CLAIMS = 40
_MOST_TERMS = 60


def closest(reading: Reading, having: Having, total: int) -> list[int]:
    """The numbers of the memories that are worth reading, the closest first; bounded, whatever the size."""
    found: dict[int, None] = {}
    claims = [claim for claim in reading.claims if len(claim.terms) >= 2][:MOST_CLAIMS]
    for number in best(reading.terms, having, total, MOST_OF_A_MEMORY):
        found[number] = None
    if len(claims) > 1:
        for claim in claims:
            for number in best(claim.terms, having, total, MOST_OF_A_CLAIM):
                found[number] = None
    return list(found)


def best(
    terms: Iterable[Term],
    having: Callable[[Term], Collection[int]],
    total: int,
    most: int,
    *,
    least_share: float = LEAST_SHARE,
) -> list[int]:
    """The numbers of at most `most` memories of `total`, the best by the worth of the terms they hold.

    Rare terms come first; once the rest is worth too little to make a candidate, only known ones count.
    """
    holders = sorted(((having(term), term) for term in terms), key=lambda each: (len(each[0]), str(each[1])))
    weighed = [(math.log(1 + total / (1 + len(numbers))), numbers) for numbers, _ in holders[:_MOST_TERMS]]
    left = sum(weight for weight, _ in weighed)
    least = least_share * left
    scores: dict[int, float] = {}
    for weight, numbers in weighed:
        if left >= least:
            for number in numbers:
                scores[number] = scores.get(number, 0.0) + weight
        elif scores:
            for number in set(scores).intersection(numbers):
                scores[number] += weight
        left -= weight
    good = [(-score, number) for number, score in scores.items() if score >= least]
    return [number for _, number in sorted(good)[:most]]
