"""The session score: BM25 of a whole session as one document, from the same postings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.index.columns import NO_GROUP
from gitmem.index.scope import Scope
from gitmem.index.scoring import Evidence, Frequencies, idf
from gitmem.index.sessions import Sessions
from gitmem.recall.answer import Reason
from gitmem.recall.stages import DIGITS_KEPT
from gitmem.recall.weights import SCORING, SESSION_B, SESSION_K1, SESSION_SHARE

_BY_SESSION = "by session"


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

    def added_to(self, scores: Mapping[int, float]) -> Mapping[int, float]:
        if not self._by_session:
            return scores
        group_of, of_session = self._sessions.group_of, self._by_session.get
        return {document: score + of_session(group_of[document], 0.0) for document, score in scores.items()}

    def reason(self, document: int) -> Reason | None:
        """Which words its session has."""
        group = self._sessions.group_of[document]
        words = {word: gains[group] for word, gains in self._gains if group in gains}
        if not words:
            return None
        text = ", ".join(sorted(words, key=lambda word: -words[word]))
        return Reason("session", f"its session has {text}", added=round(self._by_session[group], DIGITS_KEPT))

    def _by_group(self, scope: Scope) -> dict[int, float]:
        """BM25 of each session; its length is how many memories it has, beside the mean of those in scope."""
        sizes = self._sessions.sizes
        of_all = SESSION_K1 * (1 - SESSION_B)
        of_size = SESSION_K1 * SESSION_B / (scope.mean_group_size or 1.0)
        scores: dict[int, float] = {}
        get = scores.get
        for found in self._evidence:
            frequencies = self._grouped(found.frequencies)
            worth = idf(scope.groups, len(frequencies)) * SCORING.share(found.word) * (SESSION_K1 + 1)
            gains = {
                group: worth * frequency / (frequency + of_all + of_size * sizes[group])
                for group, frequency in frequencies.items()
            }
            for group, gain in gains.items():
                scores[group] = get(group, 0.0) + gain
            self._gains.append((found.word.word, gains))
        return scores

    def _grouped(self, frequencies: Frequencies) -> dict[int, float]:
        """The frequencies of a word by session, added once for all questions that have it."""
        found = frequencies.derived.get(_BY_SESSION)
        if found is None:
            found = frequencies.derived[_BY_SESSION] = {}
            group_of, get = self._sessions.group_of, found.get
            for document, frequency in frequencies.items():
                group = group_of[document]
                found[group] = get(group, 0.0) + frequency
            found.pop(NO_GROUP, None)
        return found
