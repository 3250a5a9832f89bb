"""Scores whose factors are multiplied in where they are looked at: most memories are never near the best."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gitmem.recall.stages import DIGITS_KEPT, Factor

_SLACK = 1e-8
"""What rounding may add to a score, and more."""
_NEAR_SHARE = 0.4
"""What may reach this share of the best is sorted before anybody asks for more."""


class Scores(Mapping[int, float]):
    """The score of each document: a sum of evidence, multiplied by the factors of its stages."""

    def __init__(self, sums: Mapping[int, float], factors: Sequence[Factor] = ()) -> None:
        self._sums = sums
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

        Waiting documents are sorted by the most that the factors could make of them, and weighed
        when they come to the top. Few askers go on to what is far from the best: that waits unsorted.
        """
        most = math.prod(factor.most for factor in self._factors)
        least = _NEAR_SHARE * max(self._sums.values(), default=0.0)
        near = {document for document, score in self._sums.items() if score * most >= least}
        near.update(self._known)
        weighed = set(self._known)
        waiting = self._bounds(near)
        others_wait = len(near) < len(self._sums)
        heapq.heapify(waiting)
        while waiting or others_wait:
            if others_wait and (not waiting or -waiting[0][0] < least + _SLACK):
                others_wait = False
                waiting += self._bounds(self._sums.keys() - near)
                heapq.heapify(waiting)
            bound, document = waiting[0]
            if document in weighed:
                heapq.heappop(waiting)
                yield document, -bound
            else:
                weighed.add(document)
                heapq.heapreplace(waiting, (-self[document], document))

    def _bounds(self, documents: Iterable[int]) -> list[tuple[float, int]]:
        """The most that the factors could make of each document, or its score where that is known, negative."""
        sums, known = self._sums, self._known
        most = math.prod(factor.most for factor in self._factors if factor.reach is None)
        bounds = {document: sums[document] * most + _SLACK for document in documents}
        for factor in self._factors:
            if factor.reach is not None:
                for document in bounds.keys() & factor.reach:
                    bounds[document] *= factor.most
        bounds.update((document, known[document]) for document in known.keys() & bounds.keys())
        return [(-bound, document) for document, bound in bounds.items()]

    def and_also(self, documents: Iterable[int]) -> Scores:
        """These, and each of `documents` that is not among them with a score of 0."""
        others = [document for document in documents if document not in self._sums]
        return self._with({**dict.fromkeys(others, 0.0), **self._sums}) if others else self

    def only(self, documents: Iterable[int]) -> Scores:
        """The scores of `documents`; what has none has 0."""
        get = self._sums.get
        return self._with({document: get(document, 0.0) for document in documents})

    def changed(self, scores: Mapping[int, float]) -> Scores:
        """These, with other `scores` for some."""
        changed = self._with(self._sums)
        changed._known.update(scores)
        return changed

    def _with(self, sums: Mapping[int, float]) -> Scores:
        changed = Scores(sums, self._factors)
        changed._known.update(item for item in self._known.items() if item[0] in sums)
        return changed
