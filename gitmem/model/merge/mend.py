"""What a merge without meaning broke, taken apart into the texts that it was made of.

    markers     lines of `<<<<<<<`, `=======` and `>>>>>>>`, in the header or in the text
    repeated    a header in which fields stand twice, because both sides added them
The texts are then merged as if both sides had created the file.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from gitmem.model.document import parse_document
from gitmem.model.merge.blocks import Kind, blocks_of
from gitmem.model.merge.file import merge_texts
from gitmem.model.merge.form import lines_of
from gitmem.model.merge.outcome import CannotMerge

_MARKER = re.compile(r"([<|=>])\1{6,}(?: .*)?$")
_FIELD = re.compile(r"([^\s#:'\"\[{][^:]*?)[ \t]*:(?:[ \t]|$)")


class Sides(Struct, frozen=True):
    """The texts on both sides of the markers; `base` where the markers hold it too."""

    base: str | None
    first: str
    second: str


def mended(text: str) -> str | None:
    """The file that a merge by meaning would have made; None where there is nothing to mend, or no way to."""
    repaired = text
    sides = sides_of_markers(text)
    try:
        if sides is not None:
            repaired = merge_texts(
                sides.base, _without_repeats(sides.first), _without_repeats(sides.second)
            ).text
        else:
            repaired = _without_repeats(text)
    except CannotMerge:
        return None
    document = parse_document(repaired)
    return repaired if repaired != text and document.error is None else None


def sides_of_markers(text: str) -> Sides | None:
    """Both sides of a file with git's conflict markers. None where there are none, or not all of each set.

    Markers that stand whole within a code fence are an example in the text, not a conflict.
    """
    parts: dict[str, list[str]] = {"first": [], "base": [], "second": []}
    where: str | None = None
    has_base, size = False, 0
    quoted = _lines_in_fences(text)
    for number, line in enumerate(lines_of(text)):
        marker = _MARKER.match(line.rstrip("\r\n"))
        kind = marker[1] if marker and number not in quoted else ""
        length = len(line) - len(line.lstrip(kind)) if kind else 0
        if kind == "<" and where is None:
            where, size = "first", length
        elif kind == "|" and where == "first" and length == size:
            where, has_base = "base", True
        elif kind == "=" and where in ("first", "base") and length == size:
            where = "second"
        elif kind == ">" and where == "second" and length == size:
            where = None
        else:
            for name in parts if where is None else (where,):
                parts[name].append(line)
    if where is not None or not size:
        return None
    first, base, second = ("".join(lines) for lines in parts.values())
    return Sides(base if has_base else None, first, second)


def _lines_in_fences(text: str) -> frozenset[int]:
    """The lines of code fences that are closed and hold both ends of a conflict, or neither."""
    body = lines_of(parse_document(text).body)
    at = len(lines_of(text)) - len(body)
    found: set[int] = set()
    blocks = blocks_of(body)
    for gap, block in zip(blocks.gaps, blocks.blocks, strict=False):
        at += len(gap)
        opened = sum(line.startswith("<<<<<<<") for line in block.lines)
        closed = sum(line.startswith(">>>>>>>") for line in block.lines)
        if block.kind is Kind.FENCE and opened == closed:
            found.update(range(at, at + len(block.lines)))
        at += len(block.lines)
    return frozenset(found)


def _without_repeats(text: str) -> str:
    """`text` with each field of its header once: repeated ones are merged as two sides of one."""
    document = parse_document(text)
    if document.error is None or not document.has_header:
        return text
    fields = _fields(lines_of(document.header))
    most = max((len(found) for found in fields.values()), default=0)
    if most < 2:
        return text
    texts = [
        document.prefix
        + "".join(found[min(number, len(found) - 1)] for found in fields.values())
        + document.suffix
        + document.body
        for number in range(most)
    ]
    if any(parse_document(each).error is not None for each in texts):
        return text
    merged = texts[0]
    for each in texts[1:]:
        merged = merge_texts(None, merged, each).text
    return merged


def _fields(lines: Sequence[str]) -> dict[str, list[str]]:
    """The lines of each field of a header, for each time it stands there; what is above the first as ''."""
    fields: dict[str, list[str]] = {"": [""]}
    name = ""
    for line in lines:
        match = _FIELD.match(line)
        if match:
            name = match[1]
            fields.setdefault(name, []).append(line)
        else:
            fields[name][-1] += line
    return fields
