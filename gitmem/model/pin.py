"""Pins: the mark in a header that a person wants a memory kept as it is, however long nobody asks for it."""

from __future__ import annotations

from collections.abc import Mapping

from gitmem.model.memory import Json

PINNED = "pinned"
_YES = frozenset(("true", "yes"))
_NO = frozenset(("false", "no", ""))


def is_pinned(fields: Mapping[str, Json]) -> bool:
    """Whether the header says so: `pinned: true`, or `yes`, which YAML 1.2 reads as a text."""
    value = fields.get(PINNED)
    return value is True or (isinstance(value, str) and value.strip().casefold() in _YES)


def is_clear(fields: Mapping[str, Json]) -> bool:
    """Whether the header says yes or no, or nothing at all."""
    value = fields.get(PINNED)
    if isinstance(value, str):
        return value.strip().casefold() in _YES | _NO
    return value is None or isinstance(value, bool)
