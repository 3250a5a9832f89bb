"""Characters that a reader does not see, or that show another order than the one that is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from gitmem.review.rule import Match

HIDDEN_TEXT = "injection-hidden-text"

_ZERO_WIDTH = "\u200b-\u200d\u2060-\u2064\ufeff\u180e\u206a-\u206f\u200e\u200f\u061c"
_FILLERS = "\u3164\uffa0\u115f\u1160"
_ODD = re.compile(
    f"[{_ZERO_WIDTH}{_FILLERS}\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\x1b\x08\U000e0000-\U000e01ef]"
)
_TAGS = re.compile("[\U000e0000-\U000e007f]+")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,6}\U000e007f")
"""The flag of a part of a country, such as Scotland's: spelled in tags."""
_SELECTORS = re.compile(
    "[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}|(?<![\u2e80-\U0003ffff])[\U000e0100-\U000e01ef]"
)
_RUN = re.compile(f"[{_ZERO_WIDTH}{_FILLERS}]{{4,}}")
_IN_WORD = re.compile(
    "(?<=[a-zA-Z\u4e00-\u9fff])[\u200b\u2060-\u2064\ufeff\u180e\u200c\u200d]+(?=[a-zA-Z\u4e00-\u9fff])"
)
_FEW_IN_WORDS = 3
_OVERRIDES = re.compile("[\u202d\u202e]")
_EMBEDDINGS = re.compile("[\u202a\u202b\u2066-\u2068]")
_CONCEALED = re.compile("\x1b\\[[0-9;]*[a-zA-Z]|\x1b[\\]P^_]|\x08{2,}")


def hidden_characters(text: str) -> Iterator[Match]:
    """Invisible characters that carry text, or that show another order than the one that is read."""
    if text.isascii() and "\x1b" not in text and "\x08" not in text:
        return
    if _ODD.search(text) is None:
        return
    flags = [found.span() for found in _FLAG.finditer(text)]
    for found in _TAGS.finditer(text):
        if not any(start <= found.start() < end for start, end in flags):
            said = "".join(chr(ord(each) - 0xE0000) for each in found.group()).strip("\x00\x01\x7f")
            yield _unseen("holds text in tag characters, which nobody sees", found, said)
    for found in _SELECTORS.finditer(text):
        yield _unseen(
            "holds data in variation selectors, which nobody sees", found, _from_selectors(found.group())
        )
    for found in _RUN.finditer(text):
        yield _unseen(f"holds a run of {len(found.group())} characters without width", found, None)
    inside = list(_IN_WORD.finditer(text))
    if len(inside) >= _FEW_IN_WORDS:
        yield _unseen(f"has characters without width inside words, {len(inside)} times", inside[0], None)
    for found in _OVERRIDES.finditer(text):
        yield _unseen("reverses the order in which text is shown", found, None)
        break
    for found in _EMBEDDINGS.finditer(text):
        if not _is_right_to_left(text, found.start()):
            yield _unseen(
                "changes the direction of text that has one direction", found, None, severity="warning"
            )
            break
    for found in _CONCEALED.finditer(text):
        yield _unseen("holds control sequences of a terminal", found, None)
        break


def _unseen(says: str, found: re.Match[str], decoded: str | None, *, severity: str = "error") -> Match:
    return Match(
        HIDDEN_TEXT, severity, says, found.start(), found.end(), is_hidden=True, decoded=decoded or None
    )


def _from_selectors(text: str) -> str | None:
    """The bytes that variation selectors number, as text where they are some."""
    numbers = [ord(each) - (0xFE00 if ord(each) < 0xFE10 else 0xE0100 - 16) for each in text]
    said = bytes(numbers).decode("utf-8", "replace")
    return said if sum(each.isprintable() for each in said) > 0.8 * len(said) else None


def _is_right_to_left(text: str, place: int) -> bool:
    """Whether the line at `place` holds letters that are written from right to left."""
    start, end = text.rfind("\n", 0, place) + 1, text.find("\n", place)
    line = text[start : end if end >= 0 else len(text)]
    return any(unicodedata.bidirectional(each) in ("R", "AL") for each in line)
