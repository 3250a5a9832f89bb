"""One form for characters that are written in several ways: Han, kana, Arabic, Hebrew, digits, signs."""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

_HAN = (range(0x3400, 0xA000), range(0x20000, 0x40000))
_KATAKANA = (range(0x30A1, 0x30F7), range(0x30FD, 0x30FF))
_TO_HIRAGANA = -0x60
_HEBREW_ARABIC = range(0x0590, 0x0700)
_TATWEEL = 0x0640
_VARIATION_SELECTORS = (range(0x180B, 0x1810), range(0xFE00, 0xFE10), range(0xE0100, 0xE01F0))
_ARABIC = {"أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ی": "ي", "ک": "ك", "ة": "ه"}
_APOSTROPHES = "\u2018\u2019\u201b\u02bc\u02b9\u2032"
_HYPHENS = "\u2010\u2012\u2013\u2043\u2212\u058a\u1806\u30a0"
_SIGNS = {**dict.fromkeys(_APOSTROPHES, "'"), **dict.fromkeys(_HYPHENS, "-"), "\u2044": "/"}


@cache
def han_forms() -> dict[str, str]:
    """The form of each Han character that is written in more than one way; read from a file once."""
    text = files("gitmem.index").joinpath("han_forms.txt").read_text("utf-8")
    groups = [group for line in text.splitlines() if not line.startswith("#") for group in line.split()]
    return {character: group[0] for group in groups for character in group[1:]}


def one_form(character: str) -> str:
    """The character that `character` is compared as; empty for marks that may be left out.

    Simplified for traditional and Japanese Han, hiragana for katakana, Arabic without vowel signs,
    Hebrew without points, plain digits, hyphens and apostrophes. Never longer than one character.
    """
    code = ord(character)
    if character in _SIGNS:
        return _SIGNS[character]
    if any(code in part for part in _HAN):
        return han_forms().get(character, character)
    if any(code in part for part in _KATAKANA):
        return chr(code + _TO_HIRAGANA)
    if any(code in part for part in _VARIATION_SELECTORS) or code == _TATWEEL:
        return ""
    if code in _HEBREW_ARABIC and unicodedata.category(character) == "Mn":
        return ""
    if unicodedata.category(character) == "Nd":
        return str(unicodedata.decimal(character))
    return _ARABIC.get(character, character)
