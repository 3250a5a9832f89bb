"""Texts in normal form, to be found in others: which of what somebody said does another one say too."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from gitmem.model.document import decode
from gitmem.privacy.normal import normal
from gitmem.privacy.pieces import Piece, Sought

_WORD = re.compile(rb"[a-z0-9]+")


class Sayings:
    """Texts in normal form (see `normal`), looked for in the bytes of many files."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._pieces = {Piece(each.encode("utf-8", "surrogateescape")): each for each in texts if each}
        self._sought = Sought(self._pieces)
        self._pairs: dict[bytes, set[bytes]] = defaultdict(set)
        """By its longest word, the second one of each text in ASCII."""
        for piece in self._pieces:
            if piece.text.isascii():
                words = sorted(set(piece.text.split(b" ")), key=len, reverse=True)
                self._pairs[words[0]].add(words[min(1, len(words) - 1)])

    def said_in(self, data: bytes) -> set[str]:
        """The texts that a file says."""
        if data.isascii() and not self._may_say(data):
            return set()
        text = normal(decode(data)[0]).encode("utf-8", "surrogateescape")
        return {self._pieces[piece] for piece in self._sought.found_in(text)}

    def _may_say(self, data: bytes) -> bool:
        """Whether two words of a text are in a file in ASCII, which has the same words in normal form."""
        words = set(_WORD.findall(data.lower()))
        return any(not words.isdisjoint(self._pairs[first]) for first in words & self._pairs.keys())
