"""Stale anchors among the hits of a recall: marked, and lowered among those shown; none is hidden."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gitmem.flows.work import Work
from gitmem.model.anchors import Verdict, readable_anchors

if TYPE_CHECKING:
    from gitmem.flows.reading.recollection import Recalled
    from gitmem.recall.answer import Hit


def marked_by_anchors(work: Work, hits: Sequence[Recalled]) -> tuple[Sequence[Recalled], tuple[str, ...]]:
    """`hits` with what became of their anchors, stale ones lowered, and what is worth saying.

    Only the hits that are shown are looked at, each distinct anchor once. What the whole query names
    stays in front.
    """
    if not any(readable_anchors(each.hit.record.fields) for each in hits):
        return hits, ()
    from gitmem.flows.reading.anchor_look import AnchorLook

    look = AnchorLook(work)
    marked = [replace(each, verdicts=look.verdicts(each.hit.record.fields)) for each in hits]
    look.close()
    if not any(each.verdicts for each in marked):
        return hits, ()
    lowered = [replace(each, hit=_lowered(each.hit, each.verdicts)) for each in marked]
    lowered.sort(key=lambda each: (not _is_exact(each.hit), -each.hit.score))
    return lowered, (look.note,) if look.note else ()


def _lowered(hit: Hit, verdicts: Sequence[Verdict]) -> Hit:
    from gitmem.recall.answer import Reason
    from gitmem.recall.weights import STALE_FACTOR

    stale = [verdict.reason for verdict in verdicts if verdict.is_stale]
    if not stale:
        return hit
    reason = Reason("anchors", "; ".join(stale), STALE_FACTOR)
    return replace(
        hit,
        score=round(reason.applied(hit.score), 4),
        reasons=(*hit.reasons, reason),
        labels=(*hit.labels, *(f"stale: {text}" for text in stale)),
    )


def _is_exact(hit: Hit) -> bool:
    return any(reason.stage == "exact" for reason in hit.reasons)
