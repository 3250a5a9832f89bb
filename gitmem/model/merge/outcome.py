"""What goes into a merge and what comes out of it."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from msgspec import Struct

from gitmem.model.document import encode
from gitmem.model.ids import blob_id_of

NAME_LENGTH = 10
MAX_MERGED_BYTES = 16 * 1024 * 1024
"""Of both sides together, and of what comes out; a larger file is not merged but kept twice."""
MAX_MERGED_LINES = 200_000
"""Of both sides together: it bounds the time of a merge to some seconds."""


class CannotMerge(Exception):
    """The files are too large to be merged; both have to be kept as they are."""


class Case(StrEnum):
    """Why something in a merged file is as it is."""

    UNCHANGED = "unchanged"
    ONE_SIDE = "one-side"
    SAME = "same"
    UNITED = "united"
    EARLIER = "earlier"
    LATER = "later"
    ADDED_UP = "added-up"
    HIGHER = "higher"
    NEWER = "newer"
    MORE_CERTAIN = "more-certain"
    BOTH_KEPT = "both-kept"
    MERGED = "merged"
    SETTLED = "settled"
    DISPUTED = "disputed"
    WHOLE = "whole"


class Side(Struct, frozen=True):
    """One version of a file. `changed` is when it was last changed, where that is known."""

    text: str
    changed: datetime | None = None

    @property
    def name(self) -> str:
        """How the version is called in a dispute: the first digits of its git blob, the same everywhere."""
        return version_name(self.text)


class Decision(Struct, frozen=True):
    """One thing that both sides changed: in which field (`text` is the body), which case, in words."""

    field: str
    case: Case
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}"


class Merged(Struct, frozen=True):
    """The merged file. `is_disputed`: it holds passages or fields of which several versions are kept."""

    text: str
    decisions: tuple[Decision, ...] = ()
    is_disputed: bool = False


def version_name(text: str) -> str:
    """The name of a version by its bytes; `git show NAME` prints it where the repository has it."""
    return blob_id_of(encode(text))[:NAME_LENGTH]
