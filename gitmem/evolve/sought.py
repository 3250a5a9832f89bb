"""By which words a text is found among others that may say the same: cheap, and the same for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from functools import cache
from itertools import chain
from typing import Any
from zlib import crc32

from gitmem.evolve.closest import best
from gitmem.index.stopwords import DROPPED
from gitmem.model.lazily import Lazy

Having = Callable[[int], Collection[int]]
"""The numbers of the texts that hold a word."""
MOST_WORDS = 300
MOST_CLOSE = 12
MOST_OF_A_SENTENCE = 3
MOST_SENTENCES = 20
LEAST_SHARE = 0.3
"""Of what the words of a text are worth, so much is found in a candidate: `Bob lives in` of two cities."""
_LONG = 20_000
_LONGEST_KEPT, _MOST_KEPT = 30, 250_000
_WORD = re.compile(r"[^\W\d_]+(?:['’][a-z]+)?", re.UNICODE)
_LETTERS = {
    code: chr(code).lower() if chr(code).isalpha() or chr(code) == "'" else " " for code in range(128)
}
"""What only parts words from each other, in ASCII, is a blank."""
_UNSPACED = Lazy("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7ff]+")
_SENTENCE = re.compile(r"[.!?]\s|[。！？；;\n]")


def sought_words(text: str) -> list[int]:
    """What stands for the words of `text`, 32 bits each, at most 300: no digits, no common words.

    Of scripts without blanks each pair of neighbours. Plural and singular are one.
    """
    found: dict[int, None] = {}
    for match in _WORD.finditer(text.casefold()):
        found.update(dict.fromkeys(_hashes(match[0])))
        if len(found) >= MOST_WORDS:
            break
    return list(found)[:MOST_WORDS]


class SoughtWords(dict[str, int | tuple[int, ...]]):
    """The same of many texts, which have most of their words in common: each is looked at once.

    As a mapping it has what stands for the words in a run of characters without blanks: a tuple where it is
    not one word.
    """

    def of(self, text: str) -> Collection[int]:
        """What `sought_words` gives, in whatever order."""
        if len(text) > _LONG:
            return sought_words(text)
        runs = (text.translate(_LETTERS) if text.isascii() else text).split()
        found: set[Any] = set(map(self.__getitem__, runs))
        several = [each for each in found if each.__class__ is tuple]
        found.difference_update(several)
        found.update(*several)
        return found if len(found) < MOST_WORDS else sought_words(text)

    def __missing__(self, run: str) -> int | tuple[int, ...]:
        is_word = run.isascii() and run.isalpha()
        words = [run.lower()] if is_word else _WORD.findall(run.casefold())
        found = tuple(chain.from_iterable(map(_hashes, words)))
        value = found[0] if len(found) == 1 else found
        if len(run) <= _LONGEST_KEPT:
            if len(self) >= _MOST_KEPT:
                self.clear()
            self[run] = value
        return value


def _hashes(word: str) -> list[int]:
    if word.isascii():
        return [] if word in DROPPED else [crc32(_rooted(word).encode())]
    found: list[int] = []
    for run in _UNSPACED.findall(word):
        encoded = run.encode()
        # Each of these characters has three bytes.
        found += [crc32(encoded[at : at + 6]) for at in range(0, max(1, len(encoded) - 3), 3)]
    for part in _UNSPACED.sub(" ", word).split():
        if part not in DROPPED:
            found.append(crc32(_rooted(part).encode("utf-8", "surrogatepass")))
    return found


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
