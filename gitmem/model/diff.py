"""What differs between two versions of a memory: by field, and by line of the text."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from gitmem.model.memory import Json, Memory


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One front matter field before and after; None where it is absent."""

    field: str
    old: Json
    new: Json


@dataclass(frozen=True, slots=True)
class MemoryDiff:
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
    lines = difflib.unified_diff(old.body.splitlines(), new.body.splitlines(), n=2, lineterm="")
    return MemoryDiff(fields, list(lines)[2:], old.path, new.path)


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
    matcher = difflib.SequenceMatcher(None, middle_old, middle_new, autojunk=False)
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            inherited[start + block.b + step] = start + block.a + step
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


def likeness(left: bytes, right: bytes) -> float:
    """The share of lines that two texts have in common, from 0 to 1."""
    a, b = left.splitlines(), right.splitlines()
    if not a or not b:
        return 0.0
    common = (Counter(a) & Counter(b)).total()
    return common / max(len(a), len(b))
