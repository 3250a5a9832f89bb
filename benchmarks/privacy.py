"""Precision and recall of the detector on labelled lines, the time it takes, and its hits on other texts.

usage: python benchmarks/privacy.py                          the table, from tests/privacy/lines
       python benchmarks/privacy.py FILE.jsonl|FILE.bundle   every hit there, with the text around it
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gitmem.privacy.detect import detect
from tests.privacy.labelled import LINES, MARKER, measure, table

TIMED_CHARACTERS = 1_000


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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help="texts to look through")
    files = parser.parse_args().files
    if files:
        for file in files:
            list_hits(file)
        return
    measured = measure()
    print(table(measured))
    print(f"\n{measured.lines['positive']} positive and {measured.lines['negative']} negative lines")
    for name, took in milliseconds().items():
        print(f"{name}: {took:.2f} ms CPU for {TIMED_CHARACTERS:,} characters")


if __name__ == "__main__":
    main()
