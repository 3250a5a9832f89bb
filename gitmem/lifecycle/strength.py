"""Strength: how alive a memory is, from 0 to 1.

    strength  = weight · 2^(−idle_days / half_life)
    weight    = importance + (1 − importance) · lift
    half_life = HALF_LIFE_DAYS[type] · 4^(2 · importance − 1) · (1 + 3 · lift)
    lift      = (use + confirmation) / 2
    use          = min(1, ln(1 + uses) / ln(1 + MANY_USES))
    confirmation = min(1, ln(1 + confirmed) / ln(1 + MANY_CONFIRMATIONS))

A pinned memory has strength 1, whatever the rest says.

Where it comes from: what is not called up again fades exponentially (Ebbinghaus, *Über das Gedächtnis*,
1885). With a half-life that grows with practice this is half-life regression (Settles and Meeder, *A
Trainable Spaced Repetition Model for Language Learning*, ACL 2016). That recall makes a memory last longer
follows MemoryBank (Zhong et al., AAAI 2024), that importance counts beside recency Generative Agents (Park et
al., UIST 2023). The half-lives, the stretch of 4 and the logarithms are gitmem's own choice.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from gitmem.model.memory import MemoryType

HALF_LIFE_DAYS: Mapping[MemoryType, float] = MappingProxyType(
    {
        MemoryType.WORKING: 1.0,
        MemoryType.EPISODIC: 30.0,
        MemoryType.SEMANTIC: 180.0,
        MemoryType.PROCEDURAL: 365.0,
        MemoryType.REFLECTIVE: 365.0,
    }
)
"""After so many days without use half is left of a memory of importance 0.5 that was never used."""
STRETCH = 4.0
"""Importance 1 makes the half-life so many times as long, importance 0 so many times shorter."""
LIFT_STRETCH = 3.0
"""A memory that was used and confirmed as much as counts has this much more of a half-life."""
MANY_USES = 100
MANY_CONFIRMATIONS = 10
RECALLED_SHARE = 0.2
"""What being among the hits of a recall counts of being shown, as in ranking."""


def strength(
    *,
    memory_type: MemoryType,
    importance: float,
    idle_days: float,
    uses: float = 0.0,
    confirmed: float = 0.0,
    is_pinned: bool = False,
) -> float:
    """How alive a memory is, 0 to 1: see the head of this module.

    `idle_days` since it was last changed or used, `uses` as `weighed_uses` counts them. It never falls when
    importance, uses or confirmations grow, and never grows with idle days. Values out of range count as the
    nearest that is in it.
    """
    if is_pinned:
        return 1.0
    share = min(1.0, max(0.0, importance))
    lift = (_share(uses, MANY_USES) + _share(confirmed, MANY_CONFIRMATIONS)) / 2
    weight = share + (1 - share) * lift
    return weight * math.exp2(-max(0.0, idle_days) / _half_life_days(memory_type, share, lift))


def half_life_days(
    memory_type: MemoryType, importance: float, *, uses: float = 0.0, confirmed: float = 0.0
) -> float:
    """After how many days without use half of the strength is gone."""
    lift = (_share(uses, MANY_USES) + _share(confirmed, MANY_CONFIRMATIONS)) / 2
    return _half_life_days(memory_type, min(1.0, max(0.0, importance)), lift)


def weighed_uses(*, recalled: int, shown: int) -> float:
    """Uses of a memory as one number: being shown counts whole, being among the hits a fifth."""
    return shown + RECALLED_SHARE * recalled


def _half_life_days(memory_type: MemoryType, importance: float, lift: float) -> float:
    stretched = STRETCH ** (2 * importance - 1) * (1 + LIFT_STRETCH * lift)
    return float(HALF_LIFE_DAYS[memory_type] * stretched)


def _share(count: float, many: int) -> float:
    """The logarithm of `count` as a share of that of `many`, 0 to 1."""
    return min(1.0, math.log1p(max(0.0, count)) / math.log1p(many))
