"""The text and the Markdown of `check`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.cli.render import SHORT_COMMIT
from gitmem.cli.terminal import DIM, painted
from gitmem.model.visible import memories_text, one_line

if TYPE_CHECKING:
    from gitmem.flows.check import Checked, Finding
    from gitmem.flows.scan import Scanned, Seen

NOTE_WORDS = {
    "no-header": "without a header, known by their path",
    "no-id": "without an id of their own, known by their path",
    "anchor-moved": "anchored to what has another path now",
    "anchor-unknown": "anchored to what could not be looked at; --json says why",
}
MOST_ROWS = 100
MOST_CELL_CHARACTERS = 300
MOST_MARKDOWN_CHARACTERS = 60_000
"""A comment on a pull request may have 65,536 characters."""


def checked_text(checked: Checked) -> str:
    """Findings a line each, with what to do below; of the whole store, notes are counted by kind."""
    lines = []
    notes: Counter[str] = Counter()
    for finding in checked.findings:
        if finding.severity == "note" and (checked.base is None or finding.code in NOTE_WORDS):
            notes[finding.code] += 1
            continue
        place = f"{finding.path}:{finding.line}" if finding.line else finding.path
        lines.append(one_line(f"{place}: {finding.severity}: {finding.message} [{finding.code}]"))
        if finding.hint:
            lines.append(painted(f"    {one_line(finding.hint)}", DIM))
    lines += [
        f"{count:,} {NOTE_WORDS.get(code) or f'notes of {code}; --json lists them'}"
        for code, count in notes.items()
    ]
    lines.append(_summary(checked))
    return "\n".join(lines) + "\n"


def _summary(checked: Checked) -> str:
    if checked.base is None:
        errors = sum(finding.severity == "error" for finding in checked.findings)
        return f"{memories_text(checked.memories)}, {_counted(errors, 'error')}"
    memories = memories_text(checked.memories)
    return f"{memories} changed since {checked.base[:SHORT_COMMIT]}: {counts_text(checked.findings)}"


def counts_text(findings: Sequence[Finding]) -> str:
    """How many there are of each severity; of errors also where there are none."""
    counts = Counter(finding.severity for finding in findings)
    others = [_counted(counts[name], name) for name in ("warning", "note") if counts[name]]
    return ", ".join([_counted(counts["error"], "error"), *others])


def _counted(count: int, name: str) -> str:
    return f"{count:,} {name}" + ("" if count == 1 else "s")


def checked_markdown(checked: Checked) -> str:
    """A table fit for a comment on a pull request; what was found stands in it as code, and so calls nobody.

    At most 100 findings and 60,000 characters; it says how many are left out.
    """
    head = f"### gitmem check\n\n{_summary(checked)}\n"
    rows: list[str] = []
    left = MOST_MARKDOWN_CHARACTERS - len(head)
    for finding in checked.findings[:MOST_ROWS]:
        place = f"{finding.path}:{finding.line}" if finding.line else finding.path
        who = f"<br>{_code(finding.id)}" if finding.id else ""
        row = (
            f"| {finding.severity} | {_code(place)}{who} | {_code(finding.message)}<br>`{finding.code}` "
            f"| {_code(finding.hint) if finding.hint else ''} |\n"
        )
        left -= len(row)
        if left < 0:
            break
        rows.append(row)
    if not rows:
        return head
    table = "\n| severity | where | what | to do |\n| --- | --- | --- | --- |\n" + "".join(rows)
    missing = len(checked.findings) - len(rows)
    return (
        head + table + (f"\n{missing:,} more are left out; `gitmem check` lists them.\n" if missing else "")
    )


def _code(text: str) -> str:
    """`text` as code in a cell of a table, whatever it holds: no link, no mention, no markup."""
    line = "".join(each if each.isprintable() else "\ufffd" for each in one_line(text))
    if len(line) > MOST_CELL_CHARACTERS:
        line = line[: MOST_CELL_CHARACTERS - 1] + "…"
    line = line.replace("|", "\\|")
    longest = max((len(run) for run in re.findall(r"`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{fence}{pad}{line}{pad}{fence}" if line else ""


def scanned_text(scanned: Scanned) -> str:
    """A line for each thing that was found, and below them what was looked at, and what could not be."""
    lines = [_seen_line(each) for each in scanned.seen]
    lines += [one_line(f"not looked at: {each}") for each in scanned.unread]
    if scanned.not_text:
        lines.append(f"{_counted(scanned.not_text, 'attachment')} not looked at, no text")
    looked = f"{_counted(scanned.files, 'file')} on {', '.join(scanned.branches) or 'no branch'}"
    if scanned.commits:
        looked += f", and in {_counted(scanned.commits, 'commit')}"
    kinds = Counter(each.kind for each in scanned.seen)
    found = ", ".join(f"{count:,} {kind}" for kind, count in kinds.most_common()) or "nothing"
    lines.append(one_line(f"{looked}: found {found}"))
    return "\n".join(lines) + "\n"


def _seen_line(seen: Seen) -> str:
    place = f"{seen.path}:{seen.line}" if seen.path else f"commit message, line {seen.line}"
    where = f"at {seen.version[:SHORT_COMMIT]}" if seen.version else f"on {seen.branch}"
    parts = [f"{seen.kind:<8}", seen.id or "", place, where]
    return "  ".join(one_line(part) if part.strip() == part else part for part in parts if part)
