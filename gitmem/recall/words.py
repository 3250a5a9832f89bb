"""The words of the query that a hit has, and the fields where they stand, for people to read."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.index.schema import SCORED_FIELDS
from gitmem.index.scoring import Evidence, matched_fields
from gitmem.recall.lexicon import plain_word, related
from gitmem.recall.stages import Asked
from gitmem.recall.weights import SCORING

_MOST_SHOWN = 5
_MOST_FORMS = 200
"""How many words with one beginning are looked up to say which of them a hit has."""


def words_found(asked: Asked, evidence: Sequence[Evidence], documents: Sequence[int]) -> dict[int, str]:
    """For each of `documents` that has any word asked for, or one related to it: which, and where."""
    typed = {word.term: word.word for word in asked.question.query_words}
    own = matched_fields(asked.content, list(typed), documents)
    texts = {
        document: [f"{typed[term]} in {', '.join(fields)}" for term, fields in fields_of.items()]
        for document, fields_of in own.items()
    }
    for evident in evidence:
        term, having = evident.word.term, evident.frequencies
        lacking = [number for number in documents if number in having and term not in own[number]]
        if lacking:
            others = asked.content.known(related(term), SCORING.related_fields)
            fields = SCORED_FIELDS if evident.forms else SCORING.related_fields
            kin = matched_fields(asked.content, evident.forms[:_MOST_FORMS] or others, lacking, fields)
            for document in lacking:
                if kin[document]:
                    texts[document] += [_as_related(evident.word.word, kin[document])]
    return {document: "; ".join(text) for document, text in texts.items() if text}


def _as_related(word: str, found: dict[str, list[str]]) -> str:
    others = ", ".join(plain_word(term) for term in sorted(found, key=len)[:_MOST_SHOWN])
    places = dict.fromkeys(field for fields in found.values() for field in fields)
    return f"{others} for {word} in {', '.join(places)}"
