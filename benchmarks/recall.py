"""Measure recall on labelled data, gitmem beside plain Whoosh, SQLite FTS5 and grep.

usage: python benchmarks/recall.py --data DIR [--only NAME ...] [--systems gitmem,whoosh,fts5,grep] [--by]

DIR holds one folder for each data set: `queries.jsonl` with {"id", "query", "relevant", "scope"?} and
`docs.jsonl` or `turns.jsonl` with {"id", "text", "scope"?, "date"?, ...}. A query is answered from the
documents of its scope. Figures are per cent; CPU is that of this process for each query.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import re
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from gitmem.index.branch_index import BranchIndex
from gitmem.index.source import FileDelta
from gitmem.model.ids import BlobId, CommitId, MemoryId
from gitmem.model.memory import Memory, MemoryType
from gitmem.recall.search import search
from gitmem.recall.where import Where

Row = Mapping[str, Any]
MEASURES = ("R@5", "R@10", "nDCG@10", "MRR")
COMMIT = CommitId("0" * 40)
DATE_FORMATS = ("%I:%M %p on %d %B, %Y", "%Y/%m/%d (%a) %H:%M", "%Y-%m-%d")


class System(Protocol):
    """Something that keeps documents and answers queries with their ids."""

    name: str

    def add(self, docs: Sequence[Row]) -> None:
        """Takes all documents, once."""

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        """The ids of the best documents of `scope`, best first."""


class ListedMemories:
    """A source of one commit, held in memory."""

    def __init__(self, memories: Iterable[Memory]) -> None:
        self._memories = {memory.path: memory for memory in memories}

    def files(self, commit: CommitId) -> Iterator[tuple[str, BlobId]]:
        del commit
        return ((path, memory.blob) for path, memory in self._memories.items())

    def changes(self, old: CommitId, new: CommitId) -> list[FileDelta] | None:
        return [] if old == new else None

    def read(self, path: str, blob: BlobId) -> Memory:
        del blob
        return self._memories[path]


class Gitmem:
    """The index of gitmem itself."""

    name = "gitmem"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self._ids: dict[str, str] = {}

    def add(self, docs: Sequence[Row]) -> None:
        memories = [_memory(number, doc) for number, doc in enumerate(docs)]
        self._ids = {memory.path: doc["id"] for memory, doc in zip(memories, docs, strict=True)}
        index = BranchIndex(Path(self._folder.name) / "gitmem" / "index" / "main", ListedMemories(memories))
        self._view = index.view(COMMIT)

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        answer = search(self._view, query, Where(namespace=scope), limit)
        return [self._ids[hit.record.path] for hit in answer.hits]


class Whoosh:
    """Whoosh with its stemming analyser, terms joined by OR."""

    name = "whoosh"

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory()

    def add(self, docs: Sequence[Row]) -> None:
        from whoosh import analysis, fields, index

        schema = fields.Schema(
            id=fields.STORED, scope=fields.ID, text=fields.TEXT(analyzer=analysis.StemmingAnalyzer())
        )
        store = index.create_in(self._folder.name, schema)
        with store.writer() as writer:
            for doc in docs:
                writer.add_document(id=doc["id"], scope=str(doc.get("scope")), text=_all_text(doc))
        self._searcher = store.searcher()
        self._schema = schema

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        from whoosh import query as q

        terms = dict.fromkeys(token.text for token in self._schema["text"].analyzer(query))
        asked = q.Or([q.Term("text", term) for term in terms])
        found = self._searcher.search(asked, filter=q.Term("scope", str(scope)), limit=limit)
        return [hit["id"] for hit in found]


class Fts5:
    """SQLite FTS5 with the porter tokenizer, terms joined by OR."""

    name = "fts5"

    def add(self, docs: Sequence[Row]) -> None:
        self._db = sqlite3.connect(":memory:")
        self._db.execute(
            "create virtual table docs using fts5(id unindexed, scope unindexed, text, tokenize=porter)"
        )
        rows = [(doc["id"], str(doc.get("scope")), _all_text(doc)) for doc in docs]
        self._db.executemany("insert into docs values (?, ?, ?)", rows)

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        words = dict.fromkeys(re.findall(r"\w+", query.lower()))
        if not words:
            return []
        asked = " OR ".join(f'"{word}"' for word in words)
        sql = "select id from docs where docs match ? and scope = ? order by bm25(docs) limit ?"
        return [row[0] for row in self._db.execute(sql, (asked, str(scope), limit))]


class Grep:
    """How many of the words of the query stand in the text, as a person with grep would see it."""

    name = "grep"

    def add(self, docs: Sequence[Row]) -> None:
        self._docs = [(doc["id"], doc.get("scope"), _all_text(doc).lower()) for doc in docs]

    def search(self, query: str, scope: str | None, limit: int) -> list[str]:
        words = set(re.findall(r"\w+", query.lower()))
        found = []
        for number, (name, its_scope, text) in enumerate(self._docs):
            count = sum(word in text for word in words) if its_scope == scope else 0
            if count:
                found.append((-count, number, name))
        return [name for _, _, name in sorted(found)[:limit]]


SYSTEMS: dict[str, type[System]] = {"gitmem": Gitmem, "whoosh": Whoosh, "fts5": Fts5, "grep": Grep}


def _memory(number: int, doc: Row) -> Memory:
    scope = doc.get("scope")
    fields = {name: doc[name] for name in ("speaker", "session", "caption") if doc.get(name) is not None}
    return Memory(
        id=MemoryId(f"d{number}"),
        type=MemoryType.EPISODIC,
        title="",
        body=doc["text"],
        path=f"episodic/{scope or 'all'}/{number:06}.md",
        blob=BlobId(hashlib.sha1(str(doc["id"]).encode()).hexdigest()),
        namespace=scope or "",
        fields=fields,
        created=_iso(doc.get("date")),
        session=str(doc["session"]) if doc.get("session") is not None else None,
    )


def _iso(text: str | None) -> str | None:
    for pattern in DATE_FORMATS if text else ():
        try:
            return datetime.strptime(str(text), pattern).isoformat()
        except ValueError:
            continue
    return None


def _all_text(doc: Row) -> str:
    return " ".join(str(doc[name]) for name in ("text", "speaker", "caption", "date") if doc.get(name))


@dataclass(frozen=True, slots=True)
class Measured:
    """Means over all queries, in per cent, and the CPU of one query in milliseconds."""

    queries: int
    means: Mapping[str, float]
    cpu_ms: float


def measures(ranked: Sequence[str], relevant: Iterable[str]) -> dict[str, float]:
    """Recall at 5 and 10, nDCG at 10 and the reciprocal rank of the first relevant document, 0 to 1."""
    wanted = set(relevant)
    gains = [int(name in wanted) for name in ranked]
    ideal = sum(1 / math.log2(place + 2) for place in range(min(10, len(wanted))))
    gained = sum(gain / math.log2(place + 2) for place, gain in enumerate(gains[:10]))
    first = next((place for place, gain in enumerate(gains) if gain), None)
    return {
        "R@5": sum(gains[:5]) / len(wanted),
        "R@10": sum(gains[:10]) / len(wanted),
        "nDCG@10": gained / ideal,
        "MRR": 0.0 if first is None else 1 / (first + 1),
    }


def measure(
    system: System, docs: Sequence[Row], queries: Sequence[Row], by: str | None
) -> dict[str, Measured]:
    """The figures of `system`, over all queries and for each value of the field `by`."""
    system.add(docs)
    rows: dict[str, list[tuple[dict[str, float], float]]] = {"all": []}
    for query in queries:
        start = time.process_time()
        ranked = system.search(query["query"], query.get("scope"), 20)
        cpu = time.process_time() - start
        row = (measures(ranked, query["relevant"]), cpu)
        rows["all"].append(row)
        if by and by in query:
            rows.setdefault(str(query[by]), []).append(row)
    return {name: _means(found) for name, found in rows.items()}


def _means(rows: Sequence[tuple[dict[str, float], float]]) -> Measured:
    means = {name: 100 * sum(row[name] for row, _ in rows) / len(rows) for name in MEASURES}
    return Measured(len(rows), means, 1000 * sum(cpu for _, cpu in rows) / len(rows))


def _read(path: Path) -> list[Row]:
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with one folder for each data set")
    parser.add_argument("--only", nargs="+", help="only these data sets")
    parser.add_argument("--systems", default=",".join(SYSTEMS), help="which systems, joined by commas")
    parser.add_argument("--by", help="also a row for each value of this field of the queries")
    options = parser.parse_args()
    for folder in sorted(path.parent for path in options.data.glob("*/queries.jsonl")):
        if options.only and folder.name not in options.only:
            continue
        docs = _read(
            next(folder / name for name in ("docs.jsonl", "turns.jsonl") if (folder / name).exists())
        )
        queries = [query for query in _read(folder / "queries.jsonl") if query["relevant"]]
        print(f"{folder.name}: {len(docs)} documents, {len(queries)} queries")
        print(f"  {'':24}" + "".join(f"{name:>9}" for name in MEASURES) + f"{'CPU ms':>9}")
        for name in options.systems.split(","):
            for group, measured in measure(SYSTEMS[name](), docs, queries, options.by).items():
                label = name if group == "all" else f"  {group} ({measured.queries})"
                figures = "".join(f"{measured.means[measure_name]:9.1f}" for measure_name in MEASURES)
                print(f"  {label:24}{figures}{measured.cpu_ms:9.1f}", flush=True)


if __name__ == "__main__":
    main()
