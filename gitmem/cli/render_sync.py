"""The text of clones and syncs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.cli.render import SHORT_COMMIT
from gitmem.cli.render_why import shared_text
from gitmem.cli.terminal import DIM, painted
from gitmem.model.visible import memories_text, one_line

if TYPE_CHECKING:
    from gitmem.flows.clone import Cloned
    from gitmem.flows.syncing.fork import SinceFork
    from gitmem.flows.syncing.values import MemoryChange, Synced
    from gitmem.flows.usage import Shared

MOST_SHOWN = 20


def cloned_text(cloned: Cloned) -> str:
    where = f"cloned {cloned.fork.url}" if cloned.fork else "cloned an empty repository"
    lines = [f"{where} into {cloned.folder}: {memories_text(cloned.memories)} on {cloned.main}"]
    if cloned.fork:
        lines.append(
            f"forked at {cloned.fork.commit[:SHORT_COMMIT]}; 'gitmem sync' brings both together again"
        )
    if cloned.agent:
        lines.append(f"new memories come from {one_line(cloned.agent)}")
    if cloned.is_active_only:
        lines.append("archived memories were left behind")
    if cloned.had_secret:
        lines.append("the password in the address is kept nowhere; a credential helper can keep it")
    if cloned.hooks.reason:
        lines.append(f"hooks: {cloned.hooks.reason}; recall works without them")
    if cloned.driver.reason:
        lines.append(f"merge driver: {cloned.driver.reason}; 'gitmem merge' works without it")
    return "\n".join(lines) + "\n"


def synced_text(synced: Synced, shared: Shared | None) -> str:
    lines = [_headline(synced)]
    verbs = ("would come", "would go") if synced.is_dry_run else ("came", "went")
    for verb, changes in zip(verbs, (synced.came, synced.went), strict=True):
        if changes:
            lines.append(f"{verb}: {_counts(changes)}")
            lines += _change_lines(changes)
    lines += [
        f"{line.case}  {line.id or '-'}  {one_line(line.path)}\n    {one_line(line.message)}"
        for line in synced.report
    ]
    others = [
        branch.name for branch in synced.branches[1:] if branch.has_moved_here or branch.has_moved_there
    ]
    if others:
        lines.append(f"also synced: {', '.join(others)}")
    if synced.disputed:
        count = len(synced.disputed)
        are = "memory is" if count == 1 else "memories are"
        lines.append(f"{count} {are} disputed; 'gitmem conflicts' shows both versions")
    return "\n".join(lines) + "\n" + (shared_text(shared) if shared else "")


def _headline(synced: Synced) -> str:
    where = f"{synced.remote} ({synced.address})"
    if synced.is_dry_run:
        return f"nothing was synced with {where}: this only looks"
    if not synced.is_pushed:
        return f"took in what {where} has; nothing was pushed"
    if not any(branch.has_moved_here or branch.has_moved_there for branch in synced.branches):
        return f"{where} and this store have the same"
    again = f", after {synced.rounds} rounds" if synced.rounds > 1 else ""
    return f"synced with {where}{again}"


def _counts(changes: Sequence[MemoryChange]) -> str:
    kinds = Counter(str(change.what) for change in changes)
    return f"{memories_text(len(changes))}, " + ", ".join(
        f"{count:,} {kind}" for kind, count in kinds.items()
    )


def _change_lines(changes: Sequence[MemoryChange], prefix: str = "") -> list[str]:
    lines = [
        f"  {prefix}{change.what:<8}  {change.id}  {one_line(change.title)}  "
        + painted(one_line(change.path), DIM)
        for change in changes[:MOST_SHOWN]
    ]
    left = len(changes) - MOST_SHOWN
    return [*lines, f"  and {left:,} more; --json has all"] if left > 0 else lines


def since_fork_text(since: SinceFork) -> str:
    lines = [f"forked from {since.fork.url} at {since.fork.commit[:SHORT_COMMIT]}"]
    names = {
        "here": "here alone",
        "there": f"at {since.remote} alone, as last fetched",
        "both": "on both sides",
    }
    for side, name in names.items():
        changes = [each.change for each in since.changes if each.side == side]
        if changes:
            lines.append(f"{name}: {_counts(changes)}")
            lines += _change_lines(changes)
    if not since.changes:
        lines.append("nothing has changed since")
    return "\n".join(lines) + "\n"
