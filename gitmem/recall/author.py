"""Names: whose memories the question is about."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from itertools import pairwise

from gitmem.index.analysis import QueryTerm, query_words
from gitmem.index.folding import fold
from gitmem.index.keys import key
from gitmem.index.schema import KEYS
from gitmem.index.stopwords import DROPPED
from gitmem.recall.answer import Reason
from gitmem.recall.stages import Asked
from gitmem.recall.weights import AUTHOR_LIFT, FREQUENT_AUTHOR_SHARE


class Names:
    """The authors and entities in scope that a question names, each with its documents."""

    def __init__(self, asked: Asked) -> None:
        self._authors: dict[str, Set[int]] = {}
        self._entities: dict[str, Set[int]] = {}
        has_entities = asked.content.has_terms(KEYS, key("entity", ""))
        for name in _names_in(asked.question.words):
            # A whole name is kept with its first word: where that is none, the whole need not be looked up.
            first, _, rest = name.partition(" ")
            if not rest or asked.content.having(KEYS, key("name", first)):
                self._find("name", name, asked, self._authors)
            if has_entities:
                self._find("entity", name, asked, self._entities)
        self._scope_count = asked.scope.count

    @staticmethod
    def _find(kind: str, name: str, asked: Asked, found: dict[str, Set[int]]) -> None:
        documents = asked.content.having(KEYS, key(kind, name))
        if documents:
            found[name] = asked.scope.those_of(documents)

    def without_frequent(self, words: tuple[QueryTerm, ...]) -> tuple[QueryTerm, ...]:
        """`words` but for the names of who wrote so much that they tell nothing; all if none is left."""
        least = FREQUENT_AUTHOR_SHARE * self._scope_count
        frequent = [name for name, documents in self._authors.items() if len(documents) >= least]
        dropped = {term for name in frequent for term in _terms_of(name)}
        return tuple(word for word in words if word.term not in dropped) or words

    def meant(self) -> tuple[str, Set[int]] | None:
        """The one name in the question with its documents; None where there is none, or several."""
        distinct: dict[frozenset[int], str] = {}
        for name, found in (self._authors or self._entities).items():
            distinct.setdefault(frozenset(found), name)
        if len(distinct) != 1:
            return None
        ((documents, name),) = distinct.items()
        return name, documents


class AuthorFactor:
    """Lifts the memories of the one whom the question names."""

    def __init__(self, name: str, documents: Set[int]) -> None:
        self._name = name
        self.reach: Set[int] = documents
        self.most = 1 + AUTHOR_LIFT

    def factor_of(self, document: int) -> float:
        return self.most if document in self.reach else 1.0

    def reason(self, document: int) -> Reason | None:
        if document not in self.reach:
            return None
        return Reason("author", f"the query names {self._name}", self.most)


@lru_cache(maxsize=1024)
def _terms_of(name: str) -> tuple[str, ...]:
    return tuple(word.term for word in query_words(name))


def _names_in(words: tuple[str, ...]) -> list[str]:
    """What may be a name: each word and each pair of neighbouring words, without a possessive end."""
    plain = [fold(word).removesuffix("'s").removesuffix("'") for word in words]
    pairs = [f"{first} {second}" for first, second in pairwise(plain)]
    return [name for name in dict.fromkeys((*plain, *pairs)) if name not in DROPPED]
