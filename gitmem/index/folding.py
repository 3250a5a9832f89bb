"""One form for every way of writing the same letters: NFKC, case folded, accents dropped, one form of Han."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from gitmem.index.scripts import one_form

_ACCENTED_BASES = ("LATIN", "GREEK", "CYRILLIC")
_GENERAL_MARKS = range(0x0300, 0x0370)
_LETTERS = {
    "й": "й",
    "ї": "ї",
    "ў": "ў",
    "ı": "i",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "æ": "ae",
    "œ": "oe",
    "ħ": "h",
}

# Only these ranges hold combining marks; looking at each of the 1.1 million code points takes 0.1 s.
_MARK_RANGES = (
    (0x0300, 0x2000),
    (0x20D0, 0x2100),
    (0x2CEF, 0x2E00),
    (0x302A, 0x309B),
    (0xA66F, 0xABEE),
    (0xFB1E, 0xFB1F),
    (0xFE00, 0xFE30),
    (0x101FD, 0x11FFF),
    (0x16AF0, 0x16FF2),
    (0x1BC9D, 0x1BCA0),
    (0x1CF00, 0x1CF47),
    (0x1D165, 0x1D245),
    (0x1DA00, 0x1E8D7),
    (0x1E944, 0x1E94B),
    (0xE0100, 0xE01F0),
)
# Conjoining and half-width letters join with what stands before them although they are no marks.
_JOINING = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97c\ud7b0-\ud7fb\uff9e\uff9f\uffa0-\uffdc"

_ALONE = re.compile("[\0-\u02ff\u0370-\u0482\u048a-\u0590\u2010-\u20cf\u2100-\u27bf\U0001f000-\U0001faff]*")


class _AccentTable(dict[int, str]):
    """What each character becomes after NFKC and case folding; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _without_accents(code)
        return folded


def _without_accents(code: int) -> str:
    character = chr(code)
    if character in _LETTERS:
        return _LETTERS[character]
    if code in _GENERAL_MARKS or (unicodedata.category(character) == "Cf" and code >= 0x80):
        return ""
    parts = unicodedata.normalize("NFD", character)
    if len(parts) > 1 and unicodedata.name(parts[0], "").startswith(_ACCENTED_BASES):
        return "".join(part for part in parts if ord(part) not in _GENERAL_MARKS)
    return one_form(character)


_TABLE = _AccentTable()


def fold(text: str) -> str:
    """`text` in the form in which words are compared; any string is accepted, the cost is linear."""
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return folded.translate(_TABLE)


def stand_alone(text: str) -> bool:
    """Whether `text` has only letters and signs of Europe and symbols: nothing joins, and blanks part words.

    The expressions that know the marks and letters of all scripts take long to compile.
    """
    return _ALONE.fullmatch(text) is not None


@lru_cache(maxsize=1)
def mark_class() -> str:
    """All combining marks, as the inside of a regular expression's character class."""
    ranges: list[list[int]] = []
    for start, end in _MARK_RANGES:
        for code in range(start, end):
            if unicodedata.category(chr(code))[0] != "M":
                continue
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in ranges)


@lru_cache(maxsize=1)
def _cluster() -> re.Pattern[str]:
    return re.compile(f"(?s:.)[{mark_class()}{_JOINING}]*")


def fold_with_offsets(text: str) -> tuple[str, Sequence[int]]:
    """The folded text, and for each of its characters and its end the place it comes from in `text`."""
    if text.isascii():
        return text.lower(), range(len(text) + 1)
    pieces: list[str] = []
    offsets: list[int] = []
    place = 0
    for cluster in clusters(text):
        piece = _fold_cluster(cluster)
        pieces.append(piece)
        offsets.extend([place] * len(piece))
        place += len(cluster)
    offsets.append(len(text))
    return "".join(pieces), offsets


def clusters(text: str) -> Sequence[str]:
    """`text` cut so that no combining sequence is divided."""
    return text if stand_alone(text) else _cluster().findall(text)


@lru_cache(maxsize=65536)
def _fold_cluster(cluster: str) -> str:
    return fold(cluster)
