"""Relevance: the additive stages fused by normalised sum, then the stages that multiply."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.index.analysis import QueryTerm
from gitmem.index.columns import CONFIDENCE, CREATED, IMPORTANCE, NUMBERS
from gitmem.index.scoring import Evidence, gather, length_share
from gitmem.index.sessions import sessions_of
from gitmem.recall.answer import Reason
from gitmem.recall.author import AuthorFactor, Names
from gitmem.recall.dates import DateFactor
from gitmem.recall.factors import RecencyFactor, ShareFactor
from gitmem.recall.neighbours import WordScores
from gitmem.recall.related import RelatedWords
from gitmem.recall.session import SessionScores
from gitmem.recall.stages import Additive, Asked, Factor
from gitmem.recall.weights import HALF_LENGTH_WORDS, K1, SCORING

_DIGITS_KEPT = 9
"""Sums made in another order differ far behind these digits; without them the order would too."""


class Relevance:
    """The score of each document in scope that the words of a question reach, with its reasons."""

    def __init__(self, asked: Asked, begun: Sequence[Evidence] = ()) -> None:
        """`begun` is the evidence of beginnings of words, beside that of the words of the question."""
        names = Names(asked)
        self.evidence = [*_evidence(asked, names), *begun]
        sessions = sessions_of(asked.content) if asked.scope.groups else None
        lenders = sessions if asked.has("neighbours") else None
        share = length_share(asked.content, HALF_LENGTH_WORDS)
        self._words = WordScores(self.evidence, asked.scope, lenders, share)
        self._additive: list[Additive] = []
        if sessions is not None and asked.has("session"):
            self._additive.append(SessionScores(self.evidence, asked.scope, sessions, self._words.scores))
        self._factors = _factors(asked, names)
        self._most = sum(found.worth for found in self.evidence) * (K1 + 1)
        self.scores = self._fused()

    @property
    def forms(self) -> list[str]:
        """The terms that stand for beginnings of words."""
        return [form for found in self.evidence for form in found.forms]

    def share(self, document: int) -> float:
        """The word score as a share of the most that a memory could reach, 0 to 1."""
        most = self._most
        return min(1.0, self._words.scores.get(document, 0.0) / most) if most else 0.0

    def own_score(self, document: int) -> float:
        """What the words of `document` itself give it."""
        return self._words.own_score(document)

    def reasons(self, document: int) -> list[Reason]:
        """Why `document` has its score beyond that of its own words, stage by stage."""
        if document not in self._words.scores:
            return []
        found = [self._words.reason(document)]
        found += [stage.reason(document) for stage in self._additive]
        found += [stage.reason(document) for stage in self._factors]
        return [reason for reason in found if reason is not None]

    def _fused(self) -> dict[int, float]:
        totals = dict(self._words.scores)
        for stage in self._additive:
            totals = stage.added_to(totals)
        for factor in self._factors:
            factor.multiply(totals)
        return {document: round(score, _DIGITS_KEPT) for document, score in totals.items()}


def _evidence(asked: Asked, names: Names) -> list[Evidence]:
    """The evidence of the telling words; of all of them, and of related ones, where that finds nothing."""
    words = asked.question.query_words
    if not asked.has("light"):
        words = tuple(word._replace(is_light=False) for word in words)
    kept = names.without_frequent(words) if asked.has("names") else words
    for chosen, always in ((kept, False), (words, False), (words, True)):
        look_up = RelatedWords(asked.question, always=always) if asked.has("related") else _no_words
        found = gather(asked.content, chosen, asked.scope, SCORING, look_up)
        if found:
            return found
    return []


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
            stages.append(ShareFactor(name, numbers(name)))
    if asked.now is not None and asked.has("recency"):
        stages.append(RecencyFactor(asked.now, numbers(CREATED)))
    return stages


def _is_used(asked: Asked, name: str) -> bool:
    """Whether any memory has another value than the default, whose factor is 1."""
    numbers, default = asked.content.numbers(name), NUMBERS[name][1]
    return asked.content.cached(("is used", name), lambda: any(number != default for number in numbers))
