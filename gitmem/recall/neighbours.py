"""Words, and the words of the neighbours: BM25F in which a session's turns lend each other their words.

What stands next to a memory in its session is a field of it, as in BM25F: its frequencies are added
with a weight before they saturate (Robertson, Zaragoza, Taylor 2004).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.index.scope import Scope
from gitmem.index.scoring import Evidence, Frequencies
from gitmem.index.sessions import NOBODY, REACH, Sessions, Weights
from gitmem.recall.answer import Reason
from gitmem.recall.stages import DIGITS_KEPT, added_up
from gitmem.recall.weights import K1, LENT_BY_EARLIER, LENT_BY_LATER, LENT_BY_LONG, MOST_LENDERS

LENDING = Weights(later=LENT_BY_EARLIER, earlier=LENT_BY_LATER)
"""A memory gives to the later ones as their earlier."""


class WordScores:
    """The score of each document by its own words and by what its neighbours lend it."""

    def __init__(
        self, evidence: Sequence[Evidence], scope: Scope, sessions: Sessions | None, length_share: float
    ) -> None:
        self._evidence = evidence
        self._scope = scope
        self._sessions = sessions
        self._rarest_first = [
            (found.word.word, found.frequencies.keys().isdisjoint)
            for found in sorted(evidence, key=lambda found: -found.worth)
        ]
        self._own_scores: dict[int, float] = {}
        self._lent_share = 1 - LENT_BY_LONG * length_share
        self.scores = added_up([self._gains(found) for found in evidence])
        self.best = max(self.scores.values(), default=0.0)

    def own_score(self, document: int) -> float:
        """The score without neighbours."""
        score = self._own_scores.get(document)
        if score is None:
            score = 0.0
            for found in self._evidence:
                if document in found.frequencies:
                    score += found.worth * _saturated(found.frequencies[document])
            score = self._own_scores[document] = round(score, DIGITS_KEPT)
        return score

    def reason(self, document: int) -> Reason | None:
        """Which words its neighbours lent, and by how much that lifted it."""
        if self._sessions is None:
            return None
        window = self._sessions.window(document)
        near = window[:REACH] + window[REACH + 1 :]
        words = [word for word, lack in self._rarest_first if not lack(near)]
        if not words:
            return None
        lent = round(self.scores[document] - self.own_score(document), DIGITS_KEPT)
        return Reason("neighbours", f"next to it in its session: {', '.join(words)}", added=lent)

    def _gains(self, found: Evidence) -> Mapping[int, float]:
        """What a word gives to each document, found once for all questions that have it."""
        frequencies = found.frequencies
        lend = self._sessions is not None and len(frequencies) <= MOST_LENDERS
        name = (found.worth, K1, (LENDING, self._lent_share) if lend else None)
        gains = frequencies.derived.get(name)
        if gains is None:
            worth, k1, most = found.worth, K1, K1 + 1
            counted = self._lent(frequencies) if lend else frequencies
            # As `_saturated`, without a call for each document.
            gains = {document: worth * (count * most / (count + k1)) for document, count in counted.items()}
            frequencies.derived[name] = gains
        return gains

    def _lent(self, frequencies: Frequencies) -> dict[int, float]:
        """`frequencies` with what each memory lends its neighbours in scope."""
        assert self._sessions is not None
        window, share, weights = self._sessions.window, self._lent_share, LENDING.in_window()
        added = dict(frequencies)
        get = added.get
        for document, frequency in frequencies.items():
            lent = frequency * share
            for other, weight in zip(window(document), weights, strict=True):
                added[other] = get(other, 0.0) + weight * lent
        added.pop(NOBODY, None)
        allowed = self._scope.allowed
        if allowed is not None and not allowed.issuperset(added):
            return {document: frequency for document, frequency in added.items() if document in allowed}
        return added


def _saturated(frequency: float) -> float:
    """BM25's growth with frequency, from 0 to below `K1` + 1."""
    return frequency * (K1 + 1) / (frequency + K1)
