"""The JSON of `remember`, `reflect` and `consult`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape, hit_shape

if TYPE_CHECKING:
    from gitmem.flows.judging.consult import Consulted
    from gitmem.flows.judging.foresee import Foreseen
    from gitmem.flows.remember import Written
    from gitmem.flows.written import Judged


def remembered_shape(written: Written) -> Shape:
    """One memory, and what was judged of it."""
    return {
        "id": written.id,
        "path": written.path,
        "title": written.title,
        "version": written.version,
        "branch": written.branch,
        "outcome": written.outcome,
        "confirmed": written.confirmed,
        "importance": written.weight.importance,
        "importance_rule": written.weight.reason,
        "judged": judged_shapes(written.judged),
        "notices": list(written.notices),
    }


def foreseen_shape(foreseen: Sequence[Foreseen]) -> Shape:
    """What would be written, and that nothing was."""
    return {
        "dry_run": True,
        "count": len(foreseen),
        "memories": [
            {
                "path": each.path,
                "title": each.title,
                "branch": each.branch,
                "outcome": each.outcome,
                "importance": each.weight.importance,
                "importance_rule": each.weight.reason,
                "judged": judged_shapes(each.judged),
            }
            for each in foreseen
        ],
    }


def judged_shapes(judged: Sequence[Judged]) -> list[Shape]:
    return [
        {
            "id": each.id,
            "path": each.path,
            "title": each.title,
            "outcome": each.outcome,
            "reason": each.reason,
        }
        for each in judged
    ]


def consulted_shape(consulted: Consulted, branch: str) -> Shape:
    return {
        "task": consulted.task,
        "branch": branch,
        "commit": consulted.commit,
        "notes": list(consulted.notes),
        "warnings": [hit_shape(each) for each in consulted.warnings],
        "procedures": [hit_shape(each) for each in consulted.procedures],
    }
