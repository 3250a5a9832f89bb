"""The JSON of `health` and `report`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import to_builtins

from gitmem.cli.render_health import TROUBLES
from gitmem.cli.shapes import Shape
from gitmem.clock import iso_seconds

if TYPE_CHECKING:
    from gitmem.flows.wellbeing.measures import Health, Latency, Outlook, Size, Trouble


def health_shape(health: Health) -> Shape:
    troubles = health.troubles
    return {
        "well": health.is_well,
        "branch": health.branch,
        "commit": health.commit,
        "moment": iso_seconds(health.moment),
        "size": None if health.size is None else _size_shape(health.size),
        "by_type": {kind: size.memories for kind, size in health.by_type.items()},
        "namespaces": [
            {"name": each.name, **_size_shape(each.size), "grown": each.grown} for each in health.namespaces
        ],
        "folders": [to_builtins(each) for each in health.folders],
        "branches": [
            {"name": each.name, "role": each.role, "commit": each.commit, **_size_shape(each.size)}
            for each in health.branches
        ],
        "months": [
            {
                "month": each.month,
                "commit": each.commit,
                "memories": each.memories,
                "by_type": dict(each.by_type),
            }
            for each in health.months
        ],
        "indexes": _index_shapes(health),
        "recall": None if health.latency is None else _latency_shape(health.latency),
        "troubles": None
        if troubles is None
        else {name: _trouble_shapes(getattr(troubles, name)) for name, _ in TROUBLES},
        **_outlook_shape(health.outlook),
        "proposals": None
        if health.proposals is None
        else [
            {
                "name": each.name,
                "title": each.title,
                "memories": each.memories,
                "created": iso_seconds(each.created),
                "days": each.days,
            }
            for each in health.proposals
        ],
        "unfinished_writes": health.unfinished_writes,
        "git": None if health.objects is None else to_builtins(health.objects),
        "not_looked_at": [to_builtins(each) for each in health.unread],
        "findings": [to_builtins(each) for each in health.findings],
    }


def _index_shapes(health: Health) -> list[Shape]:
    return [
        {
            "branch": each.branch,
            "commit": each.commit,
            "commits_behind": each.commits_behind,
            "seconds_behind": round(each.seconds_behind),
        }
        for each in health.indexes
    ]


def _size_shape(size: Size) -> Shape:
    shape: Shape = to_builtins(size)
    return shape


def _latency_shape(latency: Latency) -> Shape:
    def milliseconds(seconds: float) -> float:
        return round(seconds * 1000, 3)

    return {
        "recalls": latency.recalls,
        "p50_ms": milliseconds(latency.p50),
        "p95_ms": milliseconds(latency.p95),
        "p99_ms": milliseconds(latency.p99),
        "slowest_ms": milliseconds(latency.slowest),
    }


def _outlook_shape(outlook: Outlook | None) -> Shape:
    if outlook is None:
        return {"strengths": None, "tend": None}
    tending = outlook.tending
    return {
        "strengths": {kind: list(counts) for kind, counts in outlook.strengths.items()},
        "tend": {
            "told": tending is not None,
            "why_not": outlook.not_told,
            "memories": None if tending is None else tending.looked_at,
            "proposed": None if tending is None else tending.is_proposed,
            "actions": None if tending is None else dict(tending.by_action),
            "kept": None if tending is None else tending.kept,
        },
    }


def _trouble_shapes(troubles: Sequence[Trouble]) -> list[Shape]:
    return [to_builtins(each) for each in troubles]


def report_shape(health: Health, file: str, size_bytes: int) -> Shape:
    return {
        "file": file,
        "bytes": size_bytes,
        "branch": health.branch,
        "commit": health.commit,
        "moment": iso_seconds(health.moment),
        "well": health.is_well,
        "findings": len(health.findings),
    }
