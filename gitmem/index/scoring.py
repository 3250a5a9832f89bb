"""BM25F over Whoosh's postings, one term at a time.

Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (2004). The
frequencies of a term in all fields are weighted, each normalised by the length of its field, and
added before they saturate; so a word that stands in title and text does not count twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from msgspec import Struct

from gitmem.index.analysis import QueryTerm
from gitmem.index.content import BYTE_LENGTHS, IndexContent
from gitmem.index.schema import SCORED_FIELDS, encode_term
from gitmem.index.scope import Scope


class FieldScoring(NamedTuple):
    """How much a field weighs, and how much its length counts; None is by its average length."""

    weight: float
    b: float | None


class Frequencies(dict[int, float]):
    """The weighted frequency of a word in each document in scope, shared by all that ask for it.

    `derived` is for what was made of them, so that it is forgotten with them.
    """

    __slots__ = ("derived",)

    def __init__(self, found: Mapping[int, float]) -> None:
        super().__init__(found)
        self.derived: dict[Hashable, dict[int, float]] = {}


class Evidence(NamedTuple):
    """One term of a question: what it is worth, and its weighted frequency in each document in scope.

    `forms` are the terms that stand for it, where it is a beginning of words.
    """

    word: QueryTerm
    worth: float
    frequencies: Frequencies
    forms: tuple[str, ...] = ()


class Scoring(Struct, frozen=True):
    """The parameters of frequencies: fields, the length at which length counts half, light words."""

    fields: Mapping[str, FieldScoring]
    half_length: float
    light_share: float
    name_share: float = 1.0
    related_fields: tuple[str, ...] = ()
    related_share: float = 0.0

    def share(self, word: QueryTerm) -> float:
        """What a term is worth of its idf."""
        return self.light_share if word.is_light else self.name_share if word.is_name else 1.0


def idf(documents: int, having: int) -> float:
    """How much a term tells that `having` of `documents` have; never negative."""
    return math.log(1 + (documents - having + 0.5) / (having + 0.5))


def length_share(content: IndexContent, half_length: float) -> float:
    """BM25's b for the text: short chat turns hardly differ by their length, long notes do."""
    average = _average_length(content, "text")
    return average / (average + half_length)


def gather(
    content: IndexContent,
    words: Sequence[QueryTerm],
    scope: Scope,
    scoring: Scoring,
    related: Callable[[QueryTerm], tuple[str, ...]] = lambda _: (),
) -> list[Evidence]:
    """The evidence of each of `words` that any document in scope has, itself or a related one.

    Document frequencies are those in scope; average lengths are those of all live documents.
    """
    own = {word.term for word in words}
    found: list[Evidence] = []
    for word in words:
        kin = related(word)
        others = content.known(kin, scoring.related_fields) if kin else ()
        terms = (word.term, *(term for term in others if term not in own)) if others else (word.term,)
        frequencies = content.kept_frequencies(
            (terms, scope.name), partial(_of_all, content, terms, scope, scoring)
        )
        if frequencies:
            worth = idf(scope.count, len(frequencies)) * scoring.share(word)
            found.append(Evidence(word, worth, frequencies))
    return found


def gather_forms(
    content: IndexContent,
    word: QueryTerm,
    forms: Mapping[str, Collection[int] | None],
    scope: Scope,
    scoring: Scoring,
) -> Evidence | None:
    """The evidence of a word that any of `forms` stands for, each only in its documents, None for all."""
    factors = _factors(content, scoring)
    frequencies = Frequencies({})
    for term, documents in forms.items():
        for document, frequency in _frequencies(content, term, scope, factors).items():
            if documents is None or document in documents:
                frequencies[document] = frequencies.get(document, 0.0) + frequency
    if not frequencies:
        return None
    worth = idf(scope.count, len(frequencies)) * scoring.share(word)
    return Evidence(word, worth, frequencies, tuple(forms))


def _of_all(content: IndexContent, terms: Sequence[str], scope: Scope, scoring: Scoring) -> Frequencies:
    """The frequencies of the first of `terms`, and a share of those of the others, which are its kin."""
    factors = _factors(content, scoring)
    frequencies = Frequencies(_frequencies(content, terms[0], scope, factors))
    some = {name: factors[name] for name in scoring.related_fields if name in factors}
    for term in terms[1:]:
        for document, frequency in _frequencies(content, term, scope, some).items():
            frequencies[document] = frequencies.get(document, 0.0) + scoring.related_share * frequency
    return frequencies


def _frequencies(
    content: IndexContent, term: str, scope: Scope, factors: Mapping[str, Sequence[float]]
) -> dict[int, float]:
    """The weighted frequency of `term` in each document in scope, over all fields."""
    found: dict[int, float] = {}
    allowed = scope.allowed
    for field, weights in factors.items():
        for leaf, postings in content.postings(field, term):
            base, lengths = leaf.base, content.length_bytes(leaf, field)
            some = (
                {own + base: count * weights[lengths[own]] for own, count in postings.items()}
                if allowed is None
                else {
                    own + base: count * weights[lengths[own]]
                    for own, count in postings.items()
                    if own + base in allowed
                }
            )
            if not found:
                found = some
                continue
            for document, frequency in some.items():
                found[document] = found.get(document, 0.0) + frequency
    return found


def _factors(content: IndexContent, scoring: Scoring) -> Mapping[str, Sequence[float]]:
    """For each field that has any words, what one occurrence weighs by the length byte."""

    def make() -> dict[str, list[float]]:
        found: dict[str, list[float]] = {}
        for field, (weight, b) in scoring.fields.items():
            average = _average_length(content, field)
            if average:
                share = length_share(content, scoring.half_length) if b is None else b
                found[field] = [weight / (1 - share + share * length / average) for length in BYTE_LENGTHS]
        return found

    return content.cached(("factors", scoring.half_length, tuple(scoring.fields.items())), make)


def _average_length(content: IndexContent, field: str) -> float:
    totals = content.totals
    return totals.lengths[SCORED_FIELDS.index(field)] / max(1, totals.documents)


def matched_fields(
    content: IndexContent,
    terms: Sequence[str],
    documents: Collection[int],
    fields: Collection[str] = SCORED_FIELDS,
) -> dict[int, dict[str, list[str]]]:
    """For each of `documents`, which of `terms` it has, and in which of `fields`."""
    found: dict[int, dict[str, list[str]]] = {document: {} for document in documents}
    used = [field for field in SCORED_FIELDS if field in fields and _average_length(content, field)]
    encoded = [(term, encode_term(term)) for term in terms]
    for leaf in content.leaves:
        here = {document - leaf.base: found[document] for document in documents if leaf.holds(document)}
        for term, data in encoded if here else ():
            for field in used:
                postings = leaf.postings.read(field, data)
                for own in here.keys() & postings.keys():
                    here[own].setdefault(term, []).append(field)
    return found
