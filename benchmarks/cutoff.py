"""Choose the cut-off: questions put to a store that has their answer, and to one that has not.

usage: python benchmarks/cutoff.py --data DIR [--only NAME ...] [--embeddings] [--write FILE]

Each data set is divided into stores. A question is put to the store that has its evidence, and to
every other. `lost`: of the questions whose evidence stands among the first ten hits of the right
store, how many per cent are told that nothing is relevant; `worst` is the same in the store where it
is most. `held back`: of the questions put to a wrong store, how many per cent are told so.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import mean

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measuring import DataSet, data_sets, figures_of
from recall import Report, write_section
from systems import GitmemIndex, GitmemMeaning, Row

from gitmem.recall.weights import CUTOFF

LEVELS = (0.10, 0.15, 0.20, 0.22, 0.24, 0.25, 0.26, 0.27, 0.28, 0.30, 0.32, 0.35, 0.40, 0.50)
PLOT_ROWS, PLOT_COLUMNS = 11, 51
MOST_LOST_PLOTTED = 0.10


@dataclass(frozen=True, slots=True)
class Put:
    """One question put to one store: what it found, how relevant that is, and whether it may be cut."""

    query: Row
    store: str
    is_right_store: bool
    relevance: float
    may_be_cut: bool
    ranked: Sequence[str]

    def is_cut(self, cutoff: float) -> bool:
        """Whether the answer is that nothing is relevant."""
        return self.may_be_cut and self.relevance < cutoff

    @property
    def is_answered(self) -> bool:
        """Whether any evidence stands among the first ten hits."""
        return bool(set(self.ranked) & set(self.query["relevant"]))


def stores_of(data: DataSet) -> list[DataSet]:
    """The data set divided: by scope where there are several, else into halves that share no evidence."""
    scopes = sorted({str(doc["scope"]) for doc in data.docs if doc.get("scope")})
    if len(scopes) > 1:
        parts = {str(doc["id"]): scopes.index(str(doc["scope"])) for doc in data.docs}
    else:
        groups = list(dict.fromkeys(str(doc["id"]).partition("#")[0] for doc in data.docs))
        half = {name: int(2 * number >= len(groups)) for number, name in enumerate(groups)}
        parts = {str(doc["id"]): half[str(doc["id"]).partition("#")[0]] for doc in data.docs}
    return [
        DataSet(
            f"{data.name}/{part}",
            [doc for doc in data.docs if parts[str(doc["id"])] == part],
            [query for query in data.queries if {parts[str(name)] for name in query["relevant"]} == {part}],
        )
        for part in sorted(set(parts.values()))
    ]


def put_all(stores: Sequence[DataSet], *, embeddings: bool) -> Iterator[Put]:
    """Every question put to every store."""
    for store in stores:
        system = GitmemMeaning() if embeddings else GitmemIndex()
        system.add(store.docs)
        for other in stores:
            for query in other.queries:
                answer = system.answer(query["query"], None, 10)
                # A cut-off that nothing reaches shows which questions are judged at all.
                judged = system.answer(query["query"], None, 10, cutoff=2.0)
                ranked = [system.name_of(hit) for hit in answer.hits]
                may_be_cut = judged.closest is not None
                yield Put(query, store.name, other is store, answer.relevance, may_be_cut, ranked)


def report_on(report: Report, data: DataSet, *, embeddings: bool) -> None:
    """Writes the curve of one data set, and what the default costs."""
    stores = stores_of(data)
    puts = list(put_all(stores, embeddings=embeddings))
    right = [put for put in puts if put.is_right_store]
    answered = [put for put in right if put.is_answered]
    wrong = [put for put in puts if not put.is_right_store]
    report.add(f"{len(stores)} stores; {len(answered)} of {len(right)} questions find evidence in the right")
    report.add(f"store; {len(wrong)} are put to a wrong one.")
    report.add()
    report.add("| cut-off | lost | worst | held back |")
    report.add("| --: | --: | --: | --: |")
    for level in LEVELS:
        mark = " (the default)" if level == CUTOFF else ""
        worst = max(_share([put for put in answered if put.store == store.name], level) for store in stores)
        figures = (_share(answered, level), worst, _share(wrong, level))
        report.add(f"| {level:.2f}{mark} | {' | '.join(f'{figure:.1f}' for figure in figures)} |")
    report.add()
    report.add("| in the right stores | R@5 | R@10 | nDCG@10 |")
    report.add("| --- | --: | --: | --: |")
    for label, level in (("all hits", 0.0), ("with the default cut-off", CUTOFF)):
        rows = [figures_of([] if put.is_cut(level) else put.ranked, put.query["relevant"]) for put in right]
        cells = [f"{100 * mean(row[name] for row in rows):.1f}" for name in ("R@5", "R@10", "nDCG@10")]
        report.add(f"| {label} | {' | '.join(cells)} |")
    report.add()
    report.add("```text")
    for line in plot(answered, wrong):
        report.add(line)
    report.add("```")


def _share(puts: Sequence[Put], cutoff: float) -> float:
    return 100 * mean(put.is_cut(cutoff) for put in puts) if puts else 0.0


def plot(answered: Sequence[Put], wrong: Sequence[Put]) -> Iterator[str]:
    """The curve in letters: across, what is lost; upwards, what is held back; `o` is the default."""
    grid = [[" "] * PLOT_COLUMNS for _ in range(PLOT_ROWS)]
    steps = [number / 500 for number in range(501)]
    for level in [*steps, CUTOFF]:
        lost, held = _share(answered, level) / 100, _share(wrong, level) / 100
        if lost <= MOST_LOST_PLOTTED:
            row = round((1 - held) * (PLOT_ROWS - 1))
            column = round(lost / MOST_LOST_PLOTTED * (PLOT_COLUMNS - 1))
            grid[row][column] = "o" if level is CUTOFF else "·"
    for number, cells in enumerate(grid):
        yield f"{100 - 100 * number // (PLOT_ROWS - 1):>5} % |{''.join(cells)}".rstrip()
    yield " " * 8 + "+" + "-" * PLOT_COLUMNS
    marks = "".join(f"{percent:<10}" for percent in range(0, 10, 2)) + "10"
    yield f"         {marks} % lost"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with one folder for each data set")
    parser.add_argument("--only", nargs="+", help="only these data sets")
    parser.add_argument("--embeddings", action="store_true", help="with those of the extra `embed`")
    parser.add_argument("--write", type=Path, help="put the section into this file, in place of its day's")
    options = parser.parse_args()
    report = Report()
    report.add(f"## {datetime.now(UTC):%Y-%m-%d}")
    for data in data_sets(options.data, options.only):
        report.add()
        report.add(f"### Nothing relevant, {data.name}{', with embeddings' if options.embeddings else ''}")
        report.add()
        report_on(report, data, embeddings=options.embeddings)
    if options.write:
        write_section(options.write, report.lines)


if __name__ == "__main__":
    main()
