"""Stems: English by Porter with irregular forms, Russian by Snowball, Arabic by a few affixes."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import TYPE_CHECKING

from gitmem.index.irregular import base_stem

if TYPE_CHECKING:
    from whoosh.lang.snowball.russian import RussianStemmer

_CYRILLIC = ("\u0400", "\u052f")
_ARABIC = ("\u0600", "\u06ff")
# Larkey, Ballesteros, Connell: Light stemming for Arabic information retrieval (2007), in folded letters.
_PREFIXES = ("وال", "بال", "كال", "فال", "ال", "لل")
_SUFFIXES = ("ها", "ان", "ات", "ون", "ين", "يه", "ه", "ي")
_LEAST_LETTERS = 3


@lru_cache(maxsize=100_000)
def stem(word: str) -> str:
    """The form of a folded word under which all its forms are found; most scripts have none but itself."""
    if word.isascii():
        return base_stem(word) if word.isalpha() else word
    first, last = min(word), max(word)
    if _CYRILLIC[0] <= first and last <= _CYRILLIC[1]:
        return str(_russian().stem(word))
    if _ARABIC[0] <= first and last <= _ARABIC[1]:
        return _arabic(word)
    return word


@cache
def _russian() -> RussianStemmer:
    from whoosh.lang.snowball.russian import RussianStemmer

    return RussianStemmer()


def _arabic(word: str) -> str:
    if word[0] == "و" and len(word) > _LEAST_LETTERS:
        word = word[1:]
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= _LEAST_LETTERS - 1:
            word = word.removeprefix(prefix)
            break
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _LEAST_LETTERS - 1:
            word = word.removesuffix(suffix)
    return word
