"""Bounded factors: importance, confidence, recency and use, each within a tenth.

They decide between memories that fit about equally well, and never lift one that fits much worse.
"""

from __future__ import annotations

import math
from collections.abc import Sequence, Set
from datetime import datetime

from gitmem.index.columns import SHARE_UNITS
from gitmem.index.moments import NO_MOMENT, micros_of
from gitmem.recall.answer import Reason
from gitmem.recall.weights import MANY_USES, RECENCY_HALF_DAYS, SWING, USE_HALF_DAYS

_DAY_MICROS = 86_400_000_000.0


def importance_factor(units: int) -> float:
    """0.9 at importance 0, 1 at the default of 0.5, 1.1 at 1."""
    return 1 + SWING * (2 * units / SHARE_UNITS - 1)


def confidence_factor(units: int) -> float:
    """0.9 at confidence 0, 1 at the default of 1."""
    return 1 - SWING * (1 - units / SHARE_UNITS)


def recency_factor(age_days: float) -> float:
    """1.1 for what is new, down to 0.9 for what is old; halfway at `RECENCY_HALF_DAYS`."""
    return 1 + SWING * (2 * math.exp2(-max(0.0, age_days) / RECENCY_HALF_DAYS) - 1)


def use_factor(uses: float, age_days: float) -> float:
    """1 for what was never used, up to 1.1 for what is used much and was used lately.

    The logarithm of `uses` up to `MANY_USES`, halved with every `USE_HALF_DAYS` since the last one.
    """
    share = math.log1p(max(0.0, uses)) / math.log1p(MANY_USES)
    return 1 + SWING * min(1.0, share) * math.exp2(-max(0.0, age_days) / USE_HALF_DAYS)


class ShareFactor:
    """Importance or confidence, from its column; `most_units` is the highest value in it."""

    reach: Set[int] | None = None

    def __init__(self, name: str, units: Sequence[int], most_units: int) -> None:
        self._name = name
        self._units = units
        self._of = importance_factor if name == "importance" else confidence_factor
        self.most = self._of(most_units)

    def factor_of(self, document: int) -> float:
        return self._of(self._units[document])

    def reason(self, document: int) -> Reason | None:
        factor = self.factor_of(document)
        if factor == 1:
            return None
        return Reason(self._name, f"{self._name} {self._units[document] / SHARE_UNITS:g}", factor)


class RecencyFactor:
    """How long ago `created` is; what has no date is taken as it is. `most` is the highest factor."""

    reach: Set[int] | None = None

    def __init__(self, now: datetime, created: Sequence[int], newest: int, *, has_undated: bool) -> None:
        self._now_micros = micros_of(now)
        self._created = created
        most = recency_factor(self._days(newest))
        self.most = max(1.0, most) if has_undated else most

    def factor_of(self, document: int) -> float:
        created = self._created[document]
        return 1.0 if created == NO_MOMENT else recency_factor(self._days(created))

    def reason(self, document: int) -> Reason | None:
        created = self._created[document]
        if created == NO_MOMENT:
            return None
        days = self._days(created)
        return Reason("recency", f"{days:.0f} days old", recency_factor(days))

    def _days(self, created: int) -> float:
        return max(0.0, (self._now_micros - created) / _DAY_MICROS)
