"""Scores whose factors are multiplied in where they are looked at: most memories are never near the best."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.recall.lifted import Lifted
from gitmem.recall.stages import DIGITS_KEPT, Factor

_SLACK = 1e-8
"""What rounding may add to a score, and more."""
_NEAR_SHARES = (0.35, 0.25, 0.15)
"""What may reach the first share of the best is put in order first, then what may reach the next ones."""


class Scores(Mapping[int, float]):
    """The score of each document: a sum of evidence, multiplied by the factors of its stages."""

    def __init__(self, sums: Mapping[int, float], factors: Sequence[Factor] = ()) -> None:
        self._sums = sums if isinstance(sums, Lifted) else Lifted(sums)
        self._factors = factors
        self._known: dict[int, float] = {}

    def __getitem__(self, document: int) -> float:
        score = self._known.get(document)
        if score is None:
            score = self._sums[document]
            for factor in self._factors:
                score *= factor.factor_of(document)
            score = self._known[document] = round(score, DIGITS_KEPT)
        return score

    def __iter__(self) -> Iterator[int]:
        return iter(self._sums)

    def __len__(self) -> int:
        return len(self._sums)

    def __contains__(self, document: object) -> bool:
        return document in self._sums

    def best_first(self) -> Iterator[tuple[int, float]]:
        """Every document with its score, the highest first, among equals the lower number.

        Documents are weighed in the order of the most that the factors could make of them, until
        none of the others can come before the best that was weighed. Few askers go on to what is far
        from the best: that is put in order when it is its turn.
        """
        known = dict(self._known)
        weighed = [(-score, document) for document, score in known.items()]
        heapq.heapify(weighed)
        most = math.prod(factor.most for factor in self._factors)
        above = math.inf
        for least in (*(share * self._sums.most for share in _NEAR_SHARES), -math.inf):
            bounds = self._bounds(
                {
                    document: score
                    for document, score in self._sums.reaching(least / most - _SLACK).items()
                    if least <= score * most < above and document not in known
                }
            )
            for document in sorted(bounds, key=bounds.__getitem__, reverse=True):
                yield from _popped(weighed, max(bounds[document], least + _SLACK))
                heapq.heappush(weighed, (-self[document], document))
            yield from _popped(weighed, least + _SLACK)
            above = least

    def _bounds(self, sums: Mapping[int, float]) -> dict[int, float]:
        """The most that the factors could make of each document, and a little more."""
        most = math.prod(factor.most for factor in self._factors if factor.reach is None)
        bounds = {document: score * most + _SLACK for document, score in sums.items()}
        for factor in self._factors:
            if factor.reach is not None:
                for document in bounds.keys() & factor.reach:
                    bounds[document] *= factor.most
        return bounds

    def and_also(self, documents: Iterable[int]) -> Scores:
        """These, and each of `documents` that is not among them with a score of 0."""
        others = [document for document in documents if document not in self._sums]
        return self._with(dict.fromkeys(others, 0.0) | self._sums.of(self._sums)) if others else self

    def only(self, documents: Iterable[int]) -> Scores:
        """The scores of `documents`; what has none has 0."""
        wanted = dict.fromkeys(documents, 0.0)
        return self._with(wanted | self._sums.of(filter(self._sums.__contains__, wanted)))

    def changed(self, scores: Mapping[int, float]) -> Scores:
        """These, with other `scores` for some."""
        changed = self._with(self._sums)
        changed._known.update(scores)
        return changed

    def _with(self, sums: Mapping[int, float]) -> Scores:
        changed = Scores(sums, self._factors)
        changed._known.update(item for item in self._known.items() if item[0] in sums)
        return changed


def _popped(weighed: list[tuple[float, int]], least: float) -> Iterator[tuple[int, float]]:
    """Takes what has a score of `least` or more out of a heap of negative scores, the best first."""
    while weighed and -weighed[0][0] >= least:
        score, document = heapq.heappop(weighed)
        yield document, -score
