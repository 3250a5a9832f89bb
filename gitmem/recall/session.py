"""The session score: BM25 of a whole session as one document, from the same postings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.index.columns import NO_GROUP
from gitmem.index.scope import Scope
from gitmem.index.scoring import Evidence, idf
from gitmem.index.sessions import Sessions
from gitmem.recall.answer import Reason
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
        self._gains: list[tuple[str, dict[int, float]]] = []
        by_group = self._by_group(scope)
        best = max(by_group.values(), default=0.0)
        share = SESSION_SHARE * max(word_scores.values(), default=0.0) / best if best else 0.0
        self._by_session = {group: share * score for group, score in by_group.items()}

    def added_to(self, scores: Mapping[int, float]) -> dict[int, float]:
        group_of, of_session = self._sessions.group_of, self._by_session.get
        return {document: score + of_session(group_of[document], 0.0) for document, score in scores.items()}

    def reason(self, document: int) -> Reason | None:
        """Which words its session has."""
        group = self._sessions.group_of[document]
        words = {word: gains[group] for word, gains in self._gains if group in gains}
        if not words:
            return None
        text = ", ".join(sorted(words, key=lambda word: -words[word]))
        return Reason("session", f"its session has {text}", added=self._by_session[group])

    def _by_group(self, scope: Scope) -> dict[int, float]:
        group_of = self._sessions.group_of
        lengths: dict[int, float] = {}
        scores: dict[int, float] = {}
        for found in self._evidence:
            gains: dict[int, float] = {}
            for document, frequency in found.frequencies.items():
                group = group_of[document]
                gains[group] = gains.get(group, 0.0) + frequency
            gains.pop(NO_GROUP, None)
            worth = idf(scope.groups, len(gains)) * SCORING.share(found.word) * (SESSION_K1 + 1)
            for group, frequency in gains.items():
                length = lengths.get(group)
                if length is None:
                    length = lengths[group] = self._length(group, scope)
                gain = gains[group] = worth * frequency / (frequency + SESSION_K1 * length)
                scores[group] = scores.get(group, 0.0) + gain
            self._gains.append((found.word.word, gains))
        return scores

    def _length(self, group: int, scope: Scope) -> float:
        """By what the frequencies of a session are divided for its length, in memories."""
        size = self._sessions.size(group) / (scope.mean_group_size or 1.0)
        return 1 - SESSION_B + SESSION_B * size
