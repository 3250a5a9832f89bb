"""What the stages of ranking have in common: what they are asked, and how they may be left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from datetime import UTC, datetime, tzinfo
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct

from gitmem.index.content import IndexContent
from gitmem.index.scope import Scope
from gitmem.recall.answer import Reason
from gitmem.recall.question import Question

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

STAGE_NAMES = (
    *("related", "aliases", "light", "neighbours", "session", "author", "names", "date"),
    *("importance", "confidence", "recency", "links", "usage", "meaning"),
)
"""The stages that a search can do without, for measuring what each is worth."""

DIGITS_KEPT = 9
"""Sums made in another order differ far behind these digits; without them order and reasons would too."""


class Meaning(Protocol):
    """What knows the vectors of memories."""

    @property
    def similar(self) -> float:
        """From this cosine on a passage answers a question though they share no word."""

    def cosines(self, content: IndexContent, text: str) -> npt.NDArray[np.float32] | None:
        """For each document, dead ones too, the cosine of its best passage with `text`.

        NaN without a vector, -1 without a passage; None where that cannot be told now.
        """


class Asked(Struct, frozen=True):
    """One question put to one content."""

    content: IndexContent
    question: Question
    scope: Scope
    now: datetime | None = None
    without: frozenset[str] = frozenset()
    zone: tzinfo | None = UTC
    meaning: Meaning | None = None
    """The vectors of the memories; None where questions are answered by words alone."""

    def has(self, stage: str) -> bool:
        """Whether a stage takes part."""
        return stage not in self.without


class Additive(Protocol):
    """A stage that turns the evidence into scores, which are added to those of the others."""

    def added_to(self, scores: Mapping[int, float]) -> Mapping[int, float]:
        """`scores` with what each document gets."""

    def reason(self, document: int) -> Reason | None:
        """Why `document` gets it."""


class Factor(Protocol):
    """A stage that multiplies."""

    most: float
    """The highest factor that any document has."""

    @property
    def reach(self) -> Set[int] | None:
        """The only documents that have another factor than 1; None where any may."""

    def factor_of(self, document: int) -> float:
        """By what the score of `document` is multiplied."""

    def reason(self, document: int) -> Reason | None:
        """Why; None where it is multiplied by 1."""


def added_up(parts: Sequence[Mapping[int, float]]) -> dict[int, float]:
    """The sum of what each of `parts` has for a number."""
    sums = dict(parts[0]) if parts else {}
    get = sums.get
    for part in parts[1:]:
        for number, value in part.items():
            sums[number] = get(number, 0.0) + value
    return sums
