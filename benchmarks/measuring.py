"""Labelled data, and the figures of a system on it; and how long something takes, beside a peer."""

from __future__ import annotations

import gc
import json
import math
import os
import platform
import resource
import statistics
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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
    """Each query answered by a system that has its documents.

    What was loaded before is out of the sight of the collector of cycles, as in the resident process: the
    documents of a benchmark are no part of any answer.
    """
    gc.collect()
    gc.freeze()
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


@dataclass(slots=True)
class Timing:
    """What each of some runs took, in seconds: CPU of this process and of those it waited for, and wall."""

    cpu_seconds: list[float] = field(default_factory=list)
    wall_seconds: list[float] = field(default_factory=list)

    def add(self, cpu_seconds: float, wall_seconds: float) -> None:
        self.cpu_seconds.append(cpu_seconds)
        self.wall_seconds.append(wall_seconds)

    def divided(self, count: int) -> Timing:
        """The same for each of `count` things that one run did."""
        return Timing(
            [each / count for each in self.cpu_seconds], [each / count for each in self.wall_seconds]
        )

    def cpu_ms(self, share: float = 0.5) -> float:
        """The CPU that this share of the runs stayed within."""
        return 1000 * quantile(self.cpu_seconds, share)

    def wall_ms(self, share: float = 0.5) -> float:
        """The time that this share of the runs stayed within."""
        return 1000 * quantile(self.wall_seconds, share)


def quantile(values: Sequence[float], share: float) -> float:
    """The value that `share` of `values` do not pass; the median for a half."""
    if share == 0.5:
        return statistics.median(values)
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, math.ceil(share * len(ordered)) - 1)]


def timed(work: Callable[[], object], timing: Timing) -> None:
    """Runs `work` and adds what it took."""
    cpu, wall = _cpu_seconds(), time.perf_counter()
    work()
    timing.add(_cpu_seconds() - cpu, time.perf_counter() - wall)


def taking_turns(works: Mapping[str, tuple[Callable[[int], object], int]]) -> dict[str, Timing]:
    """What each of `works`, run so many times, takes; in turns, so that a busy moment hits all of them.

    Each gets the number of its run.
    """
    timings = {name: Timing() for name in works}
    most = max(rounds for _, rounds in works.values())
    for number in range(most):
        for name, (work, rounds) in works.items():
            if number * rounds // most != (number + 1) * rounds // most:
                count = len(timings[name].cpu_seconds)
                timed(lambda work=work, count=count: work(count), timings[name])  # type: ignore[misc]
    return timings


def run(arguments: Sequence[str | Path], cwd: Path, *, input: bytes | None = None) -> bytes:
    """What a command prints. It must succeed."""
    done = subprocess.run(list(map(str, arguments)), cwd=cwd, input=input, capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{arguments}: {done.stderr.decode('utf-8', 'replace')}")
    return done.stdout


class Table:
    """Rows of timings beside a peer that was measured in the same run."""

    def __init__(self, report: SpeedReport, title: str, peer: str) -> None:
        self._report = report
        self._peer_name = peer
        self._peer: Timing | None = None
        report.add(f"### {title}")
        report.add()
        report.add(f"| work | CPU ms p50 | p95 | wall ms p50 | p95 | CPU / {peer} | wall / {peer} |")
        report.add("| --- |" + " --: |" * 6)

    def row(self, name: str, timing: Timing, *, is_peer: bool = False) -> None:
        """Adds a row; the peer comes first."""
        if is_peer:
            self._peer = timing
        assert self._peer is not None, "the peer comes first"
        ratios = (
            timing.cpu_ms() / max(self._peer.cpu_ms(), 1e-6),
            timing.wall_ms() / max(self._peer.wall_ms(), 1e-6),
        )
        figures = [timing.cpu_ms(), timing.cpu_ms(0.95), timing.wall_ms(), timing.wall_ms(0.95), *ratios]
        self._report.add(f"| {name} | " + " | ".join(map(shown, figures)) + " |")

    def end(self) -> None:
        self._report.add()


def shown(value: float) -> str:
    """A figure with three digits that count."""
    if value == 0:
        return "0"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{digits}f}"


class SpeedReport:
    """Lines of Markdown that are printed as they come, and put into a page between two marks."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lines: list[str] = []
        self.add(
            f"Measured {datetime.now(UTC):%Y-%m-%d}, Python {platform.python_version()}, {_git_version()},"
        )
        self.add(f"{os.cpu_count()} cores ({_processor()}), load {os.getloadavg()[0]:.1f} at the beginning.")
        self.add()

    def add(self, line: str = "") -> None:
        self._lines.append(line)
        print(line, flush=True)

    def write(self, page: Path | None) -> None:
        """Puts the lines into `page` in place of those of the last run."""
        if page is None:
            return
        begin, end = f"<!-- begin {self._name} -->", f"<!-- end {self._name} -->"
        text = page.read_text("utf-8") if page.exists() else ""
        if begin not in text:
            text = f"{text.rstrip()}\n\n{begin}\n{end}\n"
        before, _, rest = text.partition(begin)
        after = rest.partition(end)[2]
        lines = "\n".join(self._lines).strip()
        page.write_text(f"{before}{begin}\n\n{lines}\n\n{end}{after}", "utf-8")


def _git_version() -> str:
    return subprocess.run(["git", "version"], capture_output=True, check=True).stdout.decode().strip()


def _processor() -> str:
    for line in (
        Path("/proc/cpuinfo").read_text("utf-8").splitlines() if Path("/proc/cpuinfo").exists() else ()
    ):
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
