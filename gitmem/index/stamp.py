"""What a published generation of the index shows: its commit and its live totals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, to_builtins

from gitmem.git.beneath import read_regular, write_new_file
from gitmem.git.faults import point
from gitmem.index.analysis import ANALYZER_VERSION
from gitmem.index.leftovers import unfinished_file
from gitmem.index.schema import FORMAT_NUMBER, SCORED_FIELDS
from gitmem.model.ids import CommitId


class Totals(Struct, frozen=True):
    """How many documents are live, and how long each scored field is over all of them."""

    documents: int = 0
    lengths: tuple[int, ...] = (0,) * len(SCORED_FIELDS)

    def plus(self, lengths: Sequence[int], *, documents: int = 1) -> Totals:
        """The totals with `documents` more, of these field lengths together."""
        joined = zip(self.lengths, lengths, strict=True)
        return Totals(self.documents + documents, tuple(old + new for old, new in joined))

    def minus(self, lengths: Sequence[int]) -> Totals:
        """The totals without one document of these field lengths."""
        joined = zip(self.lengths, lengths, strict=True)
        return Totals(self.documents - 1, tuple(old - gone for old, gone in joined))


class Stamp(Struct, frozen=True):
    """The commit that one generation shows, with its totals."""

    commit: CommitId
    totals: Totals
    rules: str = ""
    """By which rules files were taken for documents: `DocumentSource.rules`."""
    format_number: int = FORMAT_NUMBER
    analyzer_version: int = ANALYZER_VERSION

    @property
    def is_current_format(self) -> bool:
        """Whether this program wrote it, or one that writes the same."""
        return (self.format_number, self.analyzer_version) == (FORMAT_NUMBER, ANALYZER_VERSION)


def write_stamp(folder: Path, generation: int, stamp: Stamp) -> None:
    """Writes the stamp of a generation that is about to be published, flushed to the disk."""
    replace_file(folder / _name(generation), json.dumps(to_builtins(stamp)).encode())


def read_stamp(folder: Path, generation: int, rules: str = "") -> Stamp | None:
    """The stamp of `generation`; None where it has none, or none that is of use by these `rules`."""
    try:
        data = json.loads(read_regular(folder / _name(generation)) or b"")
        totals = Totals(int(data["totals"]["documents"]), tuple(map(int, data["totals"]["lengths"])))
        stamp = Stamp(
            CommitId(str(data["commit"])),
            totals,
            str(data.get("rules", "")),
            int(data["format_number"]),
            int(data["analyzer_version"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    is_whole = len(totals.lengths) == len(SCORED_FIELDS)
    return stamp if stamp.is_current_format and is_whole and stamp.rules == rules else None


def drop_old_stamps(folder: Path, generation: int) -> None:
    """Removes the stamps of generations well before `generation`, as far as that is possible."""
    for path in folder.glob("stamp-*.json"):
        number = path.stem.removeprefix("stamp-")
        if number.isdigit() and int(number) < generation - 8:
            path.unlink(missing_ok=True)


def replace_file(path: Path, data: bytes) -> None:
    """Puts `data` at `path` in one step, flushed to the disk before it is seen."""
    beside = unfinished_file(path)
    try:
        write_new_file(beside, data, flush=True)
        point("index.file-written")
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _name(generation: int) -> str:
    return f"stamp-{generation}.json"
