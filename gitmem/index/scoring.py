"""BM25F over Whoosh's postings, one term at a time.

Robertson, Zaragoza, Taylor: Simple BM25 extension to multiple weighted fields (2004). The
frequencies of a term in all fields are weighted, each normalised by the length of its field, and
added before they saturate; so a word that stands in title and text does not count twice.
"""

from __future__ import annotations

import math
from collections.abc import Container, Sequence
from typing import NamedTuple

from whoosh.codec.whoosh3 import LENGTHS_COLUMN

from gitmem.index.content import BYTE_LENGTHS, IndexContent, Leaf
from gitmem.index.schema import SCORED_FIELDS, encode_term

K1 = 1.2
_B_HALF_LENGTH = 50.0
"""Average length at which length counts half: short chat turns hardly differ by it, long notes do."""


class FieldScoring(NamedTuple):
    """How much a field weighs, and how much its length counts; None is by its average length."""

    weight: float
    b: float | None


FIELDS = {
    "title": FieldScoring(2.0, 0.5),
    "text": FieldScoring(1.0, None),
    "tags": FieldScoring(1.5, 0.3),
    "entities": FieldScoring(1.5, 0.3),
    "dates": FieldScoring(1.0, 0.0),
    "ids": FieldScoring(1.0, 0.3),
    "other": FieldScoring(1.0, 0.3),
}


def score(
    content: IndexContent, terms: Sequence[str], allowed: Container[int] | None = None
) -> dict[int, float]:
    """The BM25F score of each document that has one of `terms` and is allowed.

    Document frequencies and average lengths are those of the live documents, whatever the filter.
    """
    scores: dict[int, float] = {}
    norms = _Norms(content)
    for term in terms:
        frequencies = _frequencies(content, term, norms)
        count = len(frequencies)
        if not count:
            continue
        idf = math.log(1 + (content.documents - count + 0.5) / (count + 0.5))
        gain = idf * (K1 + 1)
        for document, frequency in frequencies.items():
            if allowed is None or document in allowed:
                scores[document] = scores.get(document, 0.0) + gain * frequency / (frequency + K1)
    return scores


def matched_fields(
    content: IndexContent, terms: Sequence[str], documents: Sequence[int]
) -> dict[int, dict[str, list[str]]]:
    """For each of `documents`, which of `terms` it has, and in which fields."""
    found: dict[int, dict[str, list[str]]] = {document: {} for document in documents}
    wanted = sorted(documents)
    for term in terms:
        encoded = encode_term(term)
        for field in SCORED_FIELDS:
            for leaf in content.leaves:
                own = [
                    number - leaf.base
                    for number in wanted
                    if 0 <= number - leaf.base < leaf.reader.doc_count_all()
                ]
                if not own or (field, encoded) not in leaf.reader:
                    continue
                matcher = leaf.reader.postings(field, encoded)
                for number in own:
                    if matcher.is_active() and matcher.id() < number:
                        matcher.skip_to(number)
                    if not matcher.is_active():
                        break
                    if matcher.id() == number:
                        found[number + leaf.base].setdefault(term, []).append(field)
    return found


def _frequencies(content: IndexContent, term: str, norms: _Norms) -> dict[int, float]:
    """The weighted frequency of `term` in each document, over all fields."""
    found: dict[int, float] = {}
    for field in SCORED_FIELDS:
        for leaf, postings in content.postings(field, term):
            factors, base = norms.factors(field), leaf.base
            lengths = norms.lengths(leaf, field, len(postings))
            for own, weight in postings:
                document = own + base
                found[document] = found.get(document, 0.0) + weight * factors[lengths[own]]
    return found


class _Norms:
    """The weight of one occurrence in each field, by the length of the field as Whoosh keeps it."""

    def __init__(self, content: IndexContent) -> None:
        self._content = content
        self._factors: dict[str, list[float]] = {}
        self._lengths: dict[tuple[int, str], Sequence[int]] = {}

    def factors(self, field: str) -> list[float]:
        """The factor for each length byte."""
        if field not in self._factors:
            totals = self._content.totals
            average = totals.lengths[SCORED_FIELDS.index(field)] / max(1, totals.documents)
            weight, b = FIELDS[field]
            if b is None:
                b = average / (average + _B_HALF_LENGTH)
            self._factors[field] = [
                weight / (1 - b + b * length / (average or 1.0)) for length in BYTE_LENGTHS
            ]
        return self._factors[field]

    def lengths(self, leaf: Leaf, field: str, wanted: int) -> Sequence[int]:
        """The length byte of each document of a segment, of which `wanted` will be asked for."""
        name = (leaf.base, field)
        if name not in self._lengths:
            self._lengths[name] = _length_bytes(leaf, field)
        lengths = self._lengths[name]
        # Reading the whole column costs as much as asking for an eighth of it one by one.
        if wanted * 8 > leaf.reader.doc_count_all() and not isinstance(lengths, list | bytes):
            lengths = self._lengths[name] = list(lengths)
        return lengths


def _length_bytes(leaf: Leaf, field: str) -> Sequence[int]:
    reader, name = leaf.reader, f"_{field}_len"
    lengths = reader.codec().per_document_reader(reader.storage(), reader.segment())
    if not lengths.has_column(name):
        return bytes(reader.doc_count_all())
    column: Sequence[int] = lengths.column_reader(name, LENGTHS_COLUMN)
    return column
