"""What a recall gives back."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from gitmem.index.record import Record


class Reason(NamedTuple):
    """Why a hit stands where it stands: the stage, in words, and what it made of the score.

    Read in order from 0, `score * factor + added` of each reason gives the score of the hit.
    """

    stage: str
    text: str
    factor: float = 1.0
    added: float = 0.0

    def applied(self, score: float) -> float:
        """What this reason makes of the score so far."""
        return score * self.factor + self.added


MOST_HELD = 5
"""So many of what was held back are in an answer, for those who look all the same."""


class Hit(Struct, frozen=True):
    """One memory that answers the query.

    `score` orders; `relevance` is the word score as a share of what a memory gets that has each word
    of the question once, 0 to 1.
    """

    record: Record
    score: float
    relevance: float = 0.0
    reasons: tuple[Reason, ...] = ()
    labels: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()


class SearchAnswer(Struct, frozen=True):
    """The best hits, how many memories matched before the cut, what was looked for, and notes for people.

    `relevance` is that of the most relevant memory. Where it did not reach `cutoff`, there are no
    hits: `closest` is the most relevant of the `held_back` ones, `held` the best of them, best first.
    """

    hits: tuple[Hit, ...] = ()
    total: int = 0
    terms: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    relevance: float = 0.0
    cutoff: float = 0.0
    held_back: int = 0
    legs: tuple[str, ...] = ("words",)
    """By what was searched: words, and meaning where vectors were asked."""
    closest: Hit | None = None
    held: tuple[Hit, ...] = ()
