"""What the rules for orders to a model are made of, and what they find."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from msgspec import Struct

_BLANK = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]| ", re.DOTALL)
"""A blank of a pattern, or what may hold one that is meant as it is: an escape, a set of characters."""
_WORD = re.compile(r"[a-z]+|[\u4e00-\u9fff]")


class Match(Struct, frozen=True):
    """A place in a text that gives orders: from `start` to `end`, in the words of `says`.

    `is_hidden`: a reader does not see it, so that it is no quotation either. `decoded` is what it says, where
    that is not what is written there.
    """

    code: str
    severity: str
    says: str
    start: int
    end: int
    is_hidden: bool = False
    decoded: str | None = None


class Rule(Struct, frozen=True):
    """A pattern over plain text (see `plain.py`), and any one of the words without which it cannot match."""

    code: str
    severity: str
    says: str
    needs: frozenset[str]
    source: str

    @property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when it is first needed: all together take a second, and few are."""
        return _compiled(self.source)


@cache
def _compiled(source: str) -> re.Pattern[str]:
    spaced = _BLANK.sub(lambda found: r"(?:[\s*_~]+)" if found.group() == " " else found.group(), source)
    return re.compile(spaced, re.MULTILINE)


def rule(code: str, severity: str, says: str, needs: str, pattern: str) -> Rule:
    """A rule in which a blank stands for any run of blanks, line ends and marks of emphasis.

    `needs` are words (of Chinese, single characters) with blanks between; empty for a rule always tried.
    """
    return Rule(code, severity, says, frozenset(needs.split()), pattern)


def words_of(text: str) -> frozenset[str]:
    """What `needs` is compared with."""
    return frozenset(_WORD.findall(text))


def matches(rules: Sequence[Rule], text: str) -> Iterator[tuple[Rule, re.Match[str]]]:
    """Every match of every rule in plain text."""
    words = words_of(text)
    for each in rules:
        if not each.needs or each.needs & words:
            for found in each.pattern.finditer(text):
                yield each, found
