"""The speed benchmarks run, and say what they are asked for; the figures are nobody's promise here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
ROWS = {
    "write": [
        "`git add && git commit`",
        "GitPython",
        "SQLite",
        "remember",
        "update",
        "archive",
        "a batch of",
        "a burst of 64 threads",
    ],
    "search": [
        "FTS5",
        "gitmem, new words",
        "gitmem, again",
        "gitmem, first answer",
        "`gitmem recall` with its helper",
        "`git grep`",
    ],
    "history": ["`git log -- path`", "log ID", "show, as of", "recall, as of"],
    "startup": [
        "`python -c pass`",
        "`gitmem --version`",
        "`gitmem recall`",
        "`gitmem recall`, 3 terms, with its helper",
        "`gitmem remember`",
        "`gitmem remember`, with its helper",
        "`git commit` with the hook",
    ],
    "forget": ["`git gc`", "`git repack -f`", "`gitmem forget`, one memory", "`gitmem forget`, 5 memories"],
    "cosine": ["product of float32", "cosines", "cosines, in documents", "opened"],
    "scale": ["the search index", "peak memory", "`git clone`", "`git gc`"],
}


@pytest.mark.parametrize("name", ROWS)
def test_a_benchmark_runs_and_fills_its_place_in_the_page(name: str, tmp_path: Path) -> None:
    """Each row has figures, a second run replaces the tables of the first, and the rest of the page stays."""
    if name == "cosine":
        pytest.importorskip("numpy")
    page = tmp_path / "page.md"
    page.write_text(f"# Speed\n\nabove\n\n<!-- begin {name} -->\nold\n<!-- end {name} -->\n\nbelow\n")
    done = subprocess.run(
        [sys.executable, BENCHMARKS / f"{name}.py", "--quick", "--write", page],
        cwd=tmp_path,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    text = page.read_text()
    assert text.startswith("# Speed\n\nabove\n") and text.endswith("\n\nbelow\n") and "old" not in text
    assert re.search(r"Measured \d{4}-\d{2}-\d{2}", text)
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    for row in ROWS[name]:
        found = [line for line in lines if line.startswith(f"| {row}")]
        assert found and all(re.search(r"\| [\d.,]+ \|", line) for line in found), row


def test_the_corpus_is_the_same_everywhere() -> None:
    """Another Python or machine must not measure other texts."""
    program = (
        "import hashlib, corpus\n"
        "texts = b''.join(corpus.entry(n).path.encode() + corpus.entry(n).data for n in range(300))\n"
        "print(len(texts) // 300, hashlib.sha256(texts).hexdigest()[:16], corpus.question(3, 3, 300))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=BENCHMARKS, capture_output=True, text=True, check=True
    )
    assert done.stdout == "913 b921b946229061d9 entohi meingme gebu\n"
