"""The passages of a memory: what is embedded, each by itself. The best one stands for the memory."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gitmem.model.memory import Memory

VERSION = 1
"""Raised when other passages are made, so that vectors of the old ones are not taken for theirs."""
MOST_PASSAGES = 64
"""A memory of more sentences has several of them in one passage."""
MOST_CHARACTERS = 1_000
"""What of a passage is embedded: an encoder averages the rest away."""
LEAST_FIELD_WORDS = 3
"""A header field of so many words is a text: a caption, a summary."""

_END = re.compile(
    r"(?<=[.!?])\s+|(?<=[.!?][\"'”’)\]])\s+|(?<=[。！？])(?![”’」』）])|(?<=[。！？][”’」』）])|\n+"
)
_KNOWN_FIELDS = frozenset(("id", "type", "created", "source", "agent", "session", "subject", "speaker"))


def passages_of(memory: Memory) -> list[str]:
    """The sentences of title, text and textual header fields; they depend on nothing but the blob."""
    sentences = [" ".join(text.split()) for text in _texts(memory)]
    sentences = [text for text in sentences if any(map(str.isalnum, text))]
    size = -(-len(sentences) // MOST_PASSAGES) or 1
    joined = (" ".join(sentences[start : start + size]) for start in range(0, len(sentences), size))
    return [passage[:MOST_CHARACTERS] for passage in joined]


def _texts(memory: Memory) -> Iterator[str]:
    yield from _END.split(memory.body)
    for name, value in memory.fields.items():
        is_text = isinstance(value, str) and name not in _KNOWN_FIELDS
        if isinstance(value, str) and is_text and len(value.split()) >= LEAST_FIELD_WORDS:
            yield from _END.split(value)
