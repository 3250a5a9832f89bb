"""The blocks of a merged text put together again, with the blank lines that belong between them.

Between two blocks stand the blank lines that a side has between the same two; where the sides differ, those
of the side that changed them, else the more. Two blocks that no side has side by side keep apart as their
origin does, and by one blank line at least unless both are list items.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from gitmem.model.merge.blocks import Blocks, Kind, Lines
from gitmem.model.merge.threeway import BothChanged, changed_side

Range = tuple[int, int]


class Piece(Struct, frozen=True):
    """A part of the merged text, and the blocks of base, first and second that it stands for."""

    kind: Kind
    lines: Lines
    at: tuple[Range | None, Range | None, Range | None]


def put_together(pieces: Sequence[Piece], sources: tuple[Blocks, Blocks, Blocks]) -> list[str]:
    """The lines of the merged text; `sources` are base, first and second."""
    lines: list[str] = []
    before: Piece | None = None
    for piece in pieces:
        lines += [*_gap(before, piece, sources), *piece.lines]
        before = piece
    return [*lines, *_gap(before, None, sources)]


def _gap(left: Piece | None, right: Piece | None, sources: tuple[Blocks, Blocks, Blocks]) -> Lines:
    """The blank lines between two pieces; None is the beginning or the end of the text."""
    known = [_attested(left, right, number, blocks) for number, blocks in enumerate(sources)]
    if left is None or right is None:
        position = 0 if left is None else -1
        ends = [source.gaps[position] for source in sources]
        known = [end if found is None else found for found, end in zip(known, ends, strict=True)]
    base, first, second = known
    if first is not None and second is not None:
        gap = _agreed(base, first, second)
    elif first is not None or second is not None:
        gap = first if first is not None else second or ()
    else:
        assert left is not None and right is not None, "the ends are always known"
        gap = _origin(left, right, sources)
    if left and right and not gap and Kind.DISPUTE in (left.kind, right.kind):
        return ("\n",)
    return gap


def _attested(left: Piece | None, right: Piece | None, number: int, blocks: Blocks) -> Lines | None:
    """The blank lines that one source has between the same two; None where they are not neighbours there."""
    before = (0, 0) if left is None else left.at[number]
    behind = (len(blocks.blocks), 0) if right is None else right.at[number]
    if before is None or behind is None or before[1] != behind[0]:
        return None
    return blocks.gaps[behind[0]]


def _agreed(base: Lines | None, first: Lines, second: Lines) -> Lines:
    try:
        return changed_side(base, first, second)
    except BothChanged:
        return max(first, second, key=lambda gap: (len(gap), gap))


def _origin(left: Piece, right: Piece, sources: tuple[Blocks, Blocks, Blocks]) -> Lines:
    """How the right one keeps apart from what is before it, where it comes from."""
    gap: Lines = ()
    for number in (1, 2):
        place = right.at[number]
        if place is not None and place[0] > 0:
            gap = sources[number].gaps[place[0]]
            break
    is_list = left.kind is Kind.ITEM and right.kind is Kind.ITEM
    return gap or (() if is_list else ("\n",))
