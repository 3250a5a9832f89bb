"""The text of the commands that change, compare, move and mend."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.cli.render import SHORT_COMMIT
from gitmem.cli.terminal import BOLD, DIM, YELLOW, painted
from gitmem.model.proposal import is_proposal
from gitmem.model.visible import memories_text, one_line

if TYPE_CHECKING:
    from gitmem.flows.commit import Committed
    from gitmem.flows.compare import Blamed, Compared
    from gitmem.flows.doctor import Ailment
    from gitmem.flows.export import Exported
    from gitmem.flows.move import Moved
    from gitmem.flows.remember import Written
    from gitmem.flows.revert import Undone
    from gitmem.flows.takein import Imported
    from gitmem.model.memory import Json


def edited_text(written: Written) -> str:
    version = written.version[:SHORT_COMMIT]
    if written.replaced is None:
        return f"{written.id}  unchanged, at {version}\n"
    return f"{written.id}  {one_line(written.path)}  {written.replaced[:SHORT_COMMIT]} → {version}\n"


def committed_text(committed: Committed) -> str:
    if committed.commit is None:
        return "no edits to commit\n"
    lines = [f"{edit.kind:<8} {edit.id}  {one_line(edit.title)}" for edit in committed.edits]
    return "\n".join(lines) + f"\ncommitted as {committed.commit[:SHORT_COMMIT]}\n"


def compared_text(compared: Compared) -> str:
    difference = compared.difference
    lines = [f"{compared.id}  {compared.old[:SHORT_COMMIT]} → {compared.new[:SHORT_COMMIT]}"]
    if difference.is_empty:
        lines.append("no difference")
    if difference.old_path != difference.new_path:
        lines.append(f"path: {one_line(difference.old_path)} → {one_line(difference.new_path)}")
    lines += [
        f"{one_line(each.field)}: {_value(each.old)} → {_value(each.new)}" for each in difference.fields
    ]
    lines += [_diff_line(line) for line in difference.lines]
    return "\n".join(lines) + "\n"


def _value(value: Json) -> str:
    if value is None:
        return "(none)"
    return one_line(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _diff_line(line: str) -> str:
    if line.startswith("@@"):
        return painted(line, DIM)
    return painted(line, BOLD) if line.startswith(("+", "-")) else line


def blamed_text(blamed: Blamed) -> str:
    lines = []
    for line in blamed.lines:
        entry = line.entry
        number = f"v{entry.number}" if entry.number is not None else ""
        who = one_line(entry.agent or entry.author)
        head = f"{entry.commit[:SHORT_COMMIT]} {number:<4} {entry.date[:10]} {who:<16.16}"
        lines.append(f"{painted(head, YELLOW)} {line.text}")
    if not blamed.is_complete:
        lines.append("older versions are missing: this is a shallow clone")
    return "".join(line + "\n" for line in lines)


def undone_text(undone: Undone) -> str:
    files = f"{undone.files} file" + ("" if undone.files == 1 else "s")
    return f"took back {one_line(undone.subject)} ({undone.operation_id}, {files})\n"


def moved_text(moved: Moved) -> str:
    lines = [f"{memory_id}  {one_line(path)}" for memory_id, path in zip(moved.ids, moved.paths, strict=True)]
    if moved.arrived is None and is_proposal(moved.source):
        lines.append(f"taken off {moved.source}; what main has is archived when it is accepted")
        return "\n".join(lines) + "\n"
    return "\n".join(lines) + f"\nfrom {moved.source} to {moved.destination}\n"


def imported_text(imported: Imported) -> str:
    reasons = [f"{one_line(name)}: {outcome}: {one_line(why)}" for name, outcome, why in imported.told]
    counted = ", ".join(f"{count:,} {outcome}" for outcome, count in imported.counts.items())
    commit = f" (commit {imported.commit[:SHORT_COMMIT]})" if imported.commit else ""
    return "".join(line + "\n" for line in reasons) + f"{counted or 'nothing to import'}{commit}\n"


def exported_text(exported: Exported) -> str:
    lines = [f"{one_line(path)}: skipped, {why}" for path, why in exported.reasons.items()]
    attached = f" and {exported.attachments:,} attachments" if exported.attachments else ""
    lines.append(f"wrote {memories_text(exported.memories)}{attached} to {exported.target}")
    return "\n".join(lines) + "\n"


def doctor_text(ailments: Sequence[Ailment]) -> str:
    if not ailments:
        return "all is well\n"
    lines = []
    for ailment in ailments:
        state = "fixed" if ailment.is_fixed else "found"
        hint = f" ({one_line(ailment.hint)})" if ailment.hint else ""
        lines.append(f"{state}: {one_line(ailment.message)}{hint}")
    return "\n".join(lines) + "\n"
