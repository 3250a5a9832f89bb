"""Own patterns of a store: regular expressions whose time can be told beforehand.

What a store's policy says is run on every write, by everyone who has the store. Python's engine cannot be
stopped, so a pattern must not be able to run for long: every repetition has an upper bound, nothing refers
back, and the ways in which one place can match are at most 1,000. Time then is at most 1,000 times some steps
for each character of a line, and of each line the first 10,000 characters are looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from re import _parser  # type: ignore[attr-defined]
from typing import Any

MOST_CHARACTERS = 200
MOST_WAYS = 1_000
MOST_LINE_CHARACTERS = 10_000
_ONE = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN", "RANGE", "CATEGORY", "AT"})


def bounded_pattern(source: str) -> re.Pattern[str]:
    """The compiled pattern. Raises `ValueError` with the reason where it is none, or could run for long."""
    if not 0 < len(source) <= MOST_CHARACTERS:
        raise ValueError(f"it must have 1 to {MOST_CHARACTERS} characters")
    return _compiled(source)


@lru_cache(maxsize=256)
def _compiled(source: str) -> re.Pattern[str]:
    try:
        parsed = _parser.parse(source)
        if _ways(parsed) > MOST_WAYS:
            raise ValueError(
                f"it can match in more than {MOST_WAYS} ways at one place; bound its repetitions"
            )
        pattern = re.compile(source)
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"it is no regular expression: {error}") from error
    if pattern.match(""):
        raise ValueError("it matches where there is nothing")
    return pattern


def _ways(parsed: Any) -> int:
    """In how many ways a sequence can match at one place, at most."""
    ways = 1
    for operation, value in parsed:
        ways *= _ways_of(str(operation), value)
        if ways > MOST_WAYS:
            break
    return ways


def _ways_of(operation: str, value: Any) -> int:
    if operation in _ONE:
        return 1
    if operation == "SUBPATTERN":
        return _ways(value[-1])
    if operation == "BRANCH":
        return sum(_ways(branch) for branch in value[1])
    if operation in ("ASSERT", "ASSERT_NOT"):
        return _ways(value[1])
    if operation in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, repeated = value
        if most == _parser.MAXREPEAT:
            raise ValueError("a repetition has no upper bound; write {0,50} for *, {1,50} for +")
        inner = _ways(repeated)
        return max(1, int(most) - int(least) + 1) * (inner ** min(int(most), 30) if inner > 1 else 1)
    raise ValueError("it refers back to a group or uses what is not allowed here")


def places_of(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    """Where the pattern matches, line by line, in the first 10,000 characters of each."""
    start = 0
    for line in text.split("\n"):
        for found in pattern.finditer(line[:MOST_LINE_CHARACTERS]):
            if found.end() > found.start():
                yield start + found.start(), start + found.end()
        start += len(line) + 1
