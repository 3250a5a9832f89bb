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
from functools import cache, lru_cache

from msgspec import Struct

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


class Cue(Struct, frozen=True):
    """A phrase of the lexicon `name`, from `start` to `end` of folded text."""

    name: str
    start: int
    end: int


class _Phrase(Struct, frozen=True):
    """A phrase that begins with a word, in folded letters."""

    cue: str
    source: str

    @property
    def head(self) -> str:
        """The word that it begins with."""
        found = _TOKEN.match(self.source)
        assert found is not None, f"begins with no letter: {self.source}"
        return found.group()

    @property
    def is_stem(self) -> bool:
        """Whether its first word may go on."""
        return self.source[len(self.head) :].startswith("*") and len(self.head) >= _STEM

    @property
    def is_word(self) -> bool:
        """Whether it is one word, so that no pattern is needed."""
        return self.source.removesuffix("*") == self.head and self.source.isascii()

    def pattern(self) -> str:
        """The regular expression for it."""
        depth = 0
        parts = []
        for part in _PART.findall(self.source):
            depth += (part == "[") - (part == "]")
            parts.append("|" if part == "/" and depth else _SIGNS.get(part) or re.escape(part))
        return "".join(parts) + r"(?!_?[a-z0-9])" * self.source[-1].isascii()


def _spread(source: str) -> Iterator[str]:
    """The phrases that `source` stands for, where it begins with a choice."""
    if not source.startswith("["):
        yield source
        return
    depth, start = 0, 1
    choices = []
    for place, each in enumerate(source):
        depth += (each == "[") - (each == "]")
        if (each == "/" and depth == 1) or depth == 0:
            choices.append(source[start:place])
            start = place + 1
        if depth == 0:
            break
    for choice in choices:
        yield choice + source[start:]


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
                    for each in _spread(Plain(source.strip()).text):
                        self._add(_Phrase(cue, each))

    def _add(self, phrase: _Phrase) -> None:
        if phrase.is_stem:
            self._stems[phrase.head[:_STEM]].append(phrase)
        else:
            self._words[phrase.head].append(phrase)

    def _beginning_with(self, word: str) -> tuple[tuple[str, re.Pattern[str] | None], ...]:
        """The cues of which a phrase may begin with `word`; the pattern is None where the word is enough."""
        stems = [each for each in self._stems.get(word[:_STEM], ()) if word.startswith(each.head)]
        by_cue: dict[str, list[_Phrase]] = defaultdict(list)
        for phrase in (*self._words.get(word, ()), *stems):
            by_cue[phrase.cue].append(phrase)
        return tuple(
            (
                cue,
                None
                if any(each.is_word for each in phrases)
                else _compiled("|".join(each.pattern() for each in phrases)),
            )
            for cue, phrases in by_cue.items()
        )

    def cues(self, text: str) -> list[Cue]:
        """Every phrase in folded text, in its order; of one lexicon at one place, one."""
        found: list[Cue] = []
        for token in _TOKEN.finditer(text):
            for cue, pattern in self._of_word(token.group()):
                match = token if pattern is None else pattern.match(text, token.start())
                if match:
                    found.append(Cue(cue, token.start(), match.end()))
        return found


@cache
def _compiled(source: str) -> re.Pattern[str]:
    return re.compile(source)
