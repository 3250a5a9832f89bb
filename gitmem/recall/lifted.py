"""Sums of which a part is the same for a whole group: it is added where a document is looked at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

_USUAL_SHARE = 0.5
"""Few groups are lifted by more than this share of the highest lift, where a question has several words."""
_MANY_MEMBERS = 20
"""To look at the members of a group costs as much as to look at so many of all documents."""


class Lifted(Mapping[int, float]):
    """The scores of documents, each with what its group is lifted by."""

    def __init__(
        self,
        scores: Mapping[int, float],
        lifts: Mapping[int, float] | None = None,
        group_of: Sequence[int] = (),
        members: Callable[[int], Iterable[int]] = lambda _: (),
    ) -> None:
        """`lifts` are by group; `group_of` has the group of each document, `members` its documents."""
        self._scores = scores
        self._lifts = lifts or {}
        self._group_of = group_of
        self._members = members

    def __getitem__(self, document: int) -> float:
        score = self._scores[document]
        return score + self._lifts.get(self._group_of[document], 0.0) if self._lifts else score

    def __iter__(self) -> Iterator[int]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __contains__(self, document: object) -> bool:
        return document in self._scores

    @cached_property
    def most(self) -> float:
        """No sum is higher."""
        return max(self._scores.values(), default=0.0) + self._most_lift

    def reaching(self, least: float) -> dict[int, float]:
        """The sum of each document that has `least` or more, and of some that have less."""
        usual = _USUAL_SHARE * self._most_lift
        high = [group for group, lift in self._lifts.items() if lift > usual]
        if len(high) * _MANY_MEMBERS > len(self._scores):
            return self.of(self._scores)
        found = [document for document, score in self._scores.items() if score >= least - usual]
        for group in high:
            found += filter(self._scores.__contains__, self._members(group))
        return self.of(found)

    def of(self, documents: Iterable[int]) -> dict[int, float]:
        """The sum of each of `documents`, which have one."""
        scores = self._scores
        if not self._lifts:
            return {document: scores[document] for document in documents}
        group_of, lift_of = self._group_of, self._lifts.get
        return {document: scores[document] + lift_of(group_of[document], 0.0) for document in documents}

    @cached_property
    def _most_lift(self) -> float:
        return max(self._lifts.values(), default=0.0)
