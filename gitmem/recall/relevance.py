"""Relevance: the additive stages fused by normalised sum, then the stages that multiply."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import repeat
from typing import TYPE_CHECKING

from gitmem.index.analysis import QueryTerm
from gitmem.index.columns import CONFIDENCE, CREATED, IMPORTANCE
from gitmem.index.moments import NO_MOMENT
from gitmem.index.scoring import Evidence, gather, idf, length_share
from gitmem.index.sessions import Sessions, sessions_of
from gitmem.recall.answer import Reason
from gitmem.recall.author import AuthorFactor, Names
from gitmem.recall.common import common_terms
from gitmem.recall.cutoff import terms_of_a_word
from gitmem.recall.dates import DateFactor
from gitmem.recall.factors import RecencyFactor, ShareFactor
from gitmem.recall.neighbours import WordScores
from gitmem.recall.related import RelatedWords
from gitmem.recall.scores import Scores
from gitmem.recall.session import SessionScores
from gitmem.recall.stages import Additive, Asked, Factor
from gitmem.recall.weights import HALF_LENGTH_WORDS, SCORING, TELLING_SHARE

if TYPE_CHECKING:
    from gitmem.recall.meaning import MeaningScores


class Relevance:
    """The score of each document in scope that the words of a question reach, with its reasons."""

    def __init__(self, asked: Asked, begun: Sequence[Evidence] = ()) -> None:
        """`begun` is the evidence of beginnings of words, beside that of the words of the question."""
        names = Names(asked)
        self.sought, found = _evidence(asked, names)
        self.evidence = [*found, *begun]
        sessions = sessions_of(asked.content) if asked.scope.groups else None
        lenders = sessions if asked.has("neighbours") else None
        share = length_share(asked.content, HALF_LENGTH_WORDS)
        self._words = WordScores(self.evidence, asked.scope, lenders, share)
        self._additive: list[Additive] = []
        if sessions is not None and asked.has("session"):
            self._additive.append(SessionScores(self.evidence, asked.scope, sessions, self._words.best))
        self._factors = _factors(asked, names)
        self._rare = idf(asked.scope.count, 1)
        self._once = self._worth_of_each_word_once()
        self.meaning = self._meaning_of(asked, lenders)
        if self.meaning is not None:
            self._additive.append(self.meaning)
        self.scores = self._fused()
        self._stages: Sequence[WordScores | Additive | Factor]
        self._stages = (self._words, *self._additive, *self._factors)
        self._by_words = (self._words, *(stage for stage in self._additive if stage is not self.meaning))

    @property
    def forms(self) -> list[str]:
        """The terms that stand for beginnings of words."""
        return [form for found in self.evidence for form in found.forms]

    def share(self, document: int) -> float:
        """The word score as a share of what a memory gets that has each word once, 0 to 1.

        What is nearer in meaning than in words has the share of its meaning.
        """
        in_words = self._share(self._words.scores.get(document, 0.0))
        return in_words if self.meaning is None else max(in_words, self.meaning.share(document))

    def best_share(self, documents: Collection[int]) -> float:
        """The highest share among `documents`."""
        in_words = self._share(self._best_of(documents))
        return in_words if self.meaning is None else max(in_words, self.meaning.best_share(documents))

    def _best_of(self, documents: Collection[int]) -> float:
        if documents is self.scores:
            return self._words.best
        return max(map(self._words.scores.get, documents, repeat(0.0)), default=0.0)

    def is_telling(self, documents: Collection[int]) -> bool:
        """Whether the best of `documents` has about the worth of a word that stands in a single memory.

        Who asks in words of their own often has one word in common with the answer, and no more. The
        words that all texts have in common do not tell by themselves.
        """
        if all(word.term in common_terms() for word in self.found):
            return False
        return self._best_of(documents) >= TELLING_SHARE * self._rare * terms_of_a_word(self.sought)

    def _meaning_of(self, asked: Asked, sessions: Sessions | None) -> MeaningScores | None:
        """The stage, where vectors are there to be asked and the words leave anything unsaid."""
        if asked.meaning is None or not self.sought or not asked.has("meaning"):
            return None
        from gitmem.recall.meaning import MeaningScores, of_the_living, text_to_embed

        cosines = asked.meaning.cosines(asked.content, text_to_embed(asked.question, self.sought))
        if cosines is None:
            return None
        unsaid = 1 - self._share(self._words.best)
        cosines = of_the_living(asked.content, cosines)
        return MeaningScores(cosines, asked.meaning.similar, unsaid, self._once, asked.scope, sessions)

    @property
    def found(self) -> list[QueryTerm]:
        """The words sought that any memory has, itself or by a related one."""
        return [evidence.word for evidence in self.evidence]

    def _share(self, score: float) -> float:
        return round(min(1.0, score / self._once), 4) if self._once else 0.0

    def _worth_of_each_word_once(self) -> float:
        """What a memory of average length would get; a word that no memory has is worth as if one had it."""
        found = {evidence.word.term for evidence in self.evidence}
        missing = [word for word in self.sought if word.term not in found]
        return sum(evidence.worth for evidence in self.evidence) + sum(
            self._rare * SCORING.share(word) for word in missing
        )

    def own_score(self, document: int) -> float:
        """What the words of `document` itself give it."""
        return self._words.own_score(document)

    def reasons(self, document: int) -> list[Reason]:
        """Why `document` has its score beyond that of its own words, stage by stage."""
        if document not in self.scores:
            return []
        by_words = document in self._words.scores
        stages = self._stages if by_words else [one for one in self._stages if one not in self._by_words]
        found = [stage.reason(document) for stage in stages]
        return [reason for reason in found if reason is not None]

    def _fused(self) -> Scores:
        totals: Mapping[int, float] = self._words.scores
        for stage in self._additive:
            totals = stage.added_to(totals)
        return Scores(totals, self._factors)


def _evidence(asked: Asked, names: Names) -> tuple[Sequence[QueryTerm], list[Evidence]]:
    """The telling words with their evidence; all words, and related ones, where that finds nothing."""
    words = asked.question.query_words
    if not asked.has("light"):
        words = tuple(word._replace(is_light=False) for word in words)
    kept = names.without_frequent(words) if asked.has("names") else words
    for chosen, always in ((kept, False), (words, False), (words, True)):
        look_up = RelatedWords(asked.question, always=always) if asked.has("related") else _no_words
        found = gather(asked.content, chosen, asked.scope, SCORING, look_up)
        if found:
            return chosen, found
    return words, []


def _no_words(word: QueryTerm) -> tuple[str, ...]:
    del word
    return ()


def _factors(asked: Asked, names: Names) -> Sequence[Factor]:
    numbers = asked.content.numbers
    stages: list[Factor] = []
    meant = names.meant() if asked.has("author") else None
    if meant is not None:
        stages.append(AuthorFactor(*meant))
    dates = DateFactor.of(asked) if asked.has("date") else None
    if dates is not None:
        stages.append(dates)
    for name in (IMPORTANCE, CONFIDENCE):
        if asked.has(name) and _is_used(asked, name):
            stages.append(ShareFactor(name, numbers(name), _highest(asked, name)))
    if asked.now is not None and asked.has("recency"):
        created, newest = numbers(CREATED), _highest(asked, CREATED)
        has_undated = asked.content.fact("has undated", lambda: NO_MOMENT in created)
        stages.append(RecencyFactor(asked.now, created, newest, has_undated=has_undated))
    return stages


def _highest(asked: Asked, name: str) -> int:
    return asked.content.fact(("highest", name), lambda: max(asked.content.numbers(name), default=0))


def _is_used(asked: Asked, name: str) -> bool:
    """Whether any memory has another value than the default, whose factor is 1."""
    return any(leaf.file.has_column(name) for leaf in asked.content.leaves)
