"""What becomes of two memories that do not go together: one takes the place of the other, or both stay.

superseded   the new one is sure enough, no less sure than the old one, the old one says nothing else, and
             the new one says that it corrects, or gives the same thing another value from a later date on
disputed     they contradict, and nothing says which holds
told         the new one seems to replace something, and that is not sure: both stay as they are
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from gitmem.evolve.importance import CORRECTIONS, find_phrase
from gitmem.index.moments import span_of

if TYPE_CHECKING:
    from gitmem.evolve.claims import Reading
    from gitmem.evolve.contradictions import Contradiction


class Outcome(StrEnum):
    """What becomes of the known memory."""

    SUPERSEDED = "superseded"
    DISPUTED = "disputed"
    TOLD = "told"


def settle(new: Reading, known: Reading, found: Contradiction, *, supersede_from: float) -> Outcome:
    """What becomes of `known`, whose sentence `found` says not to go with one of `new`."""
    from gitmem.evolve.contradictions import Kind

    is_sure = new.memory.confidence >= max(supersede_from, known.memory.confidence)
    if is_sure and len(known.claims) == 1 and _is_newer(new, known, found):
        return Outcome.SUPERSEDED
    return Outcome.TOLD if found.kind is Kind.REPLACEMENT else Outcome.DISPUTED


def _is_newer(new: Reading, known: Reading, found: Contradiction) -> bool:
    from gitmem.evolve.contradictions import REPLACES, Kind

    if REPLACES.search(found.claim.text) or find_phrase(new.text, CORRECTIONS):
        return True
    if found.kind is not Kind.VALUE:
        return False
    begins, began = span_of(new.memory.valid_from), span_of(known.memory.valid_from or known.memory.created)
    return begins is not None and began is not None and begins[0] > began[0]
