"""Summaries: memories that say in short what others say at length, and name them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gitmem.model.memory import Json
from gitmem.model.others import relations_in

SUMMARISES = "summarises"
"""The relation of a summary to what it is a summary of."""


def is_summary(fields: Mapping[str, Json]) -> bool:
    """Whether the header says that the memory is a summary of others."""
    return any(relation == SUMMARISES for _, relation in _relations(fields))


def related_beside(fields: Mapping[str, Json]) -> list[str]:
    """The ids that the header is related to otherwise than as their summary."""
    return [to for to, relation in _relations(fields) if relation != SUMMARISES]


def _relations(fields: Mapping[str, Json]) -> Iterator[tuple[str, str]]:
    for each in relations_in(fields.get("related"))[0]:
        yield each.to, each.relation.casefold()
