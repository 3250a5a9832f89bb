"""A Markdown text as blocks and the blank lines between them. Every line is in exactly one of the two.

    heading     one line that begins with hashes
    item        one list item with the lines that belong to it; a nested item is one of its own
    fence       a code fence to its closing line, or to the end
    table       rows, header and rule
    quote       lines that begin with `>`
    comment     an HTML comment to its end
    dispute     several versions of a passage, see `dispute`
    rule        a line of three dashes or stars
    paragraph   all else

A fence, table, quote, comment or dispute is never taken apart; only a change that leaves it whole is merged
into it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum

from msgspec import Struct

from gitmem.model.merge.dispute import START, read_dispute

Lines = tuple[str, ...]


class Kind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    ITEM = "item"
    FENCE = "fence"
    TABLE = "table"
    QUOTE = "quote"
    COMMENT = "comment"
    DISPUTE = "dispute"
    RULE = "rule"
    PARAGRAPH = "paragraph"


WHOLE_KINDS = frozenset({Kind.FENCE, Kind.TABLE, Kind.QUOTE, Kind.COMMENT})
"""Blocks whose lines are merged only where what comes out is one block of the kind again."""

_FENCE = re.compile(r"([ \t]*)(`{3,}(?=[^`]*$)|~{3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_RULE = re.compile(r" {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_QUOTE = re.compile(r" {0,3}>")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")
_TABLE_RULE = re.compile(r"(?=[^|]*\|)[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_COMMENT = re.compile(r" {0,3}<!--")


class Block(Struct, frozen=True):
    """Lines that belong together, each with its line end."""

    kind: Kind
    lines: Lines

    @property
    def text(self) -> str:
        return "".join(self.lines)


class Blocks(Struct, frozen=True):
    """A text in parts: `gaps[n]` are the blank lines before block `n`, the last those at the end."""

    blocks: tuple[Block, ...]
    gaps: tuple[Lines, ...]

    def between(self, start: int, end: int) -> Lines:
        """The lines from block `start` up to, not including, block `end`, with the blank lines inside."""
        lines: list[str] = []
        for number in range(start, end):
            lines += [*(self.gaps[number] if number > start else ()), *self.blocks[number].lines]
        return tuple(lines)


def blocks_of(lines: Sequence[str]) -> Blocks:
    """`lines` in blocks."""
    scanner = _Scanner(lines)
    blocks: list[Block] = []
    gaps: list[Lines] = [scanner.blank_lines()]
    while scanner.at < len(lines):
        blocks.append(scanner.block())
        gaps.append(scanner.blank_lines())
    return Blocks(tuple(blocks), tuple(gaps))


def is_one(kind: Kind, lines: Sequence[str]) -> bool:
    """Whether `lines` read as exactly one block of `kind`, which is closed where it has to be."""
    found = blocks_of(lines)
    if len(found.blocks) != 1 or found.blocks[0].kind is not kind or len(found.blocks[0].lines) != len(lines):
        return False
    return kind is not Kind.FENCE or (len(lines) > 1 and _closes(lines[0], lines[-1]))


def _closes(opening: str, line: str) -> bool:
    match = _FENCE.match(opening.rstrip("\r\n"))
    text = line.strip()
    return match is not None and len(text) >= len(match[2]) and set(text) == {match[2][0]}


class _Scanner:
    """Walks over the lines; each method takes one thing and leaves `at` behind it."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.at = 0
        self._plain = [line.rstrip("\r\n") for line in lines]
        self._is_in_list = False
        self._last_comment_end = max((at for at, line in enumerate(self._plain) if "-->" in line), default=-1)

    def blank_lines(self) -> Lines:
        start = self.at
        while self.at < len(self.lines) and not self._plain[self.at].strip():
            self.at += 1
        return tuple(self.lines[start : self.at])

    def block(self) -> Block:
        start = self.at
        kind = self._kind(start)
        self.at = self._end(kind, start)
        if kind is Kind.ITEM:
            self._is_in_list = True
        elif not self._plain[start].startswith((" ", "\t")):
            self._is_in_list = False
        return Block(kind, tuple(self.lines[start : self.at]))

    def _kind(self, at: int) -> Kind:
        line = self._plain[at]
        if line == START and read_dispute(self.lines, at):
            return Kind.DISPUTE
        if self._fence(line):
            return Kind.FENCE
        for kind, pattern in (
            (Kind.HEADING, _HEADING),
            (Kind.QUOTE, _QUOTE),
            (Kind.RULE, _RULE),
            (Kind.ITEM, _ITEM),
        ):
            if pattern.match(line):
                return kind
        if _COMMENT.match(line) and self._comment_end(at) is not None:
            return Kind.COMMENT
        following = self._plain[at + 1] if at + 1 < len(self._plain) else ""
        return Kind.TABLE if "|" in line and _TABLE_RULE.match(following) else Kind.PARAGRAPH

    def _fence(self, line: str) -> re.Match[str] | None:
        """The fence that `line` opens; one indented like code counts only below a list item."""
        match = _FENCE.match(line)
        if match and len(match[1].expandtabs(4)) > 3 and not self._is_in_list:
            return None
        return match

    def _end(self, kind: Kind, start: int) -> int:
        if kind in (Kind.HEADING, Kind.RULE):
            return start + 1
        if kind is Kind.DISPUTE:
            found = read_dispute(self.lines, start)
            return found[1] if found else start + 1
        if kind is Kind.COMMENT:
            return self._comment_end(start) or start + 1
        if kind is Kind.FENCE:
            return self._fence_end(start)
        if kind is Kind.TABLE:
            return self._end_where(start + 2, lambda at: "|" not in self._plain[at])
        if kind is Kind.QUOTE:
            return self._end_where(start + 1, lambda at: self._kind(at) not in (Kind.QUOTE, Kind.PARAGRAPH))
        return self._paragraph_end(kind, start)

    def _end_where(self, at: int, is_over: Callable[[int], bool]) -> int:
        while at < len(self._plain) and self._plain[at].strip() and not is_over(at):
            at += 1
        return at

    def _paragraph_end(self, kind: Kind, start: int) -> int:
        at = start + 1
        while at < len(self._plain) and self._plain[at].strip():
            if kind is Kind.PARAGRAPH and _UNDERLINE.match(self._plain[at]):
                return at + 1
            if self._kind(at) not in (Kind.PARAGRAPH, Kind.TABLE):
                return at
            at += 1
        return at

    def _fence_end(self, start: int) -> int:
        for at in range(start + 1, len(self._plain)):
            if _closes(self._plain[start], self._plain[at]):
                return at + 1
        return len(self._plain)

    def _comment_end(self, start: int) -> int | None:
        if "-->" in self._plain[start].partition("<!--")[2]:
            return start + 1
        for at in range(start + 1, self._last_comment_end + 1):
            if "-->" in self._plain[at]:
                return at + 1
        return None
