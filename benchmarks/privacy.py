"""Precision and recall of the detector on labelled lines, the time it takes, and its hits on other texts.

    python -m benchmarks.privacy                        the table, from tests/privacy/lines
    python -m benchmarks.privacy FILE.jsonl|FILE.bundle lists every hit there: kind, place, and the line around it

A labelled value counts as found where a hit of its kind lies on it; it is left whole where no character of it
would stay in the text. A hit is right where it lies on a labelled value of its kind.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gitmem.privacy.detect import detect
from gitmem.privacy.found import Found

LINES = Path(__file__).resolve().parents[1] / "tests" / "privacy" / "lines"
MARKER = "¦"
TIMED_CHARACTERS = 1_000


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


def texts_of(path: Path) -> Iterator[tuple[str, str]]:
    """Name and text of everything in a file of JSON lines, or in the head of a git bundle."""
    if path.suffix == ".jsonl":
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
            if line:
                yield f"{path.name}:{number}", "\n".join(_strings(json.loads(line)))
        return
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "clone", "-q", str(path.resolve()), folder], check=True)
        for file in sorted(Path(folder).rglob("*")):
            if file.is_file() and ".git" not in file.relative_to(folder).parts:
                yield str(file.relative_to(folder)), file.read_bytes().decode("utf-8", "replace")


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def list_hits(path: Path) -> None:
    """Prints every hit with the text around it."""
    counts: Counter[str] = Counter()
    characters = 0
    for name, text in texts_of(path):
        characters += len(text)
        for hit in detect(text):
            counts[hit.kind] += 1
            around = text[max(0, hit.start - 40) : hit.end + 30].replace("\n", "⏎")
            print(f"{hit.kind:9} {name}:{text.count(chr(10), 0, hit.start) + 1}  {around}")
    print(f"{characters:,} characters; {dict(counts)}")


def milliseconds() -> dict[str, float]:
    """CPU time for a text of 1,000 characters, from both files, the smallest of five rounds."""
    took = {}
    for name in ("positive.jsonl", "negative.jsonl"):
        rows = (LINES / name).read_text(encoding="utf-8").split("\n")
        text = "\n".join(json.loads(row)["text"].replace(MARKER, "") for row in rows if row)
        parts = [
            text[at : at + TIMED_CHARACTERS]
            for at in range(0, len(text) - TIMED_CHARACTERS, TIMED_CHARACTERS)
        ]
        rounds = []
        for _ in range(5):
            begin = time.process_time()
            for part in parts:
                detect(part)
            rounds.append((time.process_time() - begin) / len(parts) * 1000)
        took[name] = min(rounds)
    return took


def main(arguments: list[str]) -> None:
    if arguments:
        for argument in arguments:
            list_hits(Path(argument))
        return
    measured = measure()
    print(table(measured))
    print(f"\n{measured.lines['positive']} positive and {measured.lines['negative']} negative lines")
    for name, took in milliseconds().items():
        print(f"{name}: {took:.2f} ms CPU for {TIMED_CHARACTERS:,} characters")


if __name__ == "__main__":
    main(sys.argv[1:])
