"""By which words a text is found among others that may say the same: cheap, and the same for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import cache
from zlib import crc32

from gitmem.evolve.closest import best
from gitmem.index.stopwords import DROPPED

Having = Callable[[int], Collection[int]]
"""The numbers of the texts that hold a word."""
MOST_WORDS = 300
MOST_CLOSE = 12
MOST_OF_A_SENTENCE = 3
MOST_SENTENCES = 20
LEAST_SHARE = 0.3
"""Of what the words of a text are worth, so much is found in a candidate: `Bob lives in` of two cities."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?", re.UNICODE)
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff]+")
_SENTENCE = re.compile(r"[.!?]\s|[。！？；;\n]")


def sought_words(text: str) -> list[int]:
    """What stands for the words of `text`, 32 bits each, at most 300: no digits, no common words.

    Of scripts without blanks each pair of neighbours. Plural and singular are one.
    """
    found: dict[int, None] = {}
    for word in _WORD.findall(text.casefold()):
        for run in _UNSPACED.findall(word):
            pairs = [run[at : at + 2] for at in range(len(run) - 1)] or [run]
            found.update((crc32(pair.encode()), None) for pair in pairs)
        rest = _UNSPACED.sub(" ", word)
        for part in rest.split():
            if part not in DROPPED:
                found[crc32(_rooted(part).encode("utf-8", "surrogatepass"))] = None
        if len(found) >= MOST_WORDS:
            break
    return list(found)[:MOST_WORDS]


def _rooted(word: str) -> str:
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word[: -len(ending)]
    return word


def candidates(text: str, having: Having, total: int) -> list[int]:
    """The numbers of the texts worth comparing with `text`, of `total`: close to all of it, or to a sentence.

    `having` gives the numbers of the texts that hold a word. Bounded, whatever the size.
    """
    having = cache(having)  # The words of a sentence are those of the text once more.
    found: dict[int, None] = dict.fromkeys(
        best(sought_words(text), having, total, MOST_CLOSE, least_share=LEAST_SHARE)
    )
    sentences = [each for each in _SENTENCE.split(text) if each.strip()]
    for sentence in sentences[:MOST_SENTENCES] if len(sentences) > 1 else ():
        words = sought_words(sentence)
        if len(words) > 1:
            found.update(
                dict.fromkeys(best(words, having, total, MOST_OF_A_SENTENCE, least_share=LEAST_SHARE))
            )
    return list(found)
