"""A disputed file taken apart again: what is open, and the file with some of it settled.

A choice is made once for a dispute: one of its versions, or none, which leaves it open. Versions inside a
version are asked for in turn. Where nothing is open any more, `disputed` goes and `status` is what it was
before; a header that the dispute alone had brought goes too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from msgspec import Struct

from gitmem.model.document import Document, parse_document
from gitmem.model.header_edit import REMOVED, HeaderCannotChange, edit_header
from gitmem.model.memory import Json, Status
from gitmem.model.merge.blocks import Block, Blocks, Kind, blocks_of
from gitmem.model.merge.dispute import Option, in_order, read_dispute
from gitmem.model.merge.fields import Absent
from gitmem.model.merge.form import lines_of
from gitmem.model.merge.values import DISPUTED, STATUS, ForeignField, disputed_fields, former_status

TEXT = "text"


class Dispute(Struct, frozen=True):
    """One thing of which several versions are kept: a field, or a passage of the text (`text`).

    `options` are in the order of their names; those of a field are values in JSON. `line` is that of the
    file, from 1; 0 for a field.
    """

    field: str
    options: tuple[Option, ...]
    line: int = 0


Choice = Callable[[Dispute], Option | None]


def disputes_of(text: str) -> list[Dispute]:
    """What is open in a file: fields first, then passages from top to bottom."""
    document = parse_document(text)
    return [*_open_fields(document), *_open_passages(document)]


def _open_fields(document: Document) -> list[Dispute]:
    try:
        return [
            Dispute(field, tuple(in_order(options)))
            for field, options in disputed_fields(document.fields).items()
        ]
    except ForeignField:
        return []


def _open_passages(document: Document) -> list[Dispute]:
    blocks = blocks_of(lines_of(document.body))
    line = 1 + len(lines_of(document.text)) - len(lines_of(document.body))
    found = []
    for gap, block in zip(blocks.gaps, blocks.blocks, strict=False):
        line += len(gap)
        if block.kind is Kind.DISPUTE:
            found.append(Dispute(TEXT, _options(block), line))
        line += len(block.lines)
    return found


def _options(block: Block) -> tuple[Option, ...]:
    dispute = read_dispute(block.lines, 0)
    return tuple(in_order(dispute[0])) if dispute else ()


def settled(text: str, choose: Choice) -> str:
    """The file with every dispute settled for which `choose` picks a version.

    A version that is a whole file becomes the file. Raises `HeaderCannotChange`.
    """
    document = parse_document(text)
    lines = lines_of(document.body)
    for block in blocks_of(lines).blocks:
        option = _chosen(block, choose)
        if option is not None and option.is_file:
            return settled(option.text, choose) if disputes_of(option.text) else option.text
    left = settled_lines(lines, choose)
    head = document.text[: len(document.text) - len(document.body)]
    is_open = any(block.kind is Kind.DISPUTE for block in blocks_of(left).blocks)
    return _settled_header(head + "".join(left), choose, is_text_open=is_open)


def settled_lines(lines: Sequence[str], choose: Choice) -> list[str]:
    """The lines of a text, with its disputes settled, and those inside the versions that were chosen."""
    blocks = blocks_of(lines)
    if not any(block.kind is Kind.DISPUTE for block in blocks.blocks):
        return list(lines)
    found: list[str] = []
    gap: Sequence[str] = blocks.gaps[0]
    before: Block | None = None
    was_settled = False
    for number, block in enumerate(blocks.blocks):
        option = _chosen(block, choose)
        inner = list(block.lines) if option is None else settled_lines(option.lines, choose)
        parts = blocks_of(inner).blocks
        if parts:
            touches = was_settled or option is not None
            found += [*(_closed(gap, before, parts[0], blocks) if touches else gap), *inner]
            before = parts[-1]
            gap, was_settled = blocks.gaps[number + 1], option is not None
        else:
            gap, was_settled = max(gap, blocks.gaps[number + 1], key=len), True
    return [*found, *gap]


def _chosen(block: Block, choose: Choice) -> Option | None:
    return choose(Dispute(TEXT, _options(block))) if block.kind is Kind.DISPUTE else None


def _closed(gap: Sequence[str], before: Block | None, after: Block, blocks: Blocks) -> Sequence[str]:
    """The blank lines beside a passage that is settled: none within a list that has none elsewhere."""
    if before is None or before.kind is not Kind.ITEM or after.kind is not Kind.ITEM:
        return gap
    pairs = zip(blocks.blocks, blocks.blocks[1:], blocks.gaps[1:], strict=False)
    is_loose = any(between for one, other, between in pairs if one.kind is other.kind is Kind.ITEM)
    return gap if is_loose else ()


def _settled_header(text: str, choose: Choice, *, is_text_open: bool) -> str:
    document = parse_document(text)
    changes: dict[str, Json | object] = {}
    still_open: list[Json] = []
    try:
        fields = disputed_fields(document.fields)
        former = former_status(document.fields)
    except ForeignField:
        return text
    for field, options in fields.items():
        option = choose(Dispute(field, tuple(in_order(options))))
        if option is None:
            values: dict[str, Json] = {name: json.loads(each.text) for each in options for name in each.names}
            still_open.append({"field": field, "values": {name: values[name] for name in sorted(values)}})
        else:
            value: Json = json.loads(option.text)
            changes[field] = REMOVED if value is None else value
    if still_open or is_text_open:
        if not isinstance(former, Absent):
            still_open.append({"field": STATUS, "value": former})
        changes[DISPUTED] = still_open or REMOVED
        changes[STATUS] = str(Status.DISPUTED)
    else:
        changes[DISPUTED] = REMOVED
        if document.fields.get(STATUS) == Status.DISPUTED:
            changes.setdefault(STATUS, REMOVED if isinstance(former, Absent) else former)
    return _without_empty_header(edit_header(text, changes))


def _without_empty_header(text: str) -> str:
    document = parse_document(text)
    is_empty = document.has_header and not document.header.strip()
    return document.body if is_empty and not parse_document(document.body).has_header else text


__all__ = ["Choice", "Dispute", "HeaderCannotChange", "disputes_of", "settled"]
