"""The JSON of what is known of a memory beside its file: its uses, and what became of its anchors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gitmem.model.anchors import Verdict
    from gitmem.model.usage import Uses

Shape = dict[str, Any]


def verdict_shape(verdict: Verdict) -> Shape:
    """What became of an anchor."""
    return {
        "anchor": verdict.anchor,
        "state": verdict.state,
        "stale": verdict.is_stale,
        "reason": verdict.reason,
        "path": verdict.path,
    }


def uses_shape(uses: Uses | None) -> Shape | None:
    """How often a memory is used; null where that is not counted."""
    if uses is None:
        return None
    return {"recalled": uses.recalled, "shown": uses.shown, "last": uses.last or None}
