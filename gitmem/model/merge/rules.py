"""What each type does with a passage that both sides changed, and with passages both added in one place.

type         both changed one passage                      both added in one place
working      the newer text stands; see `body`             as for semantic
episodic     both kept                                     both kept, in order of the times they begin with
semantic     the more certain side, if by 0.2; else        both kept
             disputed
procedural   disputed                                      disputed, whole sections apart
reflective   both kept                                     both kept
"""

from __future__ import annotations

from msgspec import Struct

from gitmem.model.memory import MemoryType

CERTAINTY_STEP = 0.2
_ROUNDING = 1e-9


class TextRule(Struct, frozen=True):
    """How a text is merged. `more_certain` is 0 for the first side, 1 for the second, None for neither."""

    keeps_both: bool = False
    is_by_time: bool = False
    is_order_meant: bool = False
    more_certain: int | None = None


def rule_for(memory_type: MemoryType | None, confidences: tuple[float, float]) -> TextRule:
    """The rule of a type; None, a type that is itself disputed, keeps everything and decides nothing."""
    if memory_type is MemoryType.EPISODIC:
        return TextRule(keeps_both=True, is_by_time=True)
    if memory_type is MemoryType.REFLECTIVE:
        return TextRule(keeps_both=True)
    if memory_type is MemoryType.SEMANTIC:
        return TextRule(more_certain=more_certain(confidences))
    if memory_type is MemoryType.WORKING:
        return TextRule()
    return TextRule(is_order_meant=True)


def more_certain(confidences: tuple[float, float]) -> int | None:
    """Which side is more certain by at least 0.2: 0, 1, or None."""
    first, second = confidences
    if abs(first - second) < CERTAINTY_STEP - _ROUNDING:
        return None
    return 0 if first > second else 1
