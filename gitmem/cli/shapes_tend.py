"""The JSON of tend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.cli.shapes import Shape

if TYPE_CHECKING:
    from gitmem.flows.tending.tend import Tended
    from gitmem.lifecycle.life import Life


def tended_shape(tended: Tended) -> Shape:
    plan = tended.plan
    return {
        "done": tended.is_done,
        "proposed": plan.is_proposed,
        "memories": plan.looked_at,
        "operation_id": tended.operation_id,
        "commits": dict(tended.commits),
        "proposal": tended.proposal,
        "summaries": list(tended.summaries),
        "stayed": list(tended.stayed),
        "notices": [*plan.notes, *tended.notices],
        "shows": dict(plan.commits),
        "policies": [policy.name for policy in plan.policies],
        "steps": [
            {**_life(step.life), "action": str(step.action), "policy": step.policy, "reason": step.reason}
            for step in plan.plan.steps
        ],
        "kept": [
            {**_life(kept.life), "action": str(kept.action), "policy": kept.policy, "why": kept.why}
            for kept in plan.plan.kept
        ],
    }


def _life(life: Life) -> Shape:
    return {
        "id": life.id,
        "path": life.path,
        "title": life.title,
        "branch": life.branch,
        "type": str(life.type),
        "strength": round(life.strength, 4),
        "idle_days": round(life.idle_days, 2),
        "importance": life.importance,
    }
