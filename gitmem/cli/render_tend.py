"""The text of tend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.cli.render import SHORT_COMMIT
from gitmem.cli.terminal import BOLD, DIM, YELLOW, painted
from gitmem.model.visible import memories_text, one_line

if TYPE_CHECKING:
    from gitmem.flows.tending.tend import Tended


def tended_text(tended: Tended) -> str:
    plan = tended.plan
    lines = []
    for step in plan.plan.steps:
        action = "propose" if plan.is_proposed and step.action.moves else str(step.action)
        head = painted(f"{action:<10}", BOLD) + painted(f"{step.life.id:<8}", YELLOW)
        lines.append(f"{head}  {one_line(step.life.title)}")
        lines.append(painted(f"{'':<10}{step.policy}: {one_line(step.reason)}", DIM))
    for kept in plan.plan.kept:
        head = painted(f"{'stays':<10}", BOLD) + painted(f"{kept.life.id:<8}", YELLOW)
        lines.append(f"{head}  {one_line(kept.life.title)}")
        lines.append(painted(f"{'':<10}{kept.policy} would {kept.action} it, but {one_line(kept.why)}", DIM))
    return "\n".join([*lines, *_end(tended)]) + "\n"


def _end(tended: Tended) -> list[str]:
    plan = tended.plan
    if not plan.archived and not plan.proposed:
        cold = f"; {memories_text(len(plan.cold))} cold" if plan.cold else ""
        return [f"nothing to do for {memories_text(plan.looked_at)}{cold}"]
    if not tended.is_done:
        return [f"nothing was changed: 'gitmem tend' does it to {_counted(tended)}"]
    lines = []
    if tended.operation_id is not None:
        commits = ", ".join(f"{name} {commit[:SHORT_COMMIT]}" for name, commit in tended.commits.items())
        lines.append(f"archived {memories_text(len(plan.archived))} ({commits})")
        lines.append(f"'gitmem undo {tended.operation_id}' takes it back")
    lines += [f"{one_line(path)} was changed meanwhile, and stays" for path in tended.stayed]
    if tended.proposal is not None:
        lines.append(f"proposed as {tended.proposal}, a person reviews it")
    return lines


def _counted(tended: Tended) -> str:
    plan = tended.plan
    counts = [("archive", len(plan.archived)), ("propose", len(plan.proposed))]
    return ", ".join(f"{memories_text(count)} ({name})" for name, count in counts if count)
