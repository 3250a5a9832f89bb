"""The text of the commands that say where memories come from and how they are used."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from gitmem.cli.render import SHORT_COMMIT
from gitmem.cli.render_writes import edited_text
from gitmem.cli.terminal import BOLD, DIM, YELLOW, fitted, painted, visible, width_columns
from gitmem.model.visible import memories_text, one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gitmem.flows.confirm import Confirmed
    from gitmem.flows.log import LogEntry
    from gitmem.flows.usage import Shared, Usage
    from gitmem.flows.why import Provenance, Told, Why

MOST_LINES = 6
"""A statement is shown up to this many lines; JSON has all of it."""
_HOW = {
    "supersedes": "supersedes",
    "superseded_by": "superseded by",
    "disputes": "disputes",
    "disputed_by": "disputed by",
}


def why_text(why: Why) -> str:
    """Statements that came together stand together, above the line that says where they come from."""
    memory = why.memory
    lines = [painted(one_line(memory.title), BOLD), painted(f"{memory.id}  {memory.path}", DIM)]
    lines += [
        f"{_HOW[link.how]} {link.id}  {one_line(link.title) if link.title else '(not on this branch)'}"
        for link in why.links
    ]
    if why.edit:
        lines.append(f"the file has an edit that is not told here: {why.edit}")
    told_body_first = sorted(why.statements, key=lambda told: told.statement.field is not None)
    for _, group in groupby(told_body_first, key=_together):
        told = list(group)
        lines.append("")
        lines += [line for each in told for line in _statement_lines(each.statement.text)]
        lines += _origin_lines(told[0].origins)
    if not why.is_complete:
        lines += ["", "older versions are missing: this is a shallow clone"]
    return "".join(line + "\n" for line in lines)


def _together(told: Told) -> object:
    """What two statements in a row have in common to share a line: all of their origins, if there is one."""
    if len(told.origins) != 1:
        return (told.statement.first_line,)
    origin = told.origins[0]
    return (told.statement.field is None, origin.entry, origin.merged, origin.restored, origin.reviewed_by)


def _statement_lines(text: str) -> list[str]:
    lines = visible(text).splitlines()
    hidden = len(lines) - MOST_LINES
    return lines if hidden <= 1 else [*lines[:MOST_LINES], painted(f"… {hidden} more lines", DIM)]


def _origin_lines(origins: Sequence[Provenance]) -> list[str]:
    found = []
    for origin in origins:
        where = f"line{_numbers(origin.lines)}: " if len(origins) > 1 else ""
        found.append(f"    {painted(where, DIM)}{_origin_text(origin)}")
    return found


def _numbers(lines: Sequence[int]) -> str:
    """`s 3-5, 8` or ` 4`."""
    parts = []
    for _, run in groupby(enumerate(lines), key=lambda pair: pair[1] - pair[0]):
        numbers = [number for _, number in run]
        parts.append(f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0]))
    return ("s " if len(lines) > 1 else " ") + ", ".join(parts)


def _origin_text(origin: Provenance) -> str:
    entry = origin.entry
    by = f"by {one_line(entry.author)}"
    parts = [f"{by}, by hand: “{one_line(entry.subject)}”" if origin.is_by_hand else by]
    named = {"agent": entry.agent, "session": entry.session, "source": entry.source, "reason": entry.reason}
    parts += [f"{name} {one_line(value)}" for name, value in named.items() if value]
    unknown = [name for name, value in named.items() if not value]
    if unknown:
        parts.append(f"unknown: {', '.join(unknown)}")
    if origin.reviewed_by:
        parts.append(f"reviewed by {', '.join(map(one_line, origin.reviewed_by))}")
    if origin.merged:
        parts.append(f"merged by {_version(origin.merged)}")
    if origin.restored:
        parts.append(f"restored by {_version(origin.restored)}")
    return f"{painted(_version(entry), YELLOW)}  " + " · ".join(parts)


def _version(entry: LogEntry) -> str:
    number = f"v{entry.number} " if entry.number is not None else ""
    return f"{number}{entry.commit[:SHORT_COMMIT]} {entry.date[:10]}"


def usage_text(usage: Usage) -> str:
    lines = []
    if not usage.is_counting:
        lines.append("uses are not counted here")
    elif usage.problem:
        lines.append(f"uses are not counted: {usage.problem}")
    if not usage.memories:
        return "".join(line + "\n" for line in [*lines, "nothing was recalled or shown yet"])
    width = width_columns()
    lines.append(painted("recalled  shown  last", DIM))
    for used in usage.memories:
        uses = used.uses
        head = f"{uses.recalled:>8,}  {uses.shown:>5,}  {uses.last[:10]}  {used.id:<8}  "
        title = one_line(used.title) if used.title is not None else "(not on this branch)"
        lines.append(head + fitted(title, width and max(10, width - len(head))))
    hidden = usage.total - len(usage.memories)
    lines += [f"… and {hidden:,} more; --limit shows them"] if hidden > 0 else []
    return "".join(line + "\n" for line in lines)


def shared_text(shared: Shared) -> str:
    clones = f"{shared.clones} clone" + ("" if shared.clones == 1 else "s")
    where = f" and at {shared.remote}" if shared.remote else ""
    return f"refs/gitmem/usage has the uses of {memories_text(shared.memories)} by {clones}, here{where}\n"


def confirmed_text(confirmed: Confirmed) -> str:
    anchors = "".join(f"    {one_line(anchor)}\n" for anchor in confirmed.anchors)
    return edited_text(confirmed.written) + anchors
