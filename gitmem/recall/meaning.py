"""Meaning: how near the passages of a memory are to the question, where the words leave something unsaid.

Fusion by normalised sum. How far a memory stands above the others in scope, in standard deviations of the
cosine of its best passage, is added in standard deviations of the other scores, times the share of the
question that no memory says in words. Neighbours in a session lend each other half, as they do words.
A passage that is `similar` lifts its memory to what words of the same relevance would give it, times that
share, at least.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from gitmem.index.analysis import QueryTerm, is_unspaced
from gitmem.index.content import IndexContent
from gitmem.index.scope import Scope
from gitmem.index.sessions import Sessions
from gitmem.recall.answer import Reason
from gitmem.recall.lifted import Lifted
from gitmem.recall.neighbours import LENDING
from gitmem.recall.question import Question
from gitmem.recall.stages import DIGITS_KEPT
from gitmem.recall.weights import CUTOFF, CUTOFF_MOST_WORDS, MEANING_LENT, MEANING_SHARE, MOST_LENDERS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

_MOST_QUERY_CHARACTERS = 2_000
_COSINE_DIGITS = 5
"""The order of sums differs between machines; behind these digits the cosines would too."""


def text_to_embed(question: Question, words: Sequence[QueryTerm]) -> str:
    """The telling words of a question as they were typed; all of a long text, or one without blanks.

    `Who`, `did` and the name of somebody who wrote half of the store say nothing of what an answer means.
    """
    text = question.text[:_MOST_QUERY_CHARACTERS]
    if len(words) > CUTOFF_MOST_WORDS or any(is_unspaced(word.term) for word in words):
        return text
    return " ".join(dict.fromkeys(word.word for word in words))


def of_the_living(content: IndexContent, cosines: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """`cosines` with NaN for documents that were deleted, or that a view leaves out."""
    import numpy as np

    living = cosines.copy()
    for leaf in content.leaves:
        if leaf.living is not None:
            is_dead = np.frombuffer(leaf.living, dtype=np.uint8) == 0
            living[leaf.base : leaf.base + leaf.size][is_dead] = np.nan
    return living


class MeaningScores:
    """What each document gets for its meaning.

    A memory that shares no word with the question is found by meaning only if its cosine is `similar`.
    """

    def __init__(
        self,
        cosines: npt.NDArray[np.float32],
        similar: float,
        unsaid: float,
        once: float,
        scope: Scope,
        sessions: Sessions | None,
    ) -> None:
        """`unsaid` is the share of the question that no memory says in words, 0 to 1.

        `once` is what a memory gets that has each word once: the word score of a relevance of 1.
        """
        import numpy as np

        self._similar, self._unsaid, self._once, self._scope = similar, unsaid, once, scope
        self._cosines = np.full(len(cosines), np.nan)
        if scope.allowed is None:
            self._cosines[:] = cosines
        else:
            allowed = np.fromiter(scope.allowed, dtype=np.int64, count=len(scope.allowed))
            self._cosines[allowed] = cosines[allowed]
        self._cosines = np.round(self._cosines, _COSINE_DIGITS)
        self._having = np.flatnonzero(~np.isnan(self._cosines))
        self._heights = self._in_deviations(sessions)
        self._added: dict[int, float] = {}

    def added_to(self, scores: Mapping[int, float]) -> dict[int, float]:
        """`scores` with what each document gets for its meaning, and what is found by it alone."""
        import numpy as np

        scores = scores.of(scores) if isinstance(scores, Lifted) else scores
        unit = MEANING_SHARE * self._unsaid * (_deviation(scores, self._scope.count) or 1.0)
        found = np.flatnonzero(self._heights > 0)
        heights = dict(zip(found.tolist(), self._heights[found].tolist(), strict=True))
        similar = set(np.flatnonzero(self._cosines >= self._similar).tolist())
        reached = scores.keys() | similar
        self._added = {document: unit * height for document, height in heights.items() if document in reached}
        for document in similar:
            # A strong likeness counts as a word score of its relevance, however few memories there are.
            least = self._unsaid * self.share(document) * self._once - scores.get(document, 0.0)
            self._added[document] = max(self._added.get(document, 0.0), least)
        totals = {**dict.fromkeys(sorted(similar - scores.keys()), 0.0), **scores}
        for document, added in self._added.items():
            totals[document] += added
        return totals

    def reason(self, document: int) -> Reason | None:
        """How near its best passage is."""
        added, cosine = self._added.get(document, 0.0), float(self._cosines[document])
        if not added and not cosine >= self._similar:
            return None
        text = f"its closest passage has the cosine {cosine:.2f}"
        return Reason("meaning", text, added=round(added, DIGITS_KEPT))

    def share(self, document: int) -> float:
        """Its cosine on the scale of relevance: `similar` is where a question counts as answered."""
        return self._share(float(self._cosines[document]))

    def best_share(self, documents: Collection[int]) -> float:
        """The highest share among `documents`."""
        import numpy as np

        numbers = np.fromiter(documents, dtype=np.int64, count=len(documents))
        cosines = self._cosines[numbers]
        return self._share(float(np.nanmax(cosines))) if not np.isnan(cosines).all() else 0.0

    def _share(self, cosine: float) -> float:
        zero = (self._similar - CUTOFF) / (1 - CUTOFF)
        return 0.0 if math.isnan(cosine) else round(min(1.0, max(0.0, (cosine - zero) / (1 - zero))), 4)

    def _in_deviations(self, sessions: Sessions | None) -> npt.NDArray[np.float64]:
        """How many standard deviations each document stands above the mean, with what neighbours lend."""
        import numpy as np

        heights = np.zeros(len(self._cosines))
        having = self._having
        if not len(having):
            return heights
        heights[having] = self._cosines[having] - self._cosines[having].mean()
        if sessions is not None:
            heights = self._with_lent(heights, sessions)
        own = heights[having]
        deviation = own.std()
        heights[having] = (own - own.mean()) / deviation if deviation > 1e-9 else 0.0
        return heights

    def _with_lent(self, heights: npt.NDArray[np.float64], sessions: Sessions) -> npt.NDArray[np.float64]:
        import numpy as np

        lenders = np.argsort(-heights, kind="stable")[:MOST_LENDERS]
        lent = np.zeros(len(heights) + 1)
        weights = LENDING.in_window()
        for document in lenders[heights[lenders] > 0].tolist():
            # What goes to nobody, -1, lands behind the last document.
            for other, weight in zip(sessions.window(document), weights, strict=True):
                lent[other] += weight * heights[document]
        return (1 - MEANING_LENT) * heights + MEANING_LENT * lent[:-1]


def _deviation(scores: Mapping[int, float], count: int) -> float:
    """The standard deviation over `count` documents, of which those that are not in `scores` have 0."""
    if not count:
        return 0.0
    mean = math.fsum(scores.values()) / count
    return math.sqrt(max(0.0, math.fsum(score * score for score in scores.values()) / count - mean * mean))
