"""What differs between two versions of a memory: by field, and by line of the text."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from gitmem.model.memory import Json, Memory

MAX_COMPARED_LINES = 50_000
MAX_PAIRS_OF_A_LINE = 10_000
Step = tuple[str, int, int, int, int]
"""Tag and ranges as `difflib` has them: tag, old start, old end, new start, new end."""


class FieldChange(Struct, frozen=True):
    """One front matter field before and after; None where it is absent."""

    field: str
    old: Json
    new: Json


class MemoryDiff(Struct, frozen=True):
    """The difference of two versions. `lines` is a unified diff of the text, without file names."""

    fields: Sequence[FieldChange]
    lines: Sequence[str]
    old_path: str
    new_path: str

    @property
    def is_empty(self) -> bool:
        return not self.fields and not self.lines and self.old_path == self.new_path


def diff_memories(old: Memory, new: Memory) -> MemoryDiff:
    """How `old` became `new`."""
    names = [*new.fields, *(name for name in old.fields if name not in new.fields)]
    fields = [
        FieldChange(name, old.fields.get(name), new.fields.get(name))
        for name in names
        if old.fields.get(name) != new.fields.get(name) or (name in old.fields) != (name in new.fields)
    ]
    lines = _hunks(old.body.splitlines(), new.body.splitlines())
    return MemoryDiff(fields, list(lines), old.path, new.path)


def inherited_lines(old: Sequence[str], new: Sequence[str]) -> list[int | None]:
    """For each line of `new` the position in `old` of the line that it is; None where it is new.

    Lines that stand in the same order are matched first, then those that only changed their place.
    """
    start = _common(old, new)
    rest_old, rest_new = old[start:], new[start:]
    end = _common(rest_old[::-1], rest_new[::-1])
    inherited: list[int | None] = [*range(start), *[None] * (len(new) - start)]
    inherited[len(new) - end :] = range(len(old) - end, len(old))
    middle_old, middle_new = old[start : len(old) - end], new[start : len(new) - end]
    for tag, at, stop, newer, _ in steps_between(middle_old, middle_new):
        if tag == "equal":
            for step in range(stop - at):
                inherited[start + newer + step] = start + at + step
    _match_moved(old, new, inherited)
    return inherited


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """How many lines the two have in common at their beginning."""
    count = 0
    for left, right in zip(old, new, strict=False):
        if left != right:
            break
        count += 1
    return count


def _match_moved(old: Sequence[str], new: Sequence[str], inherited: list[int | None]) -> None:
    """Matches what is left by text alone; blank lines say nothing."""
    used = set(inherited)
    left: dict[str, list[int]] = {}
    for position, line in enumerate(old):
        if position not in used and line.strip():
            left.setdefault(line, []).append(position)
    for position, line in enumerate(new):
        if inherited[position] is None and left.get(line):
            inherited[position] = left[line].pop(0)


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """A unified diff with two lines of context."""
    matcher = difflib.SequenceMatcher(None, "", "")
    matcher.opcodes = steps_between(old, new)  # type: ignore[attr-defined]
    for group in matcher.get_grouped_opcodes(2):
        yield f"@@ -{_range(group[0][1], group[-1][2])} +{_range(group[0][3], group[-1][4])} @@"
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from (" " + line for line in old[start:end])
            else:
                yield from ("-" + line for line in old[start:end])
                yield from ("+" + line for line in new[new_start:new_end])


def _range(start: int, end: int) -> str:
    """A range of lines as unified diffs write it: an empty one names the line before it."""
    length = end - start
    return f"{start + 1}" if length == 1 else f"{start + 1 if length else start},{length}"


def steps_between(old: Sequence[str], new: Sequence[str]) -> list[Step]:
    """How `old` becomes `new`, as `difflib` tells it; the time is bounded whatever the lines are.

    Comparing takes as many steps as there are pairs of equal lines. Lines that make too many pairs are
    matched only beside others, and texts of too many lines only at both ends.
    """
    if max(len(old), len(new)) > MAX_COMPARED_LINES:
        return _ends(old, new)
    counts, others = Counter(old), Counter(new)
    common = {line for line, count in counts.items() if count * others[line] > MAX_PAIRS_OF_A_LINE}
    matcher = difflib.SequenceMatcher(common.__contains__ if common else None, old, new, autojunk=False)
    return [(tag, a, b, c, d) for tag, a, b, c, d in matcher.get_opcodes()]


def _ends(old: Sequence[str], new: Sequence[str]) -> list[Step]:
    shorter = min(len(old), len(new))
    head = next((number for number in range(shorter) if old[number] != new[number]), shorter)
    tail = next(
        (number for number in range(shorter - head) if old[-1 - number] != new[-1 - number]), shorter - head
    )
    old_end, new_end = len(old) - tail, len(new) - tail
    steps = [
        ("equal", 0, head, 0, head),
        ("replace", head, old_end, head, new_end),
        ("equal", old_end, len(old), new_end, len(new)),
    ]
    return [step for step in steps if step[2] > step[1] or step[4] > step[3]]


def likeness(left: bytes, right: bytes) -> float:
    """The share of lines that two texts have in common, from 0 to 1."""
    a, b = left.splitlines(), right.splitlines()
    if not a or not b:
        return 0.0
    common = (Counter(a) & Counter(b)).total()
    return common / max(len(a), len(b))
