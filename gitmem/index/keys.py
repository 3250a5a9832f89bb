"""Exact keys of a memory: the terms by which filters find it without reading it."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterator

_MAX_KEY_CHARACTERS = 120


def key(kind: str, value: str) -> str:
    """The key of one value of one kind; compared without case, width and number of blanks, and never long."""
    text = f"{kind}:{_plain(' '.join(value.split()))}"
    if len(text) <= _MAX_KEY_CHARACTERS:
        return text
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{text[: _MAX_KEY_CHARACTERS - 33]}~{digest[:32]}"


def _plain(value: str) -> str:
    """One form for every composition and width of the same characters; accents and characters stay apart."""
    if value.isascii():
        return value.lower()
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", value).casefold())


def namespaces_above(namespace: str) -> Iterator[str]:
    """The namespace itself and each one above it: `a/b`, `a`."""
    while namespace:
        yield namespace
        namespace = namespace.rpartition("/")[0]
