"""Measure searching: 1, 3 and 8 terms, with and without filters; beside SQLite FTS5, git grep and tantivy.

usage: python benchmarks/search.py [--folder DIR] [--size N ...] [--quick] [--write PAGE]

All answer the same questions with ten hits, in turns. FTS5 ranks by bm25() over a file on disk; a filter is a
type and a namespace. "First" is opening and answering; "new words" are asked of what is open, each question
for the first time; "again" are the same questions once more; "new process" is a Python that loads the
library, opens and answers. `git grep` does not rank and is asked for the names of matching files.
"""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from building import store
from corpus import entry, question
from helped import helper, timed_with
from measuring import SpeedReport, Table, run, taking_turns
from running import GITMEM, main

from gitmem.recall.where import Where
from gitmem.store import Store

PEER = "FTS5"
TERMS = (1, 3, 8)
LIMIT = 10
FILTER = {"type": "semantic", "namespace": "people"}
Ask = Callable[[str, bool], object]

NEW_GITMEM = "import sys; from gitmem.store import Store; Store.open(sys.argv[1]).recall(sys.argv[2])"
NEW_FTS5 = (
    "import sqlite3, sys; base = sqlite3.connect(sys.argv[1]); "
    'words = " OR ".join(f\'"{word}"\' for word in sys.argv[2].split()); '
    'base.execute("SELECT path FROM memories WHERE memories MATCH ? ORDER BY bm25(memories) LIMIT 10",'
    " (words,)).fetchall()"
)


