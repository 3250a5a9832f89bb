"""From scores to an order: exact names, ids, phrases and corrections; no stage hides a memory."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable
from datetime import datetime
from typing import NamedTuple

from gitmem.index.content import IndexContent
from gitmem.index.keys import key
from gitmem.index.record import Record
from gitmem.index.schema import ID_KEY, KEYS, PATH
from gitmem.model.ids import id_key
from gitmem.recall.answer import Reason
from gitmem.recall.candidates import Candidate, Candidates
from gitmem.recall.corrections import apply_corrections
from gitmem.recall.question import Question, normal_text
from gitmem.recall.scores import Scores
from gitmem.recall.use import UseFactor
from gitmem.recall.weights import ID_FACTOR, PHRASE_CANDIDATES, PHRASE_FACTOR, SWING

ReadText = Callable[[Record], str]


class Named(NamedTuple):
    """The documents that a query names: whose id, path or title it is (`exact`), whose id stands in it."""

    exact: dict[int, str]
    ids: set[int]

    @classmethod
    def by(cls, question: Question, content: IndexContent) -> Named:
        """What `question` names in `content`."""
        return cls(exact_matches(content, question), named_ids(content, question))


class Ranking:
    """Turns the scores of all matches into the `limit` best candidates.

    `scores` are those of every document that matches query and filter. Documents are looked at
    from the best score down until no other can reach the cut.
    """

    def __init__(
        self,
        content: IndexContent,
        question: Question,
        named: Named,
        scores: Scores,
        read_text: ReadText,
        *,
        now: datetime | None = None,
        use: UseFactor | None = None,
    ) -> None:
        self._question = question
        self._scores = scores
        self._read_text = read_text
        self._seen = Candidates(content, scores, now, use)
        self._most = 1 + SWING if use else 1.0
        self._exact, self._named = named

    def best(self, limit: int) -> list[Candidate]:
        """The `limit` best candidates in order."""
        self._gather(limit)
        self._phrase_stage(limit)
        for document in self._named:
            if document in self._seen:
                candidate = self._seen[document]
                candidate.apply(Reason("id", f"the query names {candidate.record.id}", ID_FACTOR))
        apply_corrections(self._seen)
        self._exact_stage()
        return sorted(self._seen.values(), key=lambda candidate: candidate.order)[:limit]

    def _gather(self, limit: int) -> None:
        """Looks at each document that could be among the best, and at whatever corrects it."""
        self._seen.look_at_all((*self._exact, *self._named))
        texts_left = max(limit, PHRASE_CANDIDATES) if self._question.phrases else 0
        least_read = math.inf
        floors: list[float] = []
        for document, score in self._scores.best_first():
            if texts_left:
                texts_left -= 1
                least_read = score
            elif score < least_read and len(floors) == limit and score * self._most < floors[0]:
                break
            candidate = self._seen.look_at(document)
            floor = 0.0 if candidate.superseded_by else candidate.score * candidate.status_factor
            if len(floors) < limit:
                heapq.heappush(floors, floor)
            else:
                heapq.heappushpop(floors, floor)

    def _phrase_stage(self, limit: int) -> None:
        """A quoted phrase lends weight to the memories whose text has it, among the best by words."""
        if not self._question.phrases:
            return
        candidates = sorted(self._seen.values(), key=lambda candidate: candidate.order)
        for candidate in candidates[: max(limit, PHRASE_CANDIDATES)]:
            text = normal_text(self._read_text(candidate.record))
            found = [phrase for phrase in self._question.phrases if phrase in text]
            if found:
                candidate.apply(Reason("phrase", f"has the phrase “{'”, “'.join(found)}”", PHRASE_FACTOR))

    def _exact_stage(self) -> None:
        """What the whole query names comes first: an id or path always, a title if the memory holds."""
        best = max((candidate.score for candidate in self._seen.values()), default=0.0)
        for document, name in self._exact.items():
            candidate = self._seen.get(document)
            if candidate is not None and (name != "title" or candidate.holds):
                candidate.is_exact = True
                candidate.apply(Reason("exact", f"the query is its {name}", added=best))


def exact_matches(content: IndexContent, question: Question) -> dict[int, str]:
    """The documents whose id, path or title the whole query is."""
    text = question.text
    if not text:
        return {}
    found = dict.fromkeys(content.documents_with(KEYS, key("title", text)), "title")
    # What need not be looked up: the file of a memory ends so, and an id has no blanks.
    if text.casefold().endswith(".md"):
        found.update(dict.fromkeys(content.documents_with(PATH, text), "path"))
    if len(text.split()) == 1:
        found.update(dict.fromkeys(content.documents_with(ID_KEY, id_key(text)), "id"))
    return found


def named_ids(content: IndexContent, question: Question) -> set[int]:
    """The documents whose id stands in the query as a word."""
    words = {id_key(word) for word in question.words}
    return {document for word in sorted(words) for document in content.having(ID_KEY, word)}
