"""One block that both sides changed, merged line by line, where their changes keep apart.

apart        an unchanged line stands between the changes of the two sides: both stand
rows         of a table need none between them
log lines    of an episode need none either
appended     lines that one or both sides put behind the last line
touching     all else: no answer
"""

from __future__ import annotations

import itertools

from gitmem.model.merge.blocks import Block, Kind
from gitmem.model.merge.passage import woven
from gitmem.model.merge.rules import TextRule
from gitmem.model.merge.sequence import Stretch, script_of, stretches


def merged_lines(base: Block, first: Block, second: Block, rule: TextRule) -> list[str] | None:
    """The lines of the merged block; None where the changes meet."""
    lines = (base.lines, first.lines, second.lines)
    found = list(stretches(script_of(lines[0], lines[1]), script_of(lines[0], lines[2])))
    is_loose = base.kind is Kind.TABLE or rule.is_by_time
    size = len(base.lines)
    if not is_loose and any(
        _touch(one, other) and not _is_append(other, size) for one, other in itertools.pairwise(found)
    ):
        return None
    merged: list[str] = []
    for stretch in found:
        part = _part(stretch, lines, is_loose=is_loose, may_append=not rule.is_order_meant, rule=rule)
        if part is None:
            return None
        merged += part
    return merged


def _part(
    stretch: Stretch, lines: tuple[tuple[str, ...], ...], *, is_loose: bool, may_append: bool, rule: TextRule
) -> list[str] | None:
    first, second = lines[1][slice(*stretch.first)], lines[2][slice(*stretch.second)]
    if not stretch.is_second_changed or first == second:
        return list(first)
    if not stretch.is_first_changed:
        return list(second)
    is_insertion = stretch.base[0] == stretch.base[1]
    if not is_insertion or not (is_loose or (may_append and _is_append(stretch, len(lines[0])))):
        return None
    heads = ([is_loose] * len(first), [is_loose] * len(second))
    order = woven((first, second), heads=heads, by_time=rule.is_by_time)
    return [(first, second)[side][position] for side, position in order]


def _touch(one: Stretch, other: Stretch) -> bool:
    """Whether neighbouring stretches were changed by different sides."""
    return (one.is_first_changed and other.is_second_changed) or (
        one.is_second_changed and other.is_first_changed
    )


def _is_append(stretch: Stretch, size: int) -> bool:
    return stretch.base == (size, size)
