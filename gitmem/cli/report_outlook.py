"""The part of the report on what becomes of memories: how alive they are, and what tend would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.cli.charts import Series, legend, stacked_columns
from gitmem.cli.render_health import tending_text
from gitmem.cli.report_parts import UNKNOWN, behind, kind_class, kind_place, none, whole

if TYPE_CHECKING:
    from gitmem.flows.wellbeing.measures import Health


def outlook(health: Health) -> str:
    """A column for each tenth of strength, and below it what tend would do."""
    if health.outlook is None:
        return UNKNOWN
    told = none(f"tend: {tending_text(health)}. gitmem tend --dry-run says which, and why.")
    strengths = health.outlook.strengths
    if not strengths:
        return none("No memories yet.") + told
    kinds = sorted(strengths, key=kind_place)
    steps = len(strengths[kinds[0]])
    labels = [f"{number / steps:.1f}–{(number + 1) / steps:.1f}" for number in range(steps)]
    series = [Series(kind, kind_class(kind), strengths[kind]) for kind in kinds]
    rows = [
        (label, *(f"{strengths[kind][number]:,}" for kind in kinds)) for number, label in enumerate(labels)
    ]
    chart = stacked_columns("Memories by strength, 0 to 1, and type", labels, series, whole)
    return chart + legend(series) + behind(("Strength", *(f"#{kind}" for kind in kinds)), rows) + told
