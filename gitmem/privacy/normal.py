"""Texts in the form in which they are compared: what is forgotten is known again through small changes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from gitmem.model.lazily import Lazy
from gitmem.model.sentences import sentences_of

FEWEST_WORDS = 6.0
WORDS_PER_HAN = 0.6
"""Chinese has no blanks: a word is a little more than one and a half characters on the average."""
_HAN = Lazy(r"[\u3400-\u9fff\uf900-\ufaff\u3040-\u30ff\uac00-\ud7af\U00020000-\U0003ffff]")
_BORDER = Lazy('[:;：；"“”„«»「」『』()（）—–|]|\\s-\\s')
_NO_WORD = re.compile(r"[\W_]+")


def normal(text: str) -> str:
    """`text` without case, forms of letters, punctuation and line ends: words with one blank between."""
    return _NO_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def words_in(text: str) -> float:
    """How many words a text has; characters of scripts without blanks count in part."""
    normalised = normal(text)
    if normalised.isascii():
        return float(len(normalised.split()))
    han = len(_HAN.findall(normalised))
    return len(_HAN.sub(" ", normalised).split()) + han * WORDS_PER_HAN


def telling_sentences(text: str) -> list[str]:
    """The sentences of six words and more, in normal form, each once."""
    return _telling(sentences_of(text))


def telling_parts(text: str) -> list[str]:
    """The same, and what stands between colons, quotes and the like: what somebody is said to say."""
    sentences = sentences_of(text)
    return _telling([*sentences, *(part for each in sentences for part in _BORDER.pattern.split(each))])


def _telling(sentences: Iterable[str]) -> list[str]:
    found = (normal(sentence) for sentence in sentences if words_in(sentence) >= FEWEST_WORDS)
    return list(dict.fromkeys(sentence for sentence in found if sentence))
