"""The text of `remember`, `reflect` and `consult`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from gitmem.cli.render import SHORT_COMMIT, hit_text
from gitmem.cli.terminal import BOLD, painted
from gitmem.model.visible import memories_text, one_line

if TYPE_CHECKING:
    from gitmem.flows.judging.consult import Consulted
    from gitmem.flows.judging.foresee import Foreseen
    from gitmem.flows.remember import Written


def remembered_text(written: Written, *, explain: bool) -> str:
    if written.outcome == "confirmed":
        times = "once" if written.confirmed == 1 else f"{written.confirmed:,} times"
        said = f"known already, nothing new written; confirmed {times}"
        return f"{written.id}  {one_line(written.path)}  ({said})\n"
    lines = [f"{written.id}  {one_line(written.path)}"]
    return "\n".join([*lines, *(_reasons(written) if explain else [])]) + "\n"


def batch_text(written: Sequence[Written]) -> str:
    new, confirmed, repeated = (
        sum(1 for each in written if each.outcome == outcome) for outcome in ("new", "confirmed", "repeated")
    )
    parts = [f"remembered {memories_text(new)}"]
    parts += [f"confirmed {memories_text(confirmed)} known already"] if confirmed else []
    parts += [f"passed over {repeated:,} repeated in the batch"] if repeated else []
    return f"{', '.join(parts)} in one commit ({written[0].version[:SHORT_COMMIT]})\n"


def foreseen_text(foreseen: Sequence[Foreseen]) -> str:
    lines: list[str] = []
    for each in foreseen:
        lines.append(f"would be {each.outcome}: {one_line(each.path)}")
        lines += _reasons(each) if each.outcome == "new" else []
    return "\n".join(lines) + "\n"


def _reasons(told: Written | Foreseen) -> list[str]:
    lines = [f"    importance {told.weight.importance:g}  {one_line(told.weight.reason)}"]
    return lines + [f"    {one_line(each.message)}" for each in told.judged]


def consulted_text(consulted: Consulted, now: datetime) -> str:
    parts = []
    for title, found in (("warnings", consulted.warnings), ("procedures", consulted.procedures)):
        if found:
            hits = "".join(hit_text(each, now, explain=False) for each in found)
            parts.append(f"{painted(title, BOLD)}\n{hits}")
    return "\n".join(parts) or "nothing applies\n"
