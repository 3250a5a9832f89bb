"""The labelled lines, and the counts of the detector on them.

A labelled value counts as found where a hit of its kind lies on it; it is gone whole where no character of it
would stay in the text. A hit is right where it lies on a labelled value of its kind.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gitmem.privacy.detect import detect
from gitmem.privacy.found import Found

LINES = Path(__file__).resolve().parent / "lines"
MARKER = "¦"


@dataclass(slots=True)
class Counts:
    """Of one kind: labelled values, those found, those that would be gone whole, and hits that are wrong."""

    labelled: int = 0
    found: int = 0
    gone: int = 0
    wrong: int = 0

    @property
    def precision(self) -> float:
        return self.found / (self.found + self.wrong) if self.found + self.wrong else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.labelled if self.labelled else 1.0


@dataclass(slots=True)
class Measured:
    """Counts by kind, and the lines that were judged wrongly."""

    kinds: dict[str, Counts] = field(default_factory=dict)
    missed: list[tuple[str, str, str]] = field(default_factory=list)
    wrong: list[tuple[str, str, str]] = field(default_factory=list)
    lines: Counter[str] = field(default_factory=Counter)

    def of(self, kind: str) -> Counts:
        return self.kinds.setdefault(kind, Counts())

    def total(self) -> Counts:
        every = self.kinds.values()
        return Counts(
            sum(each.labelled for each in every),
            sum(each.found for each in every),
            sum(each.gone for each in every),
            sum(each.wrong for each in every),
        )


def labelled_lines(folder: Path = LINES) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each text of both files with the kinds and values in it."""
    for name in ("positive.jsonl", "negative.jsonl"):
        for line in (folder / name).read_text(encoding="utf-8").split("\n"):
            if not line:
                continue
            row: dict[str, Any] = json.loads(line.replace(MARKER, ""))
            yield row["text"], [(each["kind"], each["value"]) for each in row.get("find", [])]


def measure(folder: Path = LINES) -> Measured:
    """The detector against the labelled lines."""
    measured = Measured()
    for text, wanted in labelled_lines(folder):
        measured.lines["positive" if wanted else "negative"] += 1
        hits = detect(text)
        right: set[Found] = set()
        for kind, value in wanted:
            start = text.index(value)
            end = start + len(value)
            on = [hit for hit in hits if hit.kind == kind and hit.start < end and start < hit.end]
            right.update(on)
            counts = measured.of(kind)
            counts.labelled += 1
            counts.found += bool(on)
            counts.gone += any(hit.start <= start and end <= hit.end for hit in on)
            if not on:
                measured.missed.append((kind, value, text))
        for hit in hits:
            if hit not in right:
                measured.of(hit.kind).wrong += 1
                measured.wrong.append((hit.kind, text[hit.start : hit.end], text))
    return measured


def table(measured: Measured) -> str:
    """The counts as Markdown."""
    rows = [
        "| kind | values | found | gone whole | wrong hits | precision | recall |",
        "|---|---|---|---|---|---|---|",
    ]
    kinds = sorted(measured.kinds.items(), key=lambda pair: -pair[1].labelled)
    for name, each in [*kinds, ("all", measured.total())]:
        rows.append(
            f"| {name} | {each.labelled} | {each.found} | {each.gone} | {each.wrong} "
            f"| {each.precision:.1%} | {each.recall:.1%} |"
        )
    return "\n".join(rows)
