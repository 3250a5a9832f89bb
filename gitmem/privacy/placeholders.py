"""Placeholders: `[EMAIL:3f2a]` stands for one e-mail address, the same wherever it stood in the store."""

from __future__ import annotations

import hashlib
import hmac
import re

from gitmem.model.sensitive import CARD, CN_ID, EMAIL, IBAN, PASSPORT, PHONE, PLATE, SSN
from gitmem.privacy.plain import plain

HEX_DIGITS = 4
_COMPACT = frozenset({CARD, CN_ID, IBAN, PASSPORT, PLATE, SSN})


def placeholder(kind: str, value: str, key: bytes) -> str:
    """The placeholder for `value`: kind and the start of a keyed hash, HMAC-SHA-256.

    Without the key nothing can be told from it, nor tried out. All ways to write a value come to the same.
    """
    message = f"{kind}\0{_one_way(kind, value)}".encode("utf-8", "surrogatepass")
    digest = hmac.new(key, message, hashlib.sha256).hexdigest()
    return f"[{kind.upper()}:{digest[:HEX_DIGITS]}]"


def _one_way(kind: str, value: str) -> str:
    """The value in one way of writing it: without case, blanks, hyphens; a phone without +86 or +1."""
    text = plain(value).strip()
    if kind == EMAIL:
        return text.casefold()
    if kind == PHONE:
        digits = re.sub(r"\D", "", text.replace("(0)", "")).removeprefix("00")
        if len(digits) == 13 and digits.startswith("86"):
            return digits[2:]
        if len(digits) == 11 and re.match(r"\+?1[ \-.(]|\+1", text):
            return digits[1:]
        return digits
    return re.sub(r"[\s\-·•・.]", "", text).casefold() if kind in _COMPACT else text
