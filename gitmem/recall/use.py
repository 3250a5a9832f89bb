"""Use: what was recalled and shown often, and lately, stands a little higher among what fits as well."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from gitmem.index.moments import parse_moment
from gitmem.model.usage import Uses
from gitmem.recall.answer import Reason
from gitmem.recall.factors import use_factor
from gitmem.recall.weights import RECALLED_SHARE

FindUses = Callable[[str], Uses]
_DAY_SECONDS = 86_400.0


class UseFactor:
    """Multiplies by how much a memory is used; asked only for memories that may become hits."""

    def __init__(self, find: FindUses, now: datetime) -> None:
        self._find = find
        self._now = now

    def reason(self, memory_id: str) -> Reason | None:
        """By how much, and why; None where it was never used."""
        uses = self._find(memory_id)
        last = parse_moment(uses.last)
        if last is None:
            return None
        days = max(0.0, (self._now - last).total_seconds() / _DAY_SECONDS)
        factor = use_factor(uses.shown + RECALLED_SHARE * uses.recalled, days)
        text = f"recalled {uses.recalled} and shown {uses.shown} times, last {days:.0f} days ago"
        return Reason("usage", text, factor)
