"""What differs between two versions of a memory: by field, and by line of the text."""

from __future__ import annotations

import difflib
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


def attribute_lines(texts: Sequence[str]) -> list[int]:
    """For each line of the last text, the position in `texts` of the one that brought it in.

    Texts stand from oldest to newest. A line that was taken out and comes back counts as new.
    """
    if not texts:
        return []
    lines = texts[0].splitlines()
    origin = [0] * len(lines)
    for position, text in enumerate(texts[1:], 1):
        newer = text.splitlines()
        inherited = [position] * len(newer)
        matcher = difflib.SequenceMatcher(None, lines, newer, autojunk=False)
        for start, newer_start, size in matcher.get_matching_blocks():
            inherited[newer_start : newer_start + size] = origin[start : start + size]
        lines, origin = newer, inherited
    return origin
