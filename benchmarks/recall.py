"""Measure recall on labelled data: gitmem beside plain Whoosh, SQLite FTS5 and grep.

usage: python benchmarks/recall.py --data DIR [--only NAME ...] [--systems NAME,...] [--by FIELD]
                                   [--without STAGE,...] [--ablation] [--splits] [--embeddings]
                                   [--write FILE]

DIR holds one folder for each data set: `queries.jsonl` with {"id", "query", "relevant", "scope"?} and
`docs.jsonl` or `turns.jsonl` with {"id", "text", "scope"?, "date"?, "session"?, "speaker"?, "caption"?}.
A query is answered from the documents of its scope. Figures are per cent; CPU is that of this
process, and of those that it starts, for each query with ten hits. `ranking` is gitmem without git
and snippets.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
sys.path.insert(0, str(Path(__file__).resolve().parent))

from measuring import MEASURES, Answered, DataSet, Measured, answers, data_sets, means
from splits import CHOICES, MEANING_CHOICES, split_gaps
from systems import SYSTEMS, WITH_EMBEDDINGS, GitmemIndex, GitmemMeaning, System

from gitmem.recall.stages import STAGE_NAMES

SHOWN_DIGITS = 1


class Report:
    """Lines of Markdown that are printed as they come, and kept to be written."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, line: str = "") -> None:
        self.lines.append(line)
        print(line, flush=True)

    def table(self, first: str) -> None:
        self.add(f"| {first} | {' | '.join(MEASURES)} | CPU ms |")
        self.add("| --- |" + " --: |" * (len(MEASURES) + 1))

    def row(self, label: str, measured: Measured) -> None:
        figures = [f"{measured.means[name]:.{SHOWN_DIGITS}f}" for name in MEASURES]
        self.add(f"| {label} | {' | '.join(figures)} | {measured.cpu_ms:.1f} |")


def main() -> None:
    options = _options()
    report = Report()
    report.add(f"## {datetime.now(UTC):%Y-%m-%d}")
    for data in data_sets(options.data, options.only):
        report.add()
        about = "Stages and weights on " if options.ablation or options.splits else ""
        about = f"With embeddings: {about[:1].lower()}{about[1:]}" if options.embeddings else about
        report.add(f"### {about}{data.name}: {len(data.docs)} memories, {len(data.queries)} questions")
        report.add()
        if options.ablation or options.splits:
            _tuning(
                report,
                data,
                with_ablation=options.ablation,
                with_splits=options.splits,
                embeddings=options.embeddings,
            )
        else:
            _comparison(report, data, options.systems.split(","), options.by, options.without)
    if options.write:
        write_section(options.write, report.lines)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with one folder for each data set")
    parser.add_argument("--only", nargs="+", help="only these data sets")
    parser.add_argument(
        "--systems",
        default=",".join(name for name in SYSTEMS if name not in WITH_EMBEDDINGS),
        help=f"which of {', '.join(SYSTEMS)}, joined by commas",
    )
    parser.add_argument("--by", help="also a row for each value of this field of the queries")
    parser.add_argument("--without", help=f"leave out of `ranking` some of {', '.join(STAGE_NAMES)}")
    parser.add_argument("--ablation", action="store_true", help="`ranking` without each stage in turn")
    parser.add_argument(
        "--embeddings", action="store_true", help="the ablation and the splits with embeddings"
    )
    parser.add_argument("--splits", action="store_true", help="weights tuned on three scopes, tried on two")
    parser.add_argument("--write", type=Path, help="put the section into this file, in place of its day's")
    return parser.parse_args()


def _comparison(
    report: Report, data: DataSet, names: Sequence[str], by: str | None, without: str | None
) -> None:
    report.table("system")
    for name in names:
        system: System = SYSTEMS[name]()
        if isinstance(system, GitmemIndex) and without:
            system.leave_out(without.split(","))
        system.add(data.docs)
        for label, rows in _groups(answers(system, data.queries), by):
            report.row(name if label is None else f"- {label}", means(rows))


def _groups(rows: Sequence[Answered], by: str | None) -> Iterator[tuple[str | None, list[Answered]]]:
    yield None, list(rows)
    if by:
        values = dict.fromkeys(str(row.query[by]) for row in rows if by in row.query)
        for value in values:
            yield value, [row for row in rows if str(row.query.get(by)) == value]


def _tuning(
    report: Report, data: DataSet, *, with_ablation: bool, with_splits: bool, embeddings: bool
) -> None:
    system = GitmemMeaning() if embeddings else GitmemIndex()
    system.add(data.docs)
    if with_ablation:
        report.table("stages")
        report.row("all", means(answers(system, data.queries)))
        for stage in STAGE_NAMES if embeddings else [name for name in STAGE_NAMES if name != "meaning"]:
            system.leave_out((stage,))
            report.row(f"without {stage}", means(answers(system, data.queries)))
        system.leave_out(STAGE_NAMES)
        report.row("BM25F alone", means(answers(system, data.queries)))
        system.leave_out(())
    scopes = {query.get("scope") for query in data.queries}
    if with_splits and len(scopes) > 2:
        run: Callable[[], list[Answered]] = lambda: answers(system, data.queries)  # noqa: E731
        report.add()
        for line in split_gaps(run, MEANING_CHOICES if embeddings else CHOICES):
            report.add(line)


def write_section(path: Path, lines: Sequence[str]) -> None:
    """Puts a dated section in front of the older ones; a part of the same day and name is replaced."""
    head = (
        "# Benchmarks\n\nEach section says when it was measured: per cent, and milliseconds of CPU a query."
    )
    old = path.read_text("utf-8") if path.exists() else head
    intro, *sections = old.split("\n## ")
    kept = [section for section in sections if not section.startswith(lines[0].removeprefix("## "))]
    same = [section for section in sections if section not in kept]
    parts = _parts(same[0]) if same else {}
    parts.update(_parts("\n".join(lines).removeprefix("## ")))
    today = "\n\n".join(
        [lines[0].removeprefix("## "), *(f"### {name}\n{text}" for name, text in parts.items())]
    )
    path.write_text(
        "\n\n## ".join([intro.rstrip(), *(each.strip() for each in (today, *kept))]) + "\n", "utf-8"
    )


def _parts(section: str) -> dict[str, str]:
    """The parts of a section by their heading and the head of their table."""
    found: dict[str, str] = {}
    for part in section.split("\n### ")[1:]:
        name, _, text = part.partition("\n")
        found[name.strip()] = f"\n{text.strip()}"
    return found


if __name__ == "__main__":
    main()
