"""Runs of digits in a text: whole ones, so that nothing is ever cut out of a longer number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from gitmem.model.lazily import Lazy
from gitmem.privacy.plain import line_after, line_before, word_before

_RUN = Lazy(r"\(?\+?\(?\d(?:[ .\-()/]{0,2}\(?\d)*")
_PIECE = Lazy(r"[^ ]+")
_GROUP = Lazy(r"\d+")
_URL = Lazy(r"[A-Za-z][A-Za-z0-9+.\-]{0,30}://|\bwww\.")
_NAMED_BEFORE = Lazy(r"(?:[$€£¥^~&%\\#]|[A-Za-z0-9_][\-./+]|\d:|[A-Za-z0-9_])\Z")
_NAMED_AFTER = Lazy(r"[A-Za-z0-9_%°]|[\-./+:=][A-Za-z0-9_]")
LEAST_DIGITS = 7
MOST_CHARACTERS = 48
"""A run that is longer is a table or the like: only its pieces between blanks are looked at."""


class Run(Struct, frozen=True):
    """Digits in groups, as they stand in `text` from `start` to `end`."""

    text: str
    start: int
    end: int
    written: str
    digits: str
    groups: tuple[int, ...]
    """How many digits each group has."""

    @property
    def separators(self) -> frozenset[str]:
        """The characters between the digits."""
        return frozenset(re.sub(r"\d", "", self.written.strip("(+). -/")))

    def before(self, most: int = 48) -> str:
        return line_before(self.text, self.start, most)

    def after(self, most: int = 16) -> str:
        return line_after(self.text, self.end, most)

    @property
    def is_in_url(self) -> bool:
        """Whether it stands in a web address, where numbers name pages."""
        return _URL.search(word_before(self.text, self.start)) is not None

    @property
    def is_in_name(self) -> bool:
        """Whether it is part of a longer word, a name of something, an amount of money, a share."""
        before, after = self.text[max(0, self.start - 2) : self.start], self.text[self.end : self.end + 2]
        return _NAMED_BEFORE.search(before) is not None or _NAMED_AFTER.match(after) is not None


def run_at(text: str, start: int, end: int) -> Run:
    """The run of digits from `start` to `end`."""
    written = text[start:end]
    found = _GROUP.findall(written)
    return Run(text, start, end, written, "".join(found), tuple(map(len, found)))


def runs_in(text: str) -> Iterator[Run]:
    """The runs of a plain text: each whole, and behind it its pieces where blanks divide it."""
    for found in _RUN.finditer(text):
        written = found.group()
        if len(written) < LEAST_DIGITS:
            continue
        if len(written) <= MOST_CHARACTERS:
            yield run_at(text, found.start(), found.end())
        if " " in written:
            for piece in _PIECE.finditer(written):
                if len(piece.group()) >= LEAST_DIGITS:
                    start = found.start() + piece.start()
                    end = start + len(piece.group().rstrip(".-/("))
                    yield run_at(text, start, end)
