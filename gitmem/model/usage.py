"""How often memories are used: counts by id, how they are written, and how two records of them merge.

A record is text, one memory a line, sorted by id, so that one line is found without reading all:

    # gitmem usage 1
    m7k2q9xw 12 3 2026-11-29T15:30:12Z        id, times recalled, times shown, last use

A log has a line for each use as it happens, and one for how long a recall took, in microseconds:

    2026-11-29T15:30:12Z recall m7k2q9xw m3d8h1zc .
    2026-11-29T15:30:12Z took 18250 .

A version of gitmem that knows no such line passes over it.

Two records of one clone merge by the larger of each number: in any order, any number of times, they
come to the same. Records of different clones add up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec import Struct

HEADER = "# gitmem usage 1"
RECALLED, SHOWN, TOOK = "recall", "show", "took"
MOST_COUNTED = 1_000_000_000
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
_TOOK = re.compile(rf"({_MOMENT.pattern}) {TOOK} (\d{{1,12}}) \.", re.ASCII)
_LINE = re.compile(rf"(?!#)(\S+) (\d{{1,10}}) (\d{{1,10}}) ({_MOMENT.pattern})", re.ASCII)


class Uses(Struct, frozen=True):
    """How often one memory was recalled and shown, and when last: ISO 8601, UTC; empty for never."""

    recalled: int = 0
    shown: int = 0
    last: str = ""

    def larger(self, other: Uses) -> Uses:
        """What two records of the same clone say together."""
        return Uses(
            max(self.recalled, other.recalled), max(self.shown, other.shown), max(self.last, other.last)
        )

    def plus(self, other: Uses) -> Uses:
        """What two clones, or two spans of time, have together."""
        return Uses(
            min(MOST_COUNTED, self.recalled + other.recalled),
            min(MOST_COUNTED, self.shown + other.shown),
            max(self.last, other.last),
        )


class Took(Struct, frozen=True):
    """That a recall at `moment` (ISO 8601, UTC) took so many microseconds."""

    moment: str
    microseconds: int

    def line(self) -> str:
        """As it stands in a log."""
        return f"\n{self.moment} {TOOK} {self.microseconds} ."


NEVER = Uses()
Counts = Mapping[str, Uses]


def parse_uses(line: str) -> tuple[str, Uses] | None:
    """The id and its uses; None for a line that says nothing of the kind."""
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    name, recalled, shown, last = match.groups()
    return name, Uses(min(MOST_COUNTED, int(recalled)), min(MOST_COUNTED, int(shown)), last)


def uses_line(name: str, uses: Uses) -> str:
    """The line of one memory in a record."""
    return f"{name} {uses.recalled} {uses.shown} {uses.last}"


def parse_counts(text: str) -> dict[str, Uses]:
    """The counts in a record; lines that are none are passed over."""
    counts: dict[str, Uses] = {}
    for line in text.split("\n"):
        parsed = parse_uses(line)
        if parsed is not None:
            counts[parsed[0]] = counts.get(parsed[0], NEVER).larger(parsed[1])
    return counts


def counts_text(counts: Counts, notes: Iterable[str] = ()) -> str:
    """The record of `counts`, sorted by the bytes of the ids; `notes` stand in its head."""
    lines = [HEADER, *(f"# {note}" for note in notes)]
    names = sorted(counts, key=lambda name: name.encode("utf-8", "replace"))
    lines += [uses_line(name, counts[name]) for name in names]
    return "\n".join(lines) + "\n"


def merged(first: Counts, second: Counts) -> dict[str, Uses]:
    """Two records of one clone as one: the larger of each number."""
    return {name: first.get(name, NEVER).larger(second.get(name, NEVER)) for name in {**first, **second}}


def summed(records: Iterable[Counts]) -> dict[str, Uses]:
    """The records of several clones added up."""
    total: dict[str, Uses] = {}
    for counts in records:
        for name, uses in counts.items():
            total[name] = total.get(name, NEVER).plus(uses)
    return total


def newest(counts: Counts, most: int) -> dict[str, Uses]:
    """The `most` memories used last."""
    if len(counts) <= most:
        return dict(counts)
    kept = sorted(counts, key=lambda name: (counts[name].last, name), reverse=True)[:most]
    return {name: counts[name] for name in kept}


def event_line(kind: str, ids: Iterable[str], moment: str) -> str:
    """One use of several memories, for a log that processes append to. The dot says that it is whole."""
    return f"\n{moment} {kind} {' '.join(ids)} ."


def parse_event(line: str) -> tuple[str, str, list[str]] | None:
    """Moment, kind and ids of a use; None for a line that was cut short."""
    words = line.split(" ")
    is_whole = len(words) >= 4 and words[-1] == "." and words[1] in (RECALLED, SHOWN)
    if not is_whole or not _MOMENT.fullmatch(words[0]):
        return None
    return words[0], words[1], [name for name in words[2:-1] if name]


def durations_in(text: str) -> list[Took]:
    """How long the recalls in a log took, in its order; lines that say nothing of it are passed over."""
    found = map(_TOOK.fullmatch, text.split("\n"))
    return [Took(match[1], int(match[2])) for match in found if match]


def counts_of_events(text: str) -> dict[str, Uses]:
    """The counts that a log adds up to."""
    counts: dict[str, Uses] = {}
    add_events(counts, text)
    return counts


def add_events(counts: dict[str, Uses], text: str) -> None:
    """Adds the uses in a log to `counts`."""
    for line in text.split("\n"):
        event = parse_event(line)
        if event is not None:
            moment, kind, ids = event
            once = Uses(int(kind == RECALLED), int(kind == SHOWN), moment)
            for name in ids:
                known = counts.get(name)
                counts[name] = once if known is None else known.plus(once)
