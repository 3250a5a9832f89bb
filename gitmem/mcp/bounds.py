"""Keeping answers small: what is cut is said, and how to get the rest.

A client that is given more than it takes refuses the whole answer, and its model concludes that there is no
such memory. An answer is sent twice, as text and as data, for clients that read only one of them.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from gitmem.model.cutting import character_end
from gitmem.model.visible import one_line

MOST_ANSWER_BYTES = 60_000
"""What a whole answer takes at most on the wire."""
MOST_CONTENT_BYTES = 56_000
"""What its content may take of that, in both forms."""
MOST_LINE_CHARACTERS = 300
"""A title, a name or a path in an answer."""
MOST_NAMES = 40
"""How many tags, entities or relations of one memory are named."""


def json_of(value: object) -> str:
    """`value` as compact JSON. Half characters, which cannot be sent, are replaced."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str)
    return text.encode("utf-8", "replace").decode()


def size_bytes(value: object) -> int:
    """What `value` takes in an answer: as data, and as text that is JSON itself."""
    data = json_of(value)
    return len(data.encode()) + len(json_of(data).encode())


def sendable(value: Any) -> Any:
    """`value` without half characters, wherever they stand in it."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode()
    if isinstance(value, Mapping):
        return {sendable(key): sendable(each) for key, each in value.items()}
    return [sendable(each) for each in value] if isinstance(value, list | tuple) else value


def line(text: str | None, most: int = MOST_LINE_CHARACTERS) -> str | None:
    """`text` as one line of at most `most` characters."""
    if text is None:
        return None
    flat = one_line(text)
    return flat if len(flat) <= most else flat[: character_end(flat, most - 1)] + "…"


def names(values: Sequence[str]) -> list[str]:
    """The first of `values`, each as a line."""
    return [line(value, 120) or "" for value in values[:MOST_NAMES]]


def fitting(values: Sequence[object], most_bytes: int) -> int:
    """How many of the `values`, from the first, fit into `most_bytes` of an answer."""
    used = 0
    for number, value in enumerate(values):
        used += size_bytes(value) + 2
        if used > most_bytes:
            return number
    return len(values)


def page_end(text: str, start: int, most_bytes: int) -> int:
    """Where the page of `text` that begins at `start` ends: it takes at most `most_bytes` of an answer.

    Behind the last line end in its last third, where there is one; never inside a character.
    """
    longest = range(start, min(len(text), start + most_bytes // 2) + 1)
    end = start + bisect_right(longest, most_bytes, key=lambda end: size_bytes(text[start:end])) - 1
    if end >= len(text):
        return len(text)
    newline = text.rfind("\n", start + (end - start) * 2 // 3, end)
    if newline >= 0:
        return newline + 1
    whole = character_end(text, end)
    return whole if whole > start else max(end, start + 1)
