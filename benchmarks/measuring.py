"""Labelled data, and the figures of a system on it."""

from __future__ import annotations

import json
import math
import resource
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from systems import Row, System

MEASURES = ("R@5", "R@10", "nDCG@10", "MRR")


@dataclass(frozen=True, slots=True)
class DataSet:
    """Documents, and the queries that have a labelled answer among them."""

    name: str
    docs: Sequence[Row]
    queries: Sequence[Row]


@dataclass(frozen=True, slots=True)
class Answered:
    """How well one query was answered, and the CPU of this process and those it started in seconds."""

    query: Row
    figures: Mapping[str, float]
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Means over queries, in per cent, and the mean CPU of one query in milliseconds."""

    queries: int
    means: Mapping[str, float]
    cpu_ms: float


def data_sets(folder: Path, only: Sequence[str] | None = None) -> Iterator[DataSet]:
    """The data sets below `folder`, in the order of their names."""
    for place in sorted(path.parent for path in folder.glob("*/queries.jsonl")):
        if only and place.name not in only:
            continue
        docs = next(place / name for name in ("docs.jsonl", "turns.jsonl") if (place / name).exists())
        queries = [query for query in _read(place / "queries.jsonl") if query["relevant"]]
        yield DataSet(place.name, _read(docs), queries)


def _read(path: Path) -> list[Row]:
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def figures_of(ranked: Sequence[str], relevant: Iterable[str]) -> dict[str, float]:
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


def answers(system: System, queries: Iterable[Row], limit: int = 10) -> list[Answered]:
    """Each query answered by a system that has its documents."""
    found = []
    for query in queries:
        start = _cpu_seconds()
        ranked = system.search(query["query"], query.get("scope"), limit)
        cpu = _cpu_seconds() - start
        found.append(Answered(query, figures_of(ranked, query["relevant"]), cpu))
    return found


def _cpu_seconds() -> float:
    """The CPU time of this process and of those that it started and that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def means(rows: Sequence[Answered]) -> Measured:
    """The means of `rows`."""
    figures = {name: 100 * sum(row.figures[name] for row in rows) / len(rows) for name in MEASURES}
    return Measured(len(rows), figures, 1000 * sum(row.cpu_seconds for row in rows) / len(rows))
