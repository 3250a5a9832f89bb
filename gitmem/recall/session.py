"""The session score: BM25 of a whole session as one document, from the same postings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.index.columns import NO_GROUP
from gitmem.index.scope import Scope
from gitmem.index.scoring import Evidence, idf
from gitmem.index.sessions import Sessions
from gitmem.recall.answer import Reason
from gitmem.recall.neighbours import saturated
from gitmem.recall.weights import SCORING, SESSION_B, SESSION_K1, SESSION_SHARE


class SessionScores:
    """What each document gets for its session: a share of the best word score, by how good the session is."""

    def __init__(
        self,
        evidence: Sequence[Evidence],
        scope: Scope,
        sessions: Sessions,
        word_scores: Mapping[int, float],
    ) -> None:
        self._evidence = evidence
        self._sessions = sessions
        self._members: dict[int, dict[str, float]] = {}
        by_group = self._by_group(scope)
        best = max(by_group.values(), default=0.0)
        share = SESSION_SHARE * max(word_scores.values(), default=0.0) / best if best else 0.0
        group_of = sessions.group_of
        self.scores = {
            document: share * by_group[group_of[document]]
            for document in word_scores
            if group_of[document] in by_group
        }

    def reason(self, document: int) -> Reason | None:
        """Which words its session has."""
        words = self._members.get(self._sessions.group_of[document])
        if not words or document not in self.scores:
            return None
        text = ", ".join(sorted(words, key=lambda word: -words[word]))
        return Reason("session", f"its session has {text}", added=self.scores[document])

    def _by_group(self, scope: Scope) -> dict[int, float]:
        group_of = self._sessions.group_of
        sizes: dict[int, float] = {}
        scores: dict[int, float] = {}
        for found in self._evidence:
            frequencies: dict[int, float] = {}
            for document, frequency in found.frequencies.items():
                group = group_of[document]
                if group != NO_GROUP:
                    frequencies[group] = frequencies.get(group, 0.0) + frequency
            worth = idf(scope.groups, len(frequencies)) * SCORING.share(found.word)
            for group, frequency in frequencies.items():
                size = sizes.get(group)
                if size is None:
                    size = sizes[group] = self._sessions.size(group) / (scope.mean_group_size or 1.0)
                gain = worth * saturated(frequency / (1 - SESSION_B + SESSION_B * size), SESSION_K1)
                scores[group] = scores.get(group, 0.0) + gain
                self._members.setdefault(group, {})[found.word.word] = gain
        return scores
