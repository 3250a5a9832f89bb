"""Patterns that are compiled when they are first used: all together take as long as the rest of a command."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator


def holds_any(text: str, parts: Iterable[str]) -> bool:
    """Whether one of `parts` stands in `text`: asked of every text, so in a plain loop."""
    for part in parts:  # noqa: SIM110  a generator takes twice as long
        if part in text:
            return True
    return False


class Lazy:
    """A regular expression with the methods that rules use."""

    __slots__ = ("_flags", "_pattern", "_source")

    def __init__(self, source: str, flags: int = 0) -> None:
        self._source = source
        self._flags = flags
        self._pattern: re.Pattern[str] | None = None

    @property
    def source(self) -> str:
        """The pattern as it is written."""
        return self._source

    @property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern."""
        if self._pattern is None:
            self._pattern = re.compile(self._source, self._flags)
        return self._pattern

    def search(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        return self.pattern.search(text, start, len(text) if end is None else end)

    def match(self, text: str, start: int = 0, end: int | None = None) -> re.Match[str] | None:
        return self.pattern.match(text, start, len(text) if end is None else end)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        return self.pattern.fullmatch(text)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        return self.pattern.finditer(text)

    def findall(self, text: str) -> list[str]:
        return self.pattern.findall(text)

    def sub(self, new: str, text: str) -> str:
        return self.pattern.sub(new, text)
