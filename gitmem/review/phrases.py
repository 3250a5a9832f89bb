"""Lexicons of cues: phrases in several languages, found in folded text in one pass.

How a phrase is written:

    [a/b]    one of several; `[the /]user` makes a word optional
    word*    a word that begins so
    ..       up to 50 characters of the same sentence
    blank    any run of blanks and marks of emphasis

A phrase begins with a letter or with a choice of such.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

from gitmem.review.plain import Plain

_TOKEN = re.compile(r"[a-z0-9](?:[a-z0-9_]*[a-z0-9])?|[\u3040-\u30ff\u3400-\u9fff]")
_PART = re.compile(r" ?\.\. ?|[\[\]/* ]|[^\[\]/* .]+|\.")
_GAP = r"(?:[^\n.。!?]|[.](?=\S)){0,50}?"
_BLANK = r"[\s*_~]+"
_SIGNS = {
    "..": _GAP,
    " .. ": rf"(?:{_BLANK}{_GAP})?{_BLANK}",
    " ..": _BLANK + _GAP,
    ".. ": _GAP + _BLANK,
    " ": _BLANK,
    "*": "[a-z]*",
    "[": "(?:",
    "]": ")",
}
_STEM = 3
"""Words that begin alike are looked up by so many of their letters."""


@dataclass(frozen=True, slots=True)
class Cue:
    """A phrase of the lexicon `name`, from `start` to `end` of folded text."""

    name: str
    start: int
    end: int


class _Phrase:
    def __init__(self, cue: str, source: str) -> None:
        self.cue = cue
        self.source = source

    @cached_property
    def word(self) -> str | None:
        """The phrase where it is one word, so that no pattern is needed."""
        return self.source if _TOKEN.fullmatch(self.source) and self.source.isascii() else None

    def end(self, text: str, token: re.Match[str]) -> int | None:
        """Where the phrase ends that begins with `token`; None where it does not stand there."""
        if self.word is not None:
            return token.end() if self.word == token.group() else None
        found = self.pattern.match(text, token.start())
        return found.end() if found else None

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when its first word is met: most never are."""
        return re.compile("".join(self._parts()) + r"(?!_?[a-z0-9])" * self.source[-1].isascii())

    def _parts(self) -> Iterator[str]:
        depth = 0
        for part in _PART.findall(self.source):
            depth += (part == "[") - (part == "]")
            if part == "/":
                yield "|" if depth else "/"
            else:
                yield _SIGNS.get(part) or re.escape(part)

    def openings(self) -> Iterator[tuple[str, bool]]:
        """The first words it may have, and whether each only begins a word."""
        choice = [self.source]
        if self.source[0] == "[":
            choice = self.source[1 : self.source.index("]")].split("/")
        for each in choice:
            found = _TOKEN.match(each)
            assert found is not None, f"begins with no letter: {self.source}"
            yield found.group(), each[found.end() : found.end() + 1] == "*"


class Lexicon:
    """Phrases by the first word that they have, so that a text is read once whatever their number."""

    def __init__(self, tables: Mapping[str, str]) -> None:
        """`tables`: for each cue a text of lines `language: phrase | phrase`."""
        self._words: dict[str, list[_Phrase]] = defaultdict(list)
        self._stems: dict[str, list[_Phrase]] = defaultdict(list)
        self._of_word = lru_cache(maxsize=50_000)(self._beginning_with)
        for cue, table in tables.items():
            for line in table.strip().splitlines():
                for source in line.partition(":")[2].split("|"):
                    self._add(_Phrase(cue, Plain(source.strip()).text))

    def _add(self, phrase: _Phrase) -> None:
        for word, is_stem in dict.fromkeys(phrase.openings()):
            if is_stem and len(word) >= _STEM:
                self._stems[word[:_STEM]].append(phrase)
            else:
                self._words[word].append(phrase)

    def _beginning_with(self, word: str) -> tuple[_Phrase, ...]:
        return (*self._words.get(word, ()), *self._stems.get(word[:_STEM], ()))

    def cues(self, text: str) -> list[Cue]:
        """Every phrase in folded text, in its order; of one lexicon at one place, one."""
        found: list[Cue] = []
        for token in _TOKEN.finditer(text):
            phrases = self._of_word(token.group())
            if not phrases:
                continue
            seen: set[str] = set()
            for phrase in phrases:
                if phrase.cue not in seen and (end := phrase.end(text, token)) is not None:
                    seen.add(phrase.cue)
                    found.append(Cue(phrase.cue, token.start(), end))
        return found
