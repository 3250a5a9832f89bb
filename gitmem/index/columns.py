"""What ranking must know of every memory: numbers in columns, one value a document."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping

from gitmem.index.moments import LAST_MOMENT, NO_MOMENT, micros_of, parse_moment, span_of
from gitmem.model.ids import blob_key
from gitmem.model.memory import Memory

CREATED, GROUP, ORDER, IMPORTANCE, CONFIDENCE = "created", "group", "order", "importance", "confidence"
VALID_FROM, VALID_UNTIL = "valid_from", "valid_until"
BLOB = "blob"
"""By the first 64 bits of its blob id a memory is looked up where vectors are kept."""
SHARE_UNITS = 10_000
"""Importance and confidence are kept in ten-thousandths."""
NO_GROUP = 0

NUMBERS: Mapping[str, tuple[str, int]] = {
    CREATED: ("q", NO_MOMENT),
    GROUP: ("q", NO_GROUP),
    IMPORTANCE: ("q", SHARE_UNITS // 2),
    CONFIDENCE: ("q", SHARE_UNITS),
    VALID_FROM: ("q", NO_MOMENT),
    VALID_UNTIL: ("q", LAST_MOMENT),
    BLOB: ("q", 0),
}
"""Type code and default of each column of numbers; only values other than the default are written."""

_DIGITS = re.compile(r"\d+")
_MAX_ORDER_CHARACTERS = 400


def column_values(memory: Memory) -> dict[str, int | bytes]:
    """What `memory` has in each column, defaults left out."""
    values: dict[str, int | bytes] = {
        CREATED: micros_of(parse_moment(memory.created)),
        IMPORTANCE: share_units(memory.importance),
        CONFIDENCE: share_units(memory.confidence),
        VALID_FROM: (span_of(memory.valid_from) or (NO_MOMENT, 0))[0],
        VALID_UNTIL: (span_of(memory.valid_until) or (0, LAST_MOMENT))[1],
        BLOB: blob_key(memory.blob),
    }
    values = {name: value for name, value in values.items() if value != NUMBERS[name][1]}
    if memory.session is not None:
        values[GROUP] = _group_number(memory.namespace, memory.session)
        values[ORDER] = _order_key(memory)
    return values


def share_units(share: float) -> int:
    """A share from 0 to 1 in ten-thousandths; what lies outside is cut off."""
    return round(SHARE_UNITS * min(1.0, max(0.0, share)))


def _group_number(namespace: str, session: str) -> int:
    """The number of a session in a namespace; two share one by chance once in 10^19."""
    text = f"{namespace}\x00{session}".casefold()
    digest = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big", signed=True) or 1


def _order_key(memory: Memory) -> bytes:
    """Sorts the memories of one session that were created together: `D1:2` before `D1:10`.

    Two with the same id are told apart by their paths, which are not kept here.
    """
    text = memory.id if memory.has_own_id else memory.path
    natural = _DIGITS.sub(lambda match: f"{len(match[0].lstrip('0')):03}{match[0].lstrip('0')}", text)
    return natural[:_MAX_ORDER_CHARACTERS].encode("utf-8", "surrogatepass")