class Gitmem:
    """The library: one handle for all questions, or a new one for each."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.store = Store.open(top)

    def ask(self, words: str, is_filtered: bool) -> object:
        return self.store.recall(words, Where(**FILTER) if is_filtered else None, limit=LIMIT)  # type: ignore[arg-type]

    def first(self, words: str, is_filtered: bool) -> object:
        self.store = Store.open(self.top)
        return self.ask(words, is_filtered)


class Fts5:
    """A file with the same texts, built once."""

    def __init__(self, file: Path, size: int) -> None:
        self.file = file
        if not file.exists():
            self._build(size)
        self._base = sqlite3.connect(file)

    def _build(self, size: int) -> None:
        beside = self.file.with_suffix(".new")
        beside.unlink(missing_ok=True)
        base = sqlite3.connect(beside)
        base.execute(
            "CREATE VIRTUAL TABLE memories USING fts5"
            "(title, body, type UNINDEXED, namespace UNINDEXED, path UNINDEXED, tokenize='porter')"
        )
        rows = (
            (one.title, one.body, str(one.type), one.namespace, one.path) for one in map(entry, range(size))
        )
        base.executemany("INSERT INTO memories VALUES (?, ?, ?, ?, ?)", rows)
        base.commit()
        base.close()
        beside.rename(self.file)

    def ask(self, words: str, is_filtered: bool) -> object:
        text = " OR ".join(f'"{word}"' for word in words.split())
        condition = "AND type = 'semantic' AND namespace LIKE 'people/%'" if is_filtered else ""
        where = f"WHERE memories MATCH ? {condition} ORDER BY bm25(memories) LIMIT {LIMIT}"
        return self._base.execute(f"SELECT path FROM memories {where}", (text,)).fetchall()

    def first(self, words: str, is_filtered: bool) -> object:
        self._base.close()
        self._base = sqlite3.connect(self.file)
        return self.ask(words, is_filtered)


class Tantivy:
    """An index on disk, built once; optional."""

    def __init__(self, folder: Path, size: int) -> None:
        import tantivy

        self._tantivy: Any = tantivy
        self.folder = folder
        builder = tantivy.SchemaBuilder()
        for field in ("title", "body"):
            builder.add_text_field(field, stored=False, tokenizer_name="en_stem")
        for field in ("type", "namespace", "path"):
            builder.add_text_field(field, stored=field == "path", tokenizer_name="raw")
        self._schema = builder.build()
        if not (folder / "complete").exists():
            self._build(size)
        self._open()

    def _build(self, size: int) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        writer = self._tantivy.Index(self._schema, path=str(self.folder)).writer(100_000_000)
        for one in map(entry, range(size)):
            writer.add_document(
                self._tantivy.Document(
                    title=one.title, body=one.body, type=str(one.type),
                    namespace=one.namespace.split("/")[0] or "-", path=one.path,
                )
            )  # fmt: skip
        writer.commit()
        writer.wait_merging_threads()
        (self.folder / "complete").touch()

    def _open(self) -> None:
        self._index = self._tantivy.Index(self._schema, path=str(self.folder))
        self._index.reload()
        self._searcher = self._index.searcher()

    def ask(self, words: str, is_filtered: bool) -> object:
        text = f"({words})"
        if is_filtered:
            text = f'+{text} +type:"semantic" +namespace:"people"'
        query = self._index.parse_query(text, ["title", "body"])
        hits = self._searcher.search(query, LIMIT).hits
        return [self._searcher.doc(address)["path"] for _, address in hits]

    def first(self, words: str, is_filtered: bool) -> object:
        self._open()
        return self.ask(words, is_filtered)


def git_grep(top: Path, words: str, is_filtered: bool) -> object:
    patterns = [part for word in words.split() for part in ("-e", word)]
    paths = ["--", "semantic/people"] if is_filtered else []
    done = subprocess.run(
        ["git", "grep", "-l", "-i", "-w", *patterns, "HEAD", *paths],
        cwd=top,
        capture_output=True,
        check=False,
    )
    return done.stdout.splitlines()[:LIMIT]


def measure(report: SpeedReport, folder: Path, size: int, is_quick: bool) -> None:
    top = store(folder, size)
    gitmem = Gitmem(top)
    gitmem.store.refresh()
    fts5 = Fts5(folder / f"fts5-{size}.sqlite", size)
    asks: dict[str, tuple[Ask, Ask]] = {PEER: (fts5.ask, fts5.first), "gitmem": (gitmem.ask, gitmem.first)}
    try:
        tantivy = Tantivy(folder / f"tantivy-{size}", size)
        asks["tantivy"] = (tantivy.ask, tantivy.first)
    except ImportError:
        report.add("(tantivy is not installed: `pip install --group bench .`)")
    for terms in TERMS:
        questions = [question(number, terms, size) for number in range(2 if is_quick else 25)]
        _warm_and_first(report, size, terms, asks, questions, lambda words, flag: git_grep(top, words, flag))
    _new_process(
        report, size, top, fts5.file, [question(number, 3, size) for number in range(2 if is_quick else 10)]
    )


def _warm_and_first(
    report: SpeedReport,
    size: int,
    terms: int,
    asks: dict[str, tuple[Ask, Ask]],
    questions: Sequence[str],
    grep: Ask,
) -> None:
    def works(place: int, is_filtered: bool) -> dict[str, tuple[Callable[[int], object], int]]:
        found = {}
        for name, pair in asks.items():
            pair[place](questions[0], is_filtered)
            found[name] = (_numbered(pair[place], questions, is_filtered), len(questions))
        return found

    for is_filtered in (False, True):
        how = "filtered" if is_filtered else "all"
        table = Table(report, f"{terms} term{'s' * (terms > 1)}, {how}, of {size:,} memories", PEER)
        warm = works(0, is_filtered)
        warm["`git grep`"] = (_numbered(grep, questions, is_filtered), min(5, len(questions)))
        for name, timing in taking_turns(warm).items():
            table.row(f"{name}, new words" if name in asks else name, timing, is_peer=name == PEER)
        again = {name: work for name, work in warm.items() if name in asks}
        for name, timing in taking_turns(again).items():
            table.row(f"{name}, again", timing, is_peer=name == PEER)
        for name, timing in taking_turns(works(1, is_filtered)).items():
            table.row(f"{name}, first answer after opening", timing, is_peer=name == PEER)
        table.end()


def _numbered(ask: Ask, questions: Sequence[str], is_filtered: bool) -> Callable[[int], object]:
    return lambda number: ask(questions[number], is_filtered)


def _new_process(report: SpeedReport, size: int, top: Path, base: Path, questions: Sequence[str]) -> None:
    table = Table(report, f"3 terms in a new process, of {size:,} memories", PEER)
    python = sys.executable
    timings = taking_turns(
        {
            PEER: (lambda n: run([python, "-c", NEW_FTS5, base, questions[n]], top), len(questions)),
            "gitmem": (lambda n: run([python, "-c", NEW_GITMEM, top, questions[n]], top), len(questions)),
        }
    )
    for name, timing in timings.items():
        table.row(name, timing, is_peer=name == PEER)
    with helper(top) as pid:
        ask = lambda n: run([*GITMEM, "recall", questions[n]], top)  # noqa: E731
        table.row("`gitmem recall` with its helper", timed_with(pid, ask, len(questions)))
    table.end()


if __name__ == "__main__":
    main("search", __doc__, measure)
