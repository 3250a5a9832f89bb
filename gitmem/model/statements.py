"""The statements of a memory file: header fields, headings, paragraphs, list items, rows, blocks of code.

Cases, line by line, below the header:
    fence       everything up to the closing fence is one `code`
    blank       ends what went before
    rule        `---` between blank lines, `|---|` in a table: no statement
    heading     a line that begins with `#`: one `heading`
    row         a line of a table: one `row`
    item        a line that begins with a bullet or a number: an `item`, with the lines that go on
    other       begins a `paragraph`, or goes on with the item or paragraph above it
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from gitmem.model.document import Document, parse_document

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})")
_HEADING = re.compile(r" {0,3}#{1,6}(?:\s|$)")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,9}[.)])(?:\s|$)")


class Statement(Struct, frozen=True):
    """One statement: `first_line` to `last_line` of the file, from 1, both included.

    `kind` is `field`, `header` (one that cannot be read), `heading`, `paragraph`, `item`, `row` or `code`.
    """

    kind: str
    first_line: int
    last_line: int
    text: str
    field: str | None = None


def statements_of(text: str) -> list[Statement]:
    """The statements of a memory file in the order of its lines. Lines are those of `str.splitlines`."""
    document = parse_document(text)
    lines = text.splitlines()
    head = len(text[: len(text) - len(document.body)].splitlines())
    found = [*_header(document, lines, head), *_body(lines, head)]
    return [one for one in found if one.text.strip()]


def _header(document: Document, lines: list[str], head: int) -> Iterator[Statement]:
    if document.error is not None and document.has_header:
        yield _statement("header", lines, 0, head)
    for entry in document.entries:
        first = document.line_of(entry.line + 1) - 1
        last = min(head - 1, document.line_of(entry.end_line))
        yield _statement("field", lines, first, last, entry.key)


def _body(lines: list[str], start: int) -> Iterator[Statement]:
    position = start
    while position < len(lines):
        line = lines[position]
        end = position + 1
        if fence := _FENCE.match(line):
            end = _code_end(lines, position, fence.group(1))
            yield _statement("code", lines, position, end)
        elif _HEADING.match(line):
            yield _statement("heading", lines, position, end)
        elif not line.strip() or _RULE.fullmatch(line) or _is_table_rule(line):
            pass
        elif line.lstrip().startswith("|"):
            yield _statement("row", lines, position, end)
        else:
            end = _running_end(lines, end)
            yield _statement("item" if _ITEM.match(line) else "paragraph", lines, position, end)
        position = end


def _is_table_rule(line: str) -> bool:
    """Whether the line parts the head of a table from its rows."""
    return "|" in line and "-" in line and not line.strip(" \t:|-")


def _code_end(lines: list[str], start: int, fence: str) -> int:
    """The position behind the closing fence, or behind the last line where it is never closed."""
    closing = re.compile(r" {0,3}" + re.escape(fence[0]) + "{" + str(len(fence)) + r",}\s*")
    for position in range(start + 1, len(lines)):
        if closing.fullmatch(lines[position]):
            return position + 1
    return len(lines)


def _running_end(lines: list[str], position: int) -> int:
    """The position of the first line that does not go on with the paragraph or item before it."""
    while position < len(lines):
        line = lines[position]
        begins = _FENCE.match(line) or _HEADING.match(line) or _ITEM.match(line)
        if not line.strip() or begins or line.lstrip().startswith("|"):
            return position
        position += 1
    return position


def _statement(kind: str, lines: list[str], start: int, end: int, field: str | None = None) -> Statement:
    return Statement(kind, start + 1, end, "\n".join(lines[start:end]), field)
