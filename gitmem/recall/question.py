"""A query as it was typed, taken apart: terms, phrases, words that may be ids. Nothing is an operator."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice

from msgspec import Struct

from gitmem.index.analysis import QueryTerm, query_words, spans
from gitmem.index.folding import fold

_CLOSING = {'"': '"', "“": "”", "„": "“”", "«": "»", "「": "」", "『": "』"}
"""By what opens a quotation, what closes it."""
_OPENING = re.compile(f"[{''.join(_CLOSING)}]")
_SEPARATORS = re.compile(r"[\s,;()\[\]{}<>\"'“”„«»「」『』?!。，、？！]+")
_BEFORE_SENTENCE = frozenset(("", *'.?!:"“”。！？>'))
_MAX_WORDS = 64
_MAX_PHRASES = 16


class Question(Struct, frozen=True):
    """The parts of a query."""

    text: str
    query_words: tuple[QueryTerm, ...]
    phrases: tuple[str, ...]
    words: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Question:
        """Any text is a question; one without a word to look for has no terms."""
        phrases = dict.fromkeys(filter(None, map(normal_text, islice(_quoted(text), _MAX_PHRASES))))
        words = dict.fromkeys(word.rstrip(".:") for word in _SEPARATORS.split(text)[:_MAX_WORDS])
        return cls(
            text=text.strip(),
            query_words=_as_typed(text),
            phrases=tuple(phrases),
            words=tuple(filter(None, words)),
        )

    @property
    def terms(self) -> tuple[str, ...]:
        """What is looked for."""
        return tuple(word.term for word in self.query_words)


def _quoted(text: str) -> Iterator[str]:
    """What stands in quotation marks, whatever the language, in order; a mark that nothing closes is none."""
    done = 0
    never_closed: set[str] = set()
    for opening in _OPENING.finditer(text):
        start = opening.end()
        if opening.start() < done or opening[0] in never_closed:
            continue
        ends = [end for mark in _CLOSING[opening[0]] if (end := text.find(mark, start)) >= 0]
        if not ends:
            never_closed.add(opening[0])
        elif min(ends) > start:
            yield text[start : min(ends)]
            done = min(ends) + 1


def _as_typed(text: str) -> tuple[QueryTerm, ...]:
    """The terms of `text`, each with its word as the person wrote it."""
    found = query_words(text)
    typed: dict[str, tuple[str, bool]] = {}
    for start, end, term in spans(text, {word.term for word in found}):
        if term not in typed:
            before = text[max(0, start - 8) : start].rstrip()[-1:]
            is_name = text[start].isupper() and before not in _BEFORE_SENTENCE
            typed[term] = (text[start:end], is_name)
    typed_words = [typed.get(word.term, (word.word, False)) for word in found]
    return tuple(
        QueryTerm(word.term, text, word.is_light, is_name)
        for word, (text, is_name) in zip(found, typed_words, strict=True)
    )


def normal_text(text: str) -> str:
    """`text` folded, with single blanks: the form in which phrases are compared."""
    return " ".join(fold(text).split())
