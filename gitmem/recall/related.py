"""Related words: which terms may stand in a memory for a word of the question."""

from __future__ import annotations

from gitmem.index.analysis import QueryTerm
from gitmem.recall.lexicon import related
from gitmem.recall.question import Question
from gitmem.recall.weights import RELATED_LEAST_TERMS, RELATED_MOST_TERMS


class RelatedWords:
    """The words related to those of one question.

    A single word is looked up as it is, a long text says enough itself, and a capital inside the
    text marks a name: `Elm Street` is no `road`.
    """

    def __init__(self, question: Question, *, always: bool = False) -> None:
        count = len(question.query_words)
        self._is_on = always or RELATED_LEAST_TERMS <= count <= RELATED_MOST_TERMS

    def __call__(self, word: QueryTerm) -> tuple[str, ...]:
        return related(word.term) if self._is_on and not word.is_name else ()
