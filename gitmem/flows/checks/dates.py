"""Dates in a header that name none: what is filtered by them passes the memory over without a word."""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.index.moments import parse_moment, span_of
from gitmem.model.memory import Memory
from gitmem.model.visible import one_line
from gitmem.versions.audit import Finding

MOST_SHOWN = 40


def date_findings(memory: Memory) -> Iterator[Finding]:
    """What `check` says about the dates of a memory."""
    if memory.created is not None and parse_moment(memory.created) is None:
        yield _finding(memory, "created", memory.created, "is no date or time; no filter by date finds it")
    for name, text in (("valid_from", memory.valid_from), ("valid_until", memory.valid_until)):
        if text is not None and span_of(text) is None:
            yield _finding(memory, name, text, "is no date, month or year; read as if it were not there")


def _finding(memory: Memory, name: str, text: str, what: str) -> Finding:
    shown = one_line(text)
    shown = shown if len(shown) <= MOST_SHOWN else shown[: MOST_SHOWN - 1] + "…"
    return Finding("warning", "field", memory.path, f"{name}: {shown!r} {what}", hint="write 2026-11-29")
