"""A text as the rules read it: full-width characters, odd dashes and blanks as ASCII, each in its place."""

from __future__ import annotations

_ASCII = {0xFEE0 + code: code for code in range(0x21, 0x7F)}
_DASHES = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212), 0x2D)
_BLANKS = dict.fromkeys((0xA0, 0x2007, 0x2009, 0x202F, 0x3000), 0x20)
_PLAIN = {**_ASCII, **_DASHES, **_BLANKS}


def plain(text: str) -> str:
    """`text` with the same number of characters, so that places in one are places in the other."""
    return text if text.isascii() else text.translate(_PLAIN)


def line_before(text: str, place: int, most: int) -> str:
    """What stands before `place` on its line, at most the last `most` characters."""
    start = max(0, place - most)
    return text[max(start, text.rfind("\n", start, place) + 1) : place]


def line_after(text: str, place: int, most: int) -> str:
    """What stands behind `place` on its line, at most `most` characters."""
    end = text.find("\n", place, place + most)
    return text[place : end if end >= 0 else place + most]


def word_before(text: str, place: int) -> str:
    """What stands directly before `place`, back to the last blank; at most 300 characters."""
    before = line_before(text, place, 300)
    return before[max(before.rfind(" "), before.rfind("\t")) + 1 :]
