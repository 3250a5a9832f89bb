"""list with how alive each memory is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from gitmem.flows.reading.recollection import Listing
from gitmem.flows.recall import list_memories
from gitmem.flows.tending.census import census_of
from gitmem.flows.work import Work

if TYPE_CHECKING:
    from gitmem.recall.where import Where


def list_with_strengths(work: Work, where: Where, *, limit: int | None) -> Listing:
    """What `list_memories` gives, with the strength of each memory now; of the past none is told."""
    listing = list_memories(work, where, limit=limit)
    if work.is_past:
        return listing
    return replace(listing, strengths={life.path: life.strength for life in census_of(work, listing).lives})
