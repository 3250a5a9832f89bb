"""The fences of a header: where it begins and ends in the text of a file."""

from __future__ import annotations

import re

OPENING = re.compile(r"\ufeff*(?:[ \t\r\n]*[\r\n])?---[ \t]*(\r\n|\n|\r)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))---[ \t]*(?:\r\n|\n|\r|\Z)")
_DOTS = re.compile(r"(?:(?<=\n)|(?<=\r))\.\.\.[ \t]*(?:\r\n|\n|\r|\Z)")
NAMES_A_MEMORY = re.compile(r"(?:\A|(?<=\n)|(?<=\r))(?:id|type|title|tags|created)[ \t]*:(?:\s|\Z)")
"""A line by which a block is taken for the header of a memory."""


def is_fenced(text: str) -> bool:
    """Whether `text` begins with an opening fence."""
    return OPENING.match(text) is not None


def split_text(text: str) -> tuple[str, str]:
    """Header and body, every byte kept. Raises `ValueError` where there is no fenced block."""
    opening = OPENING.match(text)
    closing = _closing(text, opening.end()) if opening else None
    if opening is None or closing is None:
        raise ValueError("no fenced block")
    return text[opening.end() : closing.start()], text[closing.end() :]


def _closing(text: str, start: int) -> re.Match[str] | None:
    """The closing fence of a block that begins at `start`."""
    dashes = _CLOSING.search(text, start)
    dots = _DOTS.search(text, start, dashes.start() if dashes else len(text))
    return dots if dots and NAMES_A_MEMORY.search(text[start : dots.start()]) else dashes
