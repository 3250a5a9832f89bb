"""What a query must and must not have: phrases, words that exclude, beginnings of words.

The index keeps how often a word occurs, not where. So a phrase is looked for in the text of the
memories that have all of its words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from heapq import nlargest

from gitmem.index.analysis import QueryTerm, plain_words, term_of, whole_terms
from gitmem.index.columns import CREATED
from gitmem.index.content import IndexContent
from gitmem.index.folding import fold
from gitmem.index.irregular import bases_of
from gitmem.index.keys import key
from gitmem.index.period import WALL_TIME
from gitmem.index.record import Record, RecordFilter
from gitmem.index.schema import KEYS, SCORED_FIELDS, WRITTEN_FIELDS, texts_of
from gitmem.index.scope import Scope, scope_among
from gitmem.index.scoring import Evidence, gather_forms
from gitmem.index.stopwords import DROPPED
from gitmem.model.memory import Memory
from gitmem.recall.query import Query
from gitmem.recall.syntax import Item, Kind
from gitmem.recall.weights import SCORING

Read = Callable[[Record], Memory]
_LEAST_STEM_CHARACTERS = 3
_STEM_TAILS = ("", "e", "i", "y")


class Narrowing:
    """Looks into the memories of one content, in scope, for what the index alone cannot tell."""

    def __init__(self, content: IndexContent, read: Read) -> None:
        self._content = content
        self._read = read
        self._words: dict[int, list[list[str]]] = {}

    def narrowed(self, scope: Scope, where: RecordFilter, query: Query) -> Scope:
        """`scope` without what the filter or the query excludes."""
        allowed = scope.allowed
        period = where.period
        if period is not None and not period.is_same_everywhere and allowed is not None:
            created, by_wall = self._content.numbers(CREATED), self._content.having(KEYS, key(*WALL_TIME))
            allowed = frozenset(
                number for number in allowed if period.has(created[number], is_wall_time=number in by_wall)
            )
        gone: set[int] = set()
        for name in where.excluded_keys():
            gone.update(self._content.having(KEYS, name))
        for item in query.without:
            gone.update(self._with(item, scope))
        if gone:
            allowed = (frozenset(self._content.all_documents()) if allowed is None else allowed) - gone
        if allowed == scope.allowed:
            return scope
        return scope_among(self._content, allowed, ("among", allowed))

    def having_phrases(self, phrases: Iterable[str], scope: Scope) -> set[int] | None:
        """The documents in scope that have each of `phrases`; None where there are none."""
        found: set[int] | None = None
        for phrase in phrases:
            having = self._having_phrase(plain_words(phrase), scope)
            found = having if found is None else found & having
        return found

    def begun(self, prefixes: Iterable[str], scope: Scope) -> list[Evidence]:
        """The evidence of each beginning of words that any document in scope has."""
        found = []
        for prefix in prefixes:
            word = QueryTerm(f"{prefix}*", f"{prefix}*")
            forms = self._beginning(prefix, scope, SCORED_FIELDS)
            found.append(gather_forms(self._content, word, forms, scope, SCORING))
        return [evidence for evidence in found if evidence is not None]

    def _with(self, item: Item, scope: Scope) -> set[int]:
        """The documents that have what `item` names, in what is written in them."""
        if item.kind == Kind.PREFIX:
            forms = self._beginning(fold(item.text), scope, WRITTEN_FIELDS)
            having = {term: self._having(term, WRITTEN_FIELDS) for term in forms}
            return set().union(*(having[term] if only is None else only for term, only in forms.items()))
        words = plain_words(item.text)
        if item.kind == Kind.WORD and len(words) == 1:
            return self._having(term_of(words[0]), WRITTEN_FIELDS)
        found = self._having_phrase(words, scope)
        for term in whole_terms(item.text) if item.kind == Kind.WORD else ():
            found |= self._having(term, WRITTEN_FIELDS)
        return found

    def _having(self, term: str, fields: Iterable[str]) -> set[int]:
        return set().union(*(self._content.documents_with(field, term) for field in fields))

    def _having_phrase(self, words: Sequence[str], scope: Scope) -> set[int]:
        having = [self._having(term_of(word), WRITTEN_FIELDS) for word in dict.fromkeys(words)]
        candidates = set.intersection(*having) if having else set()
        return {
            document
            for document in candidates
            if scope.holds(document) and any(_follow(words, text) for text in self._texts(document))
        }

    def _beginning(self, prefix: str, scope: Scope, fields: Sequence[str]) -> dict[str, set[int] | None]:
        """The terms of words that begin with `prefix`, each with the documents it counts in, None for all.

        A stem is shorter than its words: `deployme*` means documents that have `deploy`, if the
        word there begins so.
        """
        found: dict[str, set[int] | None] = {}
        for field in fields:
            found.update(dict.fromkeys(self._content.terms(field, prefix)))
        stems = {
            prefix[:end] + tail for end in range(_LEAST_STEM_CHARACTERS, len(prefix)) for tail in _STEM_TAILS
        }
        for stem in sorted((stems | bases_of(prefix)) - found.keys() - DROPPED):
            only = {
                document
                for document in self._having(stem, fields)
                if scope.holds(document) and self._has_word(document, prefix)
            }
            if only:
                found[stem] = only
        return found

    def _has_word(self, document: int, prefix: str) -> bool:
        return any(word.startswith(prefix) for text in self._texts(document) for word in text)

    def _texts(self, document: int) -> list[list[str]]:
        if document not in self._words:
            memory = self._read(self._content.record(document))
            self._words[document] = [plain_words(text) for text in texts_of(memory)]
        return self._words[document]


def newest(
    content: IndexContent, scope: Scope, where: RecordFilter, limit: int
) -> tuple[dict[int, float], int]:
    """The `limit` documents that pass and were created last, with those as new as the last; how many pass."""
    created = content.numbers(CREATED)
    documents = list(content.all_documents()) if scope.allowed is None else list(scope.allowed)
    if where.fields:
        documents = [number for number in documents if where.has_fields(content.record(number))]
    top = nlargest(limit, map(created.__getitem__, documents))
    return {number: 0.0 for number in documents if top and created[number] >= top[-1]}, len(documents)


def _follow(words: Sequence[str], text: Sequence[str]) -> bool:
    """Whether `words` stand in `text` one after the other."""
    first, count = words[0], len(words)
    start = -1
    while True:
        try:
            start = text.index(first, start + 1)
        except ValueError:
            return False
        if list(text[start : start + count]) == list(words):
            return True
