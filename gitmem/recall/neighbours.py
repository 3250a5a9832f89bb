"""Words, and the words of the neighbours: BM25F in which a session's turns lend each other their words.

What stands next to a memory in its session is a field of it, as in BM25F: its frequencies are added
with a weight before they saturate (Robertson, Zaragoza, Taylor 2004).
"""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.index.scope import Scope
from gitmem.index.scoring import Evidence, Frequencies
from gitmem.index.sessions import Sessions, Weights
from gitmem.recall.answer import Reason
from gitmem.recall.stages import DIGITS_KEPT, words_of
from gitmem.recall.weights import K1, LENT_BY_EARLIER, LENT_BY_LATER, LENT_BY_LONG, MOST_LENDERS

LENDING = Weights(later=LENT_BY_EARLIER, earlier=LENT_BY_LATER)
"""A memory gives to the later ones as their earlier."""


def saturated(frequency: float, k1: float = K1) -> float:
    """BM25's growth with frequency, from 0 to below `k1` + 1."""
    return frequency * (k1 + 1) / (frequency + k1)


class WordScores:
    """The score of each document by its own words and by what its neighbours lend it."""

    def __init__(
        self, evidence: Sequence[Evidence], scope: Scope, sessions: Sessions | None, length_share: float
    ) -> None:
        self._evidence = evidence
        self._scope = scope
        self._sessions = sessions
        self._rarest_first = sorted(evidence, key=lambda found: -found.worth)
        self._own_scores: dict[int, float] = {}
        self._lent_share = 1 - LENT_BY_LONG * length_share
        self.scores = self._added(lend=sessions is not None)

    def own_score(self, document: int) -> float:
        """The score without neighbours."""
        score = self._own_scores.get(document)
        if score is None:
            gains = [
                found.worth * saturated(found.frequencies[document])
                for found in self._evidence
                if document in found.frequencies
            ]
            score = self._own_scores[document] = round(sum(gains), DIGITS_KEPT)
        return score

    def reason(self, document: int) -> Reason | None:
        """Which words its neighbours lent, and by how much that lifted it."""
        if self._sessions is None:
            return None
        pairs = self._sessions.next_to(document, LENDING)
        near = [number for number, _ in pairs if self._scope.holds(number)]
        words = words_of(self._rarest_first, near)
        if not words:
            return None
        lent = round(self.scores[document] - self.own_score(document), DIGITS_KEPT)
        return Reason("neighbours", f"next to it in its session: {', '.join(words)}", added=lent)

    def _added(self, *, lend: bool) -> dict[int, float]:
        scores: dict[int, float] = {}
        get = scores.get
        for found in self._evidence:
            worth = found.worth
            for document, gain in self._gains(found.frequencies, lend=lend).items():
                scores[document] = get(document, 0.0) + worth * gain
        return scores

    def _gains(self, frequencies: Frequencies, *, lend: bool) -> dict[int, float]:
        """What a word gives of its worth to each document, found once for all questions that have it."""
        lend = lend and len(frequencies) <= MOST_LENDERS
        name = (LENDING, self._lent_share) if lend else None
        found = frequencies.derived.get(name)
        if found is None:
            counted = self._lent(frequencies) if lend else frequencies
            found = {document: saturated(frequency) for document, frequency in counted.items()}
            frequencies.derived[name] = found
        return found

    def _lent(self, frequencies: Frequencies) -> dict[int, float]:
        """`frequencies` with what each memory lends its neighbours in scope."""
        assert self._sessions is not None
        next_to, share = self._sessions.next_to, self._lent_share
        added = dict(frequencies)
        get = added.get
        for document, frequency in frequencies.items():
            lent = frequency * share
            for other, weight in next_to(document, LENDING):
                added[other] = get(other, 0.0) + weight * lent
        allowed = self._scope.allowed
        if allowed is not None and not allowed.issuperset(added):
            return {document: frequency for document, frequency in added.items() if document in allowed}
        return added
