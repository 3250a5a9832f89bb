"""The session score: BM25 of a whole session as one document, from the same postings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gitmem.index.columns import NO_GROUP
from gitmem.index.scope import Scope
from gitmem.index.scoring import Evidence, Frequencies, idf
from gitmem.index.sessions import Sessions
from gitmem.recall.answer import Reason
from gitmem.recall.lifted import Lifted
from gitmem.recall.stages import DIGITS_KEPT, added_up
from gitmem.recall.weights import SCORING, SESSION_B, SESSION_K1, SESSION_SHARE

_BY_SESSION = "by session"


class SessionScores:
    """What each document gets for its session: a share of the best word score, by how good the session is."""

    def __init__(
        self,
        evidence: Sequence[Evidence],
        scope: Scope,
        sessions: Sessions,
        best_word_score: float,
    ) -> None:
        self._sessions = sessions
        self._gains = [(found.word.word, self._gains_of(found, scope)) for found in evidence]
        by_group = added_up([gains for _, gains in self._gains])
        best = max(by_group.values(), default=0.0)
        share = SESSION_SHARE * best_word_score / best if best else 0.0
        self._by_session = {group: share * score for group, score in by_group.items()}
        self._reasons: dict[int, Reason | None] = {}

    def added_to(self, scores: Mapping[int, float]) -> Lifted:
        """`scores` with what each document gets."""
        return Lifted(scores, self._by_session, self._sessions.group_of, self._sessions.members)

    def reason(self, document: int) -> Reason | None:
        """Which words its session has."""
        group = self._sessions.group_of[document]
        if group not in self._reasons:
            self._reasons[group] = self._reason(group)
        return self._reasons[group]

    def _reason(self, group: int) -> Reason | None:
        words = {word: gains[group] for word, gains in self._gains if group in gains}
        if not words:
            return None
        text = ", ".join(sorted(words, key=lambda word: -words[word]))
        return Reason("session", f"its session has {text}", added=round(self._by_session[group], DIGITS_KEPT))

    def _gains_of(self, found: Evidence, scope: Scope) -> Mapping[int, float]:
        """What a word gives to each session by BM25, found once for all questions that have it.

        The length of a session is how many memories it has, beside the mean of those in scope.
        """
        derived, share = found.frequencies.derived, SCORING.share(found.word)
        name = (_BY_SESSION, share, SESSION_K1, SESSION_B)
        gains = derived.get(name)
        if gains is None:
            frequencies = self._grouped(found.frequencies)
            sizes = self._sessions.sizes(frequencies.keys())
            of_all = SESSION_K1 * (1 - SESSION_B)
            of_size = SESSION_K1 * SESSION_B / (scope.mean_group_size or 1.0)
            worth = idf(scope.groups, len(frequencies)) * share * (SESSION_K1 + 1)
            gains = derived[name] = {
                group: worth * frequency / (frequency + of_all + of_size * sizes[group])
                for group, frequency in frequencies.items()
            }
        return gains

    def _grouped(self, frequencies: Frequencies) -> dict[int, float]:
        """The frequencies of a word by session."""
        found: dict[int, float] = {}
        group_of, get = self._sessions.group_of, found.get
        for document, frequency in frequencies.items():
            group = group_of[document]
            found[group] = get(group, 0.0) + frequency
        found.pop(NO_GROUP, None)
        return found
