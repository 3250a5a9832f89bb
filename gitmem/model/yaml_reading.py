"""Front matter read strictly: plain JSON values, no surprises, bounded work.

A value is a number only if printing it gives back the same text, a boolean only if it is written
`true` or `false`; everything else is the text as it stands in the file. So `1.10`, `11:45`,
`914e0371`, `no` and `2024-05-07` keep their spelling for every reader.
"""

from __future__ import annotations

import math
import re

from msgspec import Struct

from gitmem.model.memory import Json

MAX_DEPTH = 24
MAX_NODES = 10_000
"""Bound of the expanded header: aliases are counted with all that they stand for."""

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})")
_FLOAT = re.compile(r"-?[0-9]{1,17}\.[0-9]{1,17}")


_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,60}"
# No character that YAML gives a meaning, none that it refuses; `:` only inside a word.
_PLAIN = r"[^\x00-\x1f\x7f-\xa0\ud800-\udfff\u2028\u2029\ufeff\ufffe\uffff:#]*"
_REST = rf"{_PLAIN}(?::(?=[^\s:#]){_PLAIN})*"
_WORD = rf"[^\W]{_REST}"
_QUOTED = r'"[^\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029\ufeff\ufffe\uffff"\\]*"'
# A word takes the blanks behind it: told apart, a long run of them would be tried out at each of its places.
_VALUE = rf"(?:{_WORD}|{_QUOTED} *)"
_FIELD = re.compile(rf"({_KEY}):(?: +({_VALUE}))?")
_ITEM = re.compile(rf"( *)- +({_VALUE})")
PLAIN_HEADER = rf"(?:{_KEY}:(?: +{_VALUE}\n|\n( *)- +{_VALUE}\n(?:\1- +{_VALUE}\n)*))+"
"""What all of a header matches that `read_plain_header` reads, if no name stands in it twice."""
_MOST_PLAIN_LINES = 1_000


class HeaderError(Exception):
    """The header cannot be read; `line` counts from 1 within the header, 0 is unknown."""

    def __init__(self, reason: str, line: int = 0) -> None:
        super().__init__(reason)
        self.reason = reason
        self.line = line


class Entry(Struct, frozen=True):
    """One top-level field: its value and the lines it covers (from 0, `end_line` exclusive).

    `style` is `plain` for a scalar, `flow` for `[a, b]` and `{a: b}`, `block` for the indented
    forms. `items` are the spans of the items of a list, as (line, column, end line, end column).
    """

    key: str
    value: Json
    line: int
    end_line: int
    style: str
    items: tuple[tuple[int, int, int, int], ...] = ()
    value_end: tuple[int, int] = (0, 0)


def read_plain_header(header: str) -> list[Entry] | None:
    """What a YAML parser would say of a header of plain lines, as gitmem writes them; None for any other.

    Plain are `name: value` and `name:` with a list of one value a line, where a value is one line without
    anything that YAML gives a meaning, or in double quotes without an escape.
    """
    lines = header.split("\n")
    if lines[-1] == "":
        lines.pop()
    if not lines or len(lines) > _MOST_PLAIN_LINES:
        return None
    entries: list[Entry] = []
    at = 0
    while at < len(lines):
        field = _FIELD.fullmatch(lines[at])
        if field is None:
            return None
        name, text = field.groups()
        line = at
        at += 1
        if text is not None:
            value, end = plain_value(text), (line, _end_of(field, 2))
            entries.append(Entry(name, value, line, at, "plain", (), end))
            continue
        values: list[Json] = []
        spans: list[tuple[int, int, int, int]] = []
        while at < len(lines) and (item := _ITEM.fullmatch(lines[at])) is not None:
            values.append(plain_value(item[2]))
            spans.append((at, item.start(2), at, _end_of(item, 2)))
            at += 1
        if not values or len({lines[span[0]].index("-") for span in spans}) > 1:
            return None
        entries.append(Entry(name, values, line, at, "block", tuple(spans), spans[-1][2:]))
    return entries if len({entry.key for entry in entries}) == len(entries) else None


def _end_of(match: re.Match[str], group: int) -> int:
    return match.start(group) + len(match[group].rstrip(" "))


def plain_value(text: str) -> Json:
    """The value of one line without anything that YAML gives a meaning, or in double quotes."""
    text = text.rstrip(" ")
    return text[1:-1] if text.startswith('"') else resolved(text)


def resolved(text: str) -> Json:
    """The value of an unquoted scalar."""
    if text in ("", "~", "null"):
        return None
    if text in ("true", "false"):
        return text == "true"
    if _INTEGER.fullmatch(text) and text != "-0":
        return int(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isfinite(number) and repr(number) == text:
            return number
    return text
