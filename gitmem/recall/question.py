"""A query as it was typed, taken apart: terms, phrases, words that may be ids. Nothing is an operator."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gitmem.index.analysis import query_terms
from gitmem.index.folding import fold

_QUOTED = re.compile('"([^"]+)"|“([^”]+)”|„([^“”]+)[“”]|«([^»]+)»|「([^」]+)」|『([^』]+)』')
_SEPARATORS = re.compile(r"[\s,;()\[\]{}<>\"'“”„«»「」『』?!。，、？！]+")
_MAX_WORDS = 64
_MAX_PHRASES = 16


@dataclass(frozen=True, slots=True)
class Question:
    """The parts of a query."""

    text: str
    terms: tuple[str, ...]
    phrases: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Question:
        """Any text is a question; one without a word to look for has no terms."""
        quoted = [next(filter(None, groups)) for groups in _QUOTED.findall(text)[:_MAX_PHRASES]]
        phrases = dict.fromkeys(filter(None, map(normal_text, quoted)))
        words = dict.fromkeys(word.rstrip(".:") for word in _SEPARATORS.split(text)[:_MAX_WORDS])
        return cls(
            text=text.strip(),
            terms=tuple(query_terms(text)),
            phrases=tuple(phrases),
            words=tuple(filter(None, words)),
        )


def normal_text(text: str) -> str:
    """`text` folded, with single blanks: the form in which phrases are compared."""
    return " ".join(fold(text).split())
