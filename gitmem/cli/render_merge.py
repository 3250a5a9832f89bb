"""The text of merges and of what they leave to be settled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from gitmem.cli.render import SHORT_COMMIT
from gitmem.cli.render_writes import edited_text
from gitmem.cli.terminal import BOLD, DIM, painted, visible
from gitmem.model.visible import one_line

if TYPE_CHECKING:
    from gitmem.flows.conflicts import Conflicts, Disputed, VersionOrigin
    from gitmem.flows.merge import Merging
    from gitmem.flows.resolve import Resolved
    from gitmem.model.merge.settle import Dispute


def merging_text(merging: Merging) -> str:
    commit = (merging.commit or "")[:SHORT_COMMIT]
    if merging.kind == "nothing":
        return f"{merging.branch} has all of {merging.revision} already\n"
    if merging.kind == "fast-forward":
        return f"{merging.branch} moved forward to {merging.revision}, at {commit}\n"
    lines = [
        f"{line.case}  {line.id or '-'}  {one_line(line.path)}\n    {one_line(line.message)}"
        for line in merging.report
    ]
    lines.append(f"merged {merging.revision} into {merging.branch} as {commit}")
    if merging.disputed:
        count = len(merging.disputed)
        memories = "memory is" if count == 1 else "memories are"
        lines.append(f"{count} {memories} disputed; 'gitmem conflicts' shows both versions")
    return "\n".join(lines) + "\n"


def conflicts_text(conflicts: Conflicts) -> str:
    if not conflicts.memories:
        return "nothing is disputed\n"
    return "\n".join(_disputed_text(each) for each in conflicts.memories)


def _disputed_text(disputed: Disputed) -> str:
    lines = [
        f"{painted(disputed.id, BOLD)}  {one_line(disputed.title)}",
        painted(f"    {disputed.path}", DIM),
    ]
    if not disputed.disputes:
        lines.append("    marked as disputed; no versions are kept")
    for dispute in disputed.disputes:
        where = f"text, line {dispute.line}" if dispute.line else dispute.field
        lines.append(f"    {where}")
        lines += _options(disputed, dispute)
    return "\n".join(lines) + "\n"


def _options(disputed: Disputed, dispute: Dispute) -> list[str]:
    lines = []
    for option in dispute.options:
        origins = [_origin(disputed.versions[name]) for name in option.names if name in disputed.versions]
        lines.append(painted(f"      {'; '.join(origins)}", DIM))
        if dispute.line:
            shown = [visible(line.rstrip("\r\n")) for line in option.lines] or ["(nothing here)"]
        else:
            value = json.loads(option.text)
            shown = [
                "(none)" if value is None else value if isinstance(value, str) else one_line(option.text)
            ]
        lines += [f"        {line}".rstrip() for line in shown]
    return lines


def _origin(version: VersionOrigin) -> str:
    if version.commit is None or version.date is None:
        return f"{version.name}  of a commit that is not here"
    who = version.agent or version.author or "somebody"
    side = {True: "ours, ", False: "theirs, ", None: ""}[version.is_ours]
    return f"{version.name}  {side}{one_line(who)}, {version.date[:10]}, {version.commit[:SHORT_COMMIT]}"


def resolved_text(resolved: Resolved) -> str:
    if not resolved.left:
        return edited_text(resolved.written)
    still = "1 passage or field is" if resolved.left == 1 else f"{resolved.left} passages or fields are"
    return edited_text(resolved.written) + f"{still} still disputed\n"
