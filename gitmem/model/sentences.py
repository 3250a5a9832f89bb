"""What changed between two texts, sentence by sentence, as a person reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import zip_longest

from msgspec import Struct

from gitmem.model.diff import steps_between

_END = re.compile(r"(?<=[.!?])\s+(?=[^\s\da-z])|(?<=[。！？])\s*")
_LIST_OR_HEADING = re.compile(r"\s*(?:[-*+•#>|]|\d{1,9}[.)]\s|`{3}|~{3})")


class SentenceChange(Struct, frozen=True):
    """A sentence before and after; None where it was added or taken out."""

    old: str | None
    new: str | None


def sentences_of(text: str) -> list[str]:
    """The sentences of `text` in order, without blanks around them; a line of a list or heading is one."""
    found = []
    for line in text.splitlines():
        parts = [line] if _LIST_OR_HEADING.match(line) else _END.split(line)
        found += [part.strip() for part in parts if part.strip()]
    return found


def changed_sentences(old: str, new: str) -> list[SentenceChange]:
    """How the sentences of `old` became those of `new`; what only moved its line ends is no change."""
    before, after = sentences_of(old), sentences_of(new)
    changes: list[SentenceChange] = []
    for tag, start, end, new_start, new_end in steps_between(before, after):
        if tag != "equal":
            changes += _pairs(before[start:end], after[new_start:new_end])
    return changes


def _pairs(old: Sequence[str], new: Sequence[str]) -> list[SentenceChange]:
    return [SentenceChange(before, after) for before, after in zip_longest(old, new)]
