"""The text of `health`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gitmem.cli.terminal import BOLD, painted
from gitmem.cli.units import counted, duration_text, signed, size_text, span_text
from gitmem.model.visible import memories_text, one_line

if TYPE_CHECKING:
    from gitmem.flows.wellbeing.measures import Health, IndexLag

MOST_SHOWN = 5
MONTHS_SHOWN = 6
SHORT_COMMIT = 10
UNKNOWN = "could not be looked at, see below"
TROUBLES = (
    ("broken_headers", "broken header"),
    ("broken_links", "broken link"),
    ("stale_anchors", "stale anchor"),
    ("disputes", "dispute"),
    ("duplicates", "duplicate"),
)
"""The kinds of trouble with single memories, and what one of each is called."""


def health_text(health: Health) -> str:
    """What was measured, a line each, and below it what needs looking after, with what to do."""
    lines = [one_line(f"{name:<9}").ljust(10) + one_line(text) for name, text in _lines(health)]
    for finding in health.findings:
        lines += ["", painted(one_line(f"{finding.code}: {finding.message}"), BOLD)]
        lines.append("    " + one_line(finding.hint))
    return "\n".join(lines) + "\n"


def verdict(health: Health) -> str:
    """How the store is doing, in a few words."""
    return "well" if health.is_well else f"{counted(len(health.findings), 'thing')} to look after"


def _lines(health: Health) -> Iterator[tuple[str, str]]:
    yield "health", verdict(health)
    at = f" at {health.commit[:SHORT_COMMIT]}" if health.commit else ", which has no commit yet"
    yield "store", f"{health.name}, {health.branch}{at}"
    yield "memories", _memories(health)
    if health.months:
        shown = health.months[-MONTHS_SHOWN:]
        yield "growth", " · ".join(f"{each.month} {each.memories:,}" for each in shown)
    if health.namespaces:
        shown_names = [
            f"{each.name} {each.size.memories:,}" + (f" ({signed(each.grown)})" if each.grown else "")
            for each in health.namespaces[:MOST_SHOWN]
        ]
        yield "largest", ", ".join(shown_names)
    if health.folders:
        yield "folders", f"fullest: {health.folders[0].path}, {counted(health.folders[0].files, 'file')}"
    others = [each for each in health.branches if each.name != health.branch]
    if others:
        yield "branches", ", ".join(f"{each.name} {each.size.memories:,}" for each in others)
    yield "index", "; ".join(map(_index, health.indexes)) or UNKNOWN
    yield "recall", _recall(health)
    yield "to mend", _troubles(health)
    yield "tend", tending_text(health)
    yield "waiting", _proposals(health)
    yield "git", _git(health)


def _memories(health: Health) -> str:
    if health.size is None:
        return UNKNOWN
    kinds = ", ".join(f"{size.memories:,} {kind}" for kind, size in health.by_type.items() if size.memories)
    grown = [each.grown for each in health.namespaces if each.grown is not None]
    parts = [memories_text(health.size.memories) + (f" ({kinds})" if kinds else "")]
    parts.append(size_text(health.size.bytes))
    if health.size.attachments:
        attached = counted(health.size.attachments, "attachment")
        parts.append(f"{attached} of {size_text(health.size.attachment_bytes)}")
    if grown:
        parts.append(f"{signed(sum(grown))} in 30 days")
    return ", ".join(parts)


def _index(lag: IndexLag) -> str:
    if lag.commit is None:
        return f"{lag.branch} not built yet"
    if lag.is_current:
        return f"{lag.branch} current"
    return f"{lag.branch} {counted(lag.commits_behind, 'commit')} behind, for {span_text(lag.seconds_behind)}"


def _recall(health: Health) -> str:
    if not health.is_counting:
        return "not measured: uses are not counted here"
    if health.latency is None:
        return UNKNOWN
    if not health.latency.recalls:
        return "none in 30 days"
    latency = health.latency
    marks = (("p50", latency.p50), ("p95", latency.p95), ("p99", latency.p99))
    shown = ", ".join(f"{name} {duration_text(seconds)}" for name, seconds in marks)
    return f"{shown}, of {counted(latency.recalls, 'recall')} in 30 days"


def _troubles(health: Health) -> str:
    if health.troubles is None:
        return UNKNOWN
    counts = [(len(getattr(health.troubles, name)), word) for name, word in TROUBLES]
    return ", ".join(counted(count, word) for count, word in counts if count) or "nothing"


def tending_text(health: Health) -> str:
    """What tend would do, in one line."""
    outlook = health.outlook
    if outlook is None:
        return UNKNOWN
    if outlook.tending is None:
        return f"not told: {outlook.not_told}"
    tending = outlook.tending
    counts = [(action, count) for action, count in tending.by_action.items() if count and action != "cold"]
    named = ", ".join(f"{action} {count:,}" for action, count in counts)
    parts = [f"would {named}" if counts else "nothing to do"]
    parts += [f"{tending.kept:,} stay all the same"] if tending.kept else []
    parts += [f"{tending.by_action['cold']:,} cold"] if tending.by_action.get("cold") else []
    if counts and tending.is_proposed:
        parts.append("as a proposal")
    return ", ".join(parts)


def _proposals(health: Health) -> str:
    if health.proposals is None:
        return UNKNOWN
    if not health.proposals:
        return "no proposals"
    oldest = counted(max(each.days for each in health.proposals), "day")
    return f"{counted(len(health.proposals), 'proposal')}, the oldest for {oldest}"


def _git(health: Health) -> str:
    objects = health.objects
    if objects is None:
        return UNKNOWN
    parts = [
        counted(objects.loose, "loose object"),
        counted(objects.packs, "pack"),
        size_text(objects.bytes),
    ]
    if health.unfinished_writes:
        parts.append(counted(health.unfinished_writes, "interrupted write"))
    return ", ".join(parts)
