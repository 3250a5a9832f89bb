"""Whether two texts are the same, character by character but for blanks; no word of them is looked at."""

from __future__ import annotations

import hashlib
import unicodedata

from gitmem.model.reading import derived_title


def even_text(text: str) -> str:
    """`text` as exact texts are compared: composed characters, one blank between words, none at the ends."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def text_key(text: str) -> int:
    """64 bits that two texts share which are one but for blanks; signed, as SQLite keeps numbers."""
    digest = hashlib.blake2b(even_text(text).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True)


def same_text(text: str, title: str | None, other_text: str, other_title: str) -> bool:
    """Whether two memories are one text under one title; a title left out is that of the text.

    Titles count: `In the vault` may be said of two things.
    """
    if even_text(text) != even_text(other_text):
        return False
    return even_text(title or derived_title(text)) == even_text(other_title)
