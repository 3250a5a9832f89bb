"""Answers as values: the hits of a question and what is worth saying, the memories that pass a filter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, field

from gitmem.model.anchors import Verdict
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory
from gitmem.model.usage import Uses

if TYPE_CHECKING:
    from gitmem.index.record import Record
    from gitmem.recall.answer import Hit
    from gitmem.recall.snippet import Snippet


class Recalled(Struct, frozen=True):
    """One hit with the place in its text that answers best."""

    hit: Hit
    snippet: Snippet
    verdicts: Sequence[Verdict] = ()
    """What became of its anchors."""
    memory: Memory | None = None


class Recollection(Struct, frozen=True):
    """The answer to a question: hits best first, how many matched in all, and what is worth saying.

    `commit` is what the answer shows; None where the branch has no commit yet. `period` is the first
    and the last day, or time, that filters let through; None for either where it is open. Where no
    memory has a relevance of `cutoff`, there are no hits: `held_back` says how many there would be,
    and `closest` is the most relevant of them; `held` are the best few, best first.
    """

    query: str
    hits: Sequence[Recalled]
    total: int
    terms: Sequence[str]
    notes: Sequence[str]
    commit: CommitId | None
    period: tuple[str | None, str | None] | None = None
    cutoff: float = 0.0
    held_back: int = 0
    closest: Recalled | None = None
    held: Sequence[Recalled] = ()
    legs: Sequence[str] = ("words",)  # also `meaning` where vectors were asked
    leg_notes: Sequence[str] = ()
    """Those of `notes` that say why meaning was not asked, or not of all memories."""
    unreadable: Sequence[str] = ()
    """What is to be said of memories that could not be read."""


class Listing(Struct, frozen=True):
    """The memories that pass a filter, newest first, and how many there are beyond the limit."""

    records: Sequence[Record]
    total: int
    notes: Sequence[str]
    commit: CommitId | None
    labels: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By path, how a memory is marked: an edit that is not committed."""
    uses: Mapping[str, Uses] | None = None
    """By id, how often a memory was recalled and shown; None where that is not counted."""
    strengths: Mapping[str, float] = field(default_factory=dict)
    """By path, how alive a memory is, 0 to 1, where that was asked for; see `lifecycle/strength.py`."""
