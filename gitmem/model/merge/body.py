"""The text of a memory merged: by block, then by line, by the rule of its type.

At each place of the base, cases in this order:
    one-side     only one side touched it: as that side has it
    same         both did the same
    added        both put something in: both stand, in order, or disputed where order is meant
    lines        both changed one block, in different lines
    settled      one side settled a dispute, or both did alike
    more-certain both changed it, and the type goes by confidence
    both-kept    both changed it, and the type keeps both
    disputed     both changed it: both versions are kept as a dispute
A passage that one side took out and the other changed counts as changed by both.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from gitmem.model.merge.blocks import WHOLE_KINDS, Block, Blocks, Kind, Lines, blocks_of, is_one
from gitmem.model.merge.dispute import Option, dispute_lines, merged_options, read_dispute
from gitmem.model.merge.layout import Piece, Range, put_together
from gitmem.model.merge.linewise import merged_lines
from gitmem.model.merge.outcome import Case, Decision
from gitmem.model.merge.passage import woven
from gitmem.model.merge.rules import TextRule
from gitmem.model.merge.sequence import Stretch, align, script_of, stretches

TEXT = "text"
_SHOWN_CHARACTERS = 40
_MOST_COMPARED = 4_000


class NotReadable(Exception):
    """What was merged would not be read as it is meant; the whole files have to be kept."""


class Author(Struct, frozen=True):
    """How a side is named in a dispute: the name of its version, and a note who wrote it."""

    name: str
    note: str = ""


def merged_body(
    base: Sequence[str] | None,
    first: Sequence[str],
    second: Sequence[str],
    *,
    rule: TextRule,
    authors: tuple[Author, Author],
) -> tuple[list[str], list[Decision]]:
    """The lines of the merged text, and what was decided. Without a base, what both have stands for it.

    Raises `NotReadable` where a dispute would stand inside an unclosed fence.
    """
    sides = (blocks_of(first), blocks_of(second))
    older = blocks_of(base) if base is not None else _in_common(*sides)
    merge = _BodyMerge((older, *sides), rule, authors, is_born=base is None)
    for stretch in stretches(*(script_of(older.blocks, side.blocks, likeness) for side in sides)):
        merge.take(stretch)
    lines = put_together(merge.pieces, merge.sources)
    if _disputes(blocks_of(lines)) != sum(piece.kind is Kind.DISPUTE for piece in merge.pieces):
        raise NotReadable("a dispute would stand inside an unclosed fence")
    return lines, merge.decisions


def count_disputes(lines: Sequence[str]) -> int:
    """How many disputed passages a text holds."""
    return _disputes(blocks_of(lines))


def _disputes(text: Blocks) -> int:
    return sum(block.kind is Kind.DISPUTE for block in text.blocks)


def _in_common(first: Blocks, second: Blocks) -> Blocks:
    """What both sides have, as the base that nobody wrote."""
    pairs = align(first.blocks, second.blocks)
    blocks = tuple(first.blocks[i] for i, _ in pairs)
    return Blocks(blocks, tuple(first.gaps[i] for i, _ in pairs) + first.gaps[-1:])


def likeness(one: Block, other: Block) -> float:
    """How much two blocks have in common, 0 to 1: the share of neighbouring characters. Kinds must agree."""
    if one.kind is not other.kind:
        return 0.0
    a, b = (Counter(itertools.pairwise(text)) for text in (_start(one), _start(other)))
    total = sum(a.values()) + sum(b.values())
    return 2 * sum((a & b).values()) / total if total else 0.0


def _start(block: Block) -> str:
    return block.text[:_MOST_COMPARED].strip().casefold()


class _BodyMerge:
    """The merged text as it grows; `sources` are base, first and second."""

    def __init__(
        self,
        sources: tuple[Blocks, Blocks, Blocks],
        rule: TextRule,
        authors: tuple[Author, Author],
        *,
        is_born: bool,
    ) -> None:
        self.sources = sources
        self.pieces: list[Piece] = []
        self.decisions: list[Decision] = []
        self._rule = rule
        self._authors = authors
        self._is_born = is_born

    def take(self, stretch: Stretch) -> None:
        """One part of the base, and what became of it."""
        spans = (stretch.base, stretch.first, stretch.second)
        parts = [self._blocks(number, spans[number]) for number in range(3)]
        if not (stretch.is_first_changed and stretch.is_second_changed):
            side = 1 if stretch.is_first_changed else 2
            is_kept = not stretch.is_first_changed and not stretch.is_second_changed
            self._emit(side, spans if is_kept else (None, *_only(side, spans[side])))
        elif parts[1] == parts[2]:
            self._emit(1, (None, *spans[1:]))
        elif stretch.base[0] == stretch.base[1]:
            self._added_by_both(spans)
        elif [len(part) for part in parts] == [1, 1, 1]:
            self._one_block(spans, parts)
        else:
            self._both_changed(spans)

    def _blocks(self, number: int, span: Range) -> tuple[Block, ...]:
        return self.sources[number].blocks[span[0] : span[1]]

    def _emit(self, side: int, spans: tuple[Range | None, Range | None, Range | None]) -> None:
        """The blocks of one side, one piece each; `spans` say where they stand in each source."""
        start, end = spans[side] or (0, 0)
        for offset, block in enumerate(self.sources[side].blocks[start:end]):
            at = [(span[0] + offset, span[0] + offset + 1) if span else None for span in spans]
            self.pieces.append(Piece(block.kind, block.lines, (at[0], at[1], at[2])))

    def _added_by_both(self, spans: tuple[Range, Range, Range]) -> None:
        runs = (self._blocks(1, spans[1]), self._blocks(2, spans[2]))
        are_sections = all(run[0].kind is Kind.HEADING for run in runs)
        is_dispute = any(len(run) == 1 and run[0].kind is Kind.DISPUTE for run in runs)
        if is_dispute or self._is_born or (self._rule.is_order_meant and not are_sections):
            self._both_changed(spans)
        else:
            self._keep_both(spans, "both sides added something here; both stand")

    def _keep_both(self, spans: tuple[Range, Range, Range], message: str) -> None:
        runs = (self._blocks(1, spans[1]), self._blocks(2, spans[2]))
        texts = tuple([block.text for block in run] for run in runs)
        heads = tuple(_heads(run, is_log=self._rule.is_by_time) for run in runs)
        order = woven((texts[0], texts[1]), heads=(heads[0], heads[1]), by_time=self._rule.is_by_time)
        for side, position in order:
            start = spans[side + 1][0] + position
            self._emit(side + 1, (None, *_only(side + 1, (start, start + 1))))
        self._decide(Case.BOTH_KEPT, spans, message)

    def _one_block(self, spans: tuple[Range, Range, Range], parts: Sequence[tuple[Block, ...]]) -> None:
        base, first, second = (part[0] for part in parts)
        kinds = {base.kind, first.kind, second.kind}
        lines = None
        if len(kinds) == 1 and base.kind is not Kind.DISPUTE:
            lines = merged_lines(base, first, second, self._rule)
        if lines is None or (base.kind in WHOLE_KINDS and not is_one(base.kind, lines)):
            self._both_changed(spans)
        else:
            self.pieces.append(Piece(base.kind, tuple(lines), spans))
            self._decide(Case.MERGED, spans, "both sides changed it, in different lines; both changes stand")

    def _both_changed(self, spans: tuple[Range, Range, Range]) -> None:
        base = () if spans[0][0] == spans[0][1] else self._options(0, spans[0])
        sides = (self._options(1, spans[1]), self._options(2, spans[2]))
        left = merged_options(base, *sides)
        if len(left) == 1:
            self._put(Kind.PARAGRAPH, left[0].lines, spans)
            self._decide(Case.SETTLED, spans, "the dispute is settled")
        elif any(len(options) > 1 for options in (base, *sides)):
            self._put(Kind.DISPUTE, dispute_lines(left), spans)
            self._decide(Case.DISPUTED, spans, f"{len(left)} versions of it are kept")
        elif self._rule.more_certain is not None:
            side = self._rule.more_certain + 1
            self._put(Kind.PARAGRAPH, sides[side - 1][0].lines, spans)
            message = f"both sides changed it; the more certain one, {self._authors[side - 1].name}, stands"
            self._decide(Case.MORE_CERTAIN, spans, message)
        elif self._rule.keeps_both:
            self._keep_both(spans, "both sides changed it; both versions stand")
        else:
            self._put(Kind.DISPUTE, dispute_lines(left), spans)
            self._decide(Case.DISPUTED, spans, "both sides changed it; both versions are kept")

    def _options(self, number: int, span: Range) -> tuple[Option, ...]:
        """The versions that a source has here: those of a dispute, else the one that it is."""
        source = self.sources[number]
        if span[1] - span[0] == 1 and source.blocks[span[0]].kind is Kind.DISPUTE:
            found = read_dispute(source.blocks[span[0]].lines, 0)
            return found[0] if found else ()
        author = self._authors[number - 1] if number else Author("")
        return (Option((author.name,), source.between(*span), author.note),)

    def _put(self, kind: Kind, lines: Lines, spans: tuple[Range, Range, Range]) -> None:
        if lines:
            at = [span if span[0] < span[1] else None for span in spans]
            self.pieces.append(Piece(kind, lines, (at[0], at[1], at[2])))

    def _decide(self, case: Case, spans: tuple[Range, Range, Range], message: str) -> None:
        blocks = [block for number in (1, 2, 0) for block in self._blocks(number, spans[number])]
        shown = " ".join(blocks[0].text.split()) if blocks else ""
        if len(shown) > _SHOWN_CHARACTERS:
            shown = shown[: _SHOWN_CHARACTERS - 1].rstrip() + "…"
        self.decisions.append(Decision(TEXT, case, f"“{shown}”: {message}"))


def _only(side: int, span: Range) -> tuple[Range | None, Range | None]:
    return (span, None) if side == 1 else (None, span)


def _heads(run: Sequence[Block], *, is_log: bool) -> list[bool]:
    """Where a run may be taken apart: at each entry of a log, at each item of a list, else nowhere."""
    if is_log:
        return [True] * len(run)
    if any(block.kind is not Kind.ITEM for block in run):
        return [False] * len(run)
    indents = [len(block.lines[0]) - len(block.lines[0].lstrip()) for block in run]
    return [indent == min(indents) for indent in indents]
