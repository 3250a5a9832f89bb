"""The lines of a merged header: each field as the side has it whose value stands, byte for byte.

A header is cut into parts: a field with the comments and blank lines above it, and what is left at the end.

    order      of the side that changed it; where both or neither did, of one side, chosen by its text; what
               only the other has comes behind the field that it stands behind there
    lines      of the side that has the merged value, and changed the lines if one did; a value that no side
               has, such as a united list, is put into the lines of one of them
    comments   of the side that changed them; of both where both did
What comes out is read again; if a field is not what it should be, all fields are written anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from gitmem.model.document import Document, parse_document
from gitmem.model.header_edit import YAML_LINE, HeaderCannotChange, edit_header
from gitmem.model.memory import Json
from gitmem.model.merge.fields import same
from gitmem.model.merge.passage import woven
from gitmem.model.merge.threeway import BothChanged, changed_or_larger, changed_side
from gitmem.model.yaml_writing import field_lines

OPENING, CLOSING = "---\n", "---\n"


class HeaderTooOdd(Exception):
    """The merged header would not be read as it is meant."""


class Part(Struct, frozen=True):
    """One field: the comments above it, its lines, its value."""

    above: str
    lines: str
    value: Json


class Parts(Struct, frozen=True):
    """A header in parts; `tail` is what stands behind the last field."""

    fields: Mapping[str, Part]
    tail: str = ""

    @property
    def order(self) -> list[str]:
        return list(self.fields)


def parts_of(document: Document) -> Parts | None:
    """The header of a file in parts; None where several fields share a line."""
    entries = document.entries
    starts = [entry.line for entry in entries]
    if len(set(starts)) != len(starts) or any(a.end_line > b.line for a, b in pairwise(entries)):
        return None
    lines = YAML_LINE.findall(document.header)
    fields: dict[str, Part] = {}
    at = 0
    for entry in entries:
        above, own = "".join(lines[at : entry.line]), "".join(lines[entry.line : entry.end_line])
        fields[entry.key] = Part(above, own if own.endswith("\n") else own + "\n", entry.value)
        at = max(entry.end_line, at)
    return Parts(fields, "".join(lines[at:]))


def merged_header(
    values: Mapping[str, Json], base: Document | None, first: Document, second: Document
) -> str:
    """The header between and with its fences that holds `values`; empty where there are none.

    Raises `HeaderTooOdd`.
    """
    documents = (base or parse_document(""), first, second)
    parts = [parts_of(document) for document in documents]
    texts = [_fenced(documents, parts, values)] if None not in parts else []
    anew = OPENING + "".join(field_lines(key, value) for key, value in values.items()) + CLOSING
    for text in [*texts, anew if values else ""]:
        read = parse_document(text + "\n")
        if read.error is None and _is_meant(read.fields, values) and read.body == "\n":
            return text
    raise HeaderTooOdd


def _is_meant(fields: Mapping[str, Json], values: Mapping[str, Json]) -> bool:
    return fields.keys() == values.keys() and all(same(fields[key], values[key]) for key in values)


def _fenced(
    documents: tuple[Document, Document, Document],
    parts: Sequence[Parts | None],
    values: Mapping[str, Json],
) -> str:
    base, first, second = (part or Parts({}) for part in parts)
    inner, tail = _inner(values, base, first, second)
    with_header = [document for document in documents[1:] if document.has_header]
    if not with_header or (not values and not (inner + tail).strip()):
        return ""
    older = documents[0]
    prefixes = [document.prefix for document in with_header]
    suffixes = [document.suffix for document in with_header]
    prefix = changed_or_larger(older.prefix or None, prefixes[0], prefixes[-1])
    suffix = changed_or_larger(older.suffix or None, suffixes[0], suffixes[-1])
    return prefix + inner + tail + (suffix if suffix.endswith(("\n", "\r")) else suffix + "\n")


def _inner(values: Mapping[str, Json], base: Parts, first: Parts, second: Parts) -> tuple[str, str]:
    """The lines between the fences, and those behind the last field."""
    written: list[str] = []
    homeless = ""
    for key in merged_order(base.order, first.order, second.order, values):
        mine = [part.fields.get(key) for part in (base, first, second)]
        above = _comments(*(part.above if part else None for part in mine))
        if key not in values:
            homeless += _new_comments(mine)
            continue
        written.append(homeless + above + lines_for(key, values[key], *mine))
        homeless = ""
    tail = _comments(base.tail, first.tail, second.tail)
    return "".join(written), homeless + tail


def merged_order(
    base: Sequence[str], first: Sequence[str], second: Sequence[str], wanted: Mapping[str, object]
) -> list[str]:
    """The order of the fields: every key of the sides once, then those of `wanted` that no side has."""
    shared = [key for key in base if key in first and key in second]
    orders = [[key for key in side if key in shared] for side in (first, second)]
    try:
        leading = changed_side(shared, *orders)
        leads = [side for side, order in zip((first, second), orders, strict=True) if order == leading]
    except BothChanged:
        leads = [first, second]
    template = max(leads, key=lambda side: (len(side), list(side)))
    order = list(template)
    for key, before in _with_predecessor(second if template is first else first):
        if key not in order:
            order.insert(order.index(before) + 1 if before in order else 0, key)
    return [*order, *(key for key in wanted if key not in order)]


def _with_predecessor(keys: Sequence[str]) -> list[tuple[str, str | None]]:
    return [(key, keys[number - 1] if number else None) for number, key in enumerate(keys)]


def lines_for(key: str, value: Json, base: Part | None, first: Part | None, second: Part | None) -> str:
    """The lines of a field with its merged value, with what stays of how the sides write it."""
    having = [part for part in (first, second) if part is not None and same(part.value, value)]
    if len(having) == 2:
        older = base.lines if base else None
        return changed_or_larger(older, having[0].lines, having[1].lines)
    if having:
        return having[0].lines
    for part in sorted((part for part in (first, second) if part is not None), key=lambda part: part.lines):
        edited = _with_value(key, part, value)
        if edited is not None:
            return edited
    return field_lines(key, value)


def _with_value(key: str, part: Part, value: Json) -> str | None:
    """The lines of `part` with another value; None where they cannot be changed."""
    text = OPENING + part.lines + CLOSING
    steps: list[Json] = [value]
    if isinstance(value, list) and isinstance(part.value, list):
        left = [item for item in part.value if item in value]
        steps = [left, value] if left else steps
    try:
        for step in steps:
            text = edit_header(text, {key: step})
    except HeaderCannotChange:
        return None
    document = parse_document(text)
    return document.header if document.header.endswith("\n") else document.header + "\n"


def _comments(base: str | None, first: str | None, second: str | None) -> str:
    """Comment lines: of the side that changed them, of both where both did."""
    if first is None or second is None:
        return first if first is not None else second or ""
    try:
        return changed_side(base, first, second)
    except BothChanged:
        lines = (first.splitlines(keepends=True), second.splitlines(keepends=True))
        order = woven(lines, heads=([False] * len(lines[0]), [False] * len(lines[1])), by_time=False)
        return "".join(lines[side][position] for side, position in order)


def _new_comments(parts: Sequence[Part | None]) -> str:
    """What was written above a field that goes, on a side where it was not before."""
    before = set((parts[0].above if parts[0] else "").splitlines(keepends=True))
    found = [line for part in parts[1:] if part for line in part.above.splitlines(keepends=True)]
    return "".join(line for line in dict.fromkeys(found) if line.strip() and line not in before)
