"""Changing fields of a header: only the lines of those fields change, all else stays byte for byte.

Cases, tried in this order:
    no header     one is put on top of the text
    absent        the field is added as the last line of the header
    grown list    the new items are written after the last one, in the style of the list
    shrunk list   the lines or bracket entries of the items that went are cut out; one that does both is
                  shrunk first
    replaced      the lines of the field are written anew, a comment on its first line is kept
    removed       the lines of the field are cut out
What comes out is read again; if anything but the named fields changed, the edit is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from itertools import accumulate, pairwise

from gitmem.model.document import BYTE_ORDER_MARK, Document, parse_document
from gitmem.model.lazily import Lazy
from gitmem.model.memory import Json
from gitmem.model.yaml_reading import Entry
from gitmem.model.yaml_writing import field_lines, header_text, scalar_text


class HeaderCannotChange(Exception):
    """The header is broken, or a field is written in a way that cannot be edited line by line."""


_NOT_TEXT = Lazy("[\x00\ud800-\udfff]")
# YAML 1.1 ends lines at more characters than a text file does, and positions in the header count them.
YAML_LINE = Lazy("[^\r\n\x85\u2028\u2029]*(?:\r\n|[\n\r\x85\u2028\u2029])|[^\r\n\x85\u2028\u2029]+\\Z")

_HEAD_COMMENT = Lazy(r"""[^:#"'\s][^:#"']*:[ \t]*(?:[|>][0-9+\-]*)?([ \t]+#[^\r\n]*)""")

REMOVED = object()
"""Stands for the new value of a field that is to go."""


def edit_header(text: str, changes: Mapping[str, Json | object]) -> str:
    """`text` with the fields in `changes` set, or removed where the value is `REMOVED`.

    Raises `HeaderCannotChange`, saying why, and never returns a text in which any other field,
    comment or byte of the body differs.
    """
    document = parse_document(text)
    if document.error is not None:
        raise HeaderCannotChange(f"line {document.line_of(document.error.line)}: {document.error.reason}")
    if not document.has_header and _NOT_TEXT.search(text):
        raise HeaderCannotChange("there is none, and the file is not UTF-8 text that could get one")
    wanted = {key: value for key, value in changes.items() if _differs(document.fields, key, value)}
    if not wanted:
        return text
    for key, common in _shrunk_first(document.fields, wanted).items():
        with suppress(HeaderCannotChange):
            document = parse_document(edit_header(document.text, {key: common}))
    edited = _with_new_header(text, wanted) if not document.has_header else _edited(document, wanted)
    _verify(document, wanted, edited)
    return edited


def _shrunk_first(fields: Mapping[str, Json], wanted: Mapping[str, object]) -> dict[str, list[Json]]:
    """Lists that lose items and get others behind those that stay, which keep their lines and comments."""
    found: dict[str, list[Json]] = {}
    for key, new in wanted.items():
        old = fields.get(key)
        if isinstance(old, list) and isinstance(new, list):
            common = [item for item in old if item in new]
            if common and common != old and common == new[: len(common)] and common != new:
                found[key] = common
    return found


def _differs(fields: Mapping[str, Json], key: str, value: object) -> bool:
    if value is REMOVED:
        return key in fields
    return key not in fields or fields[key] != value or type(fields[key]) is not type(value)


def _with_new_header(text: str, wanted: Mapping[str, object]) -> str:
    fields = {key: value for key, value in wanted.items() if value is not REMOVED}
    mark = BYTE_ORDER_MARK if text.startswith(BYTE_ORDER_MARK) else ""
    newline = parse_document(text).newline
    return mark + header_text(fields, newline=newline) + text[len(mark) :]  # type: ignore[arg-type]


def _edited(document: Document, wanted: Mapping[str, object]) -> str:
    lines = YAML_LINE.findall(document.header)
    entries = {entry.key: entry for entry in document.entries}
    starts = [entry.line for entry in document.entries]
    if len(set(starts)) != len(starts) or any(a.end_line > b.line for a, b in pairwise(document.entries)):
        raise HeaderCannotChange("several fields share a line; put one field on each line")
    added = ""
    for key, value in sorted(
        wanted.items(), key=lambda pair: -entries[pair[0]].line if pair[0] in entries else 1
    ):
        entry = entries.get(key)
        if entry is None:
            continue
        lines[entry.line : entry.end_line] = _new_lines(
            entry, lines[entry.line : entry.end_line], value, document
        )
    for key, value in wanted.items():
        if key not in entries and value is not REMOVED:
            added += field_lines(key, value, newline=document.newline)  # type: ignore[arg-type]
    header = "".join(lines)
    if added and header and not header.endswith(("\n", "\r")):
        header += document.newline
    return document.prefix + header + added + document.suffix + document.body


def _new_lines(entry: Entry, lines: list[str], value: object, document: Document) -> list[str]:
    if value is REMOVED:
        return []
    old = entry.value
    if isinstance(old, list) and isinstance(value, list) and old and value and len(entry.items) == len(old):
        if value[: len(old)] == old:
            return _grown(entry, lines, value[len(old) :], document.newline)
        kept = _kept_items(old, value)
        if kept is not None:
            return _shrunk(entry, lines, kept)
    comment = _trailing_comment(entry, lines)
    if comment and not isinstance(value, list | dict):
        key_part = lines[0][: lines[0].index(":") + 1]
        return [f"{key_part} {scalar_text(value, key=entry.key)}{comment}"]  # type: ignore[arg-type]
    indent = _block_indent(entry, lines)
    written = field_lines(entry.key, value, newline=document.newline, indent=indent)  # type: ignore[arg-type]
    head, line_end, rest = written.partition(document.newline)
    return [head + (comment or _head_comment(lines)).rstrip("\r\n") + line_end + rest]


def _grown(entry: Entry, lines: list[str], new_items: list[Json], newline: str) -> list[str]:
    _, _, end_row, end_column = entry.items[-1]
    at = end_row - entry.line
    if entry.style == "flow":
        insert = "".join(", " + scalar_text(item) for item in new_items)
        return [*lines[:at], lines[at][:end_column] + insert + lines[at][end_column:], *lines[at + 1 :]]
    indent = _block_indent(entry, lines)
    written = [f"{indent}- {scalar_text(item)}{newline}" for item in new_items]
    if lines and not lines[-1].endswith(("\n", "\r")):
        lines = [*lines[:-1], lines[-1] + newline]
    return [*lines, *written]


def _kept_items(old: list[Json], new: list[Json]) -> list[int] | None:
    """The positions in `old` that make `new`, in order; None if `new` is not `old` with items taken out."""
    kept: list[int] = []
    position = 0
    for item in new:
        while position < len(old) and old[position] != item:
            position += 1
        if position == len(old):
            return None
        kept.append(position)
        position += 1
    return kept


def _shrunk(entry: Entry, lines: list[str], kept: list[int]) -> list[str]:
    if entry.style == "flow":
        if entry.items[0][0] != entry.items[-1][2]:
            return _shrunk_over_lines(entry, lines, kept)
        at = entry.items[0][0] - entry.line
        line = lines[at]
        texts = [line[entry.items[i][1] : entry.items[i][3]] for i in kept]
        changed = line[: entry.items[0][1]] + ", ".join(texts) + line[entry.items[-1][3] :]
        return [*lines[:at], changed, *lines[at + 1 :]]
    starts = [item[0] - entry.line for item in entry.items] + [len(lines)]
    if len(set(starts)) != len(starts):
        raise HeaderCannotChange(f"{entry.key}: several items share a line")
    head = lines[: starts[0]]
    for i, item in enumerate(entry.items):
        rows = lines[starts[i] : starts[i + 1]]
        behind = lines[max(starts[i] + 1, item[2] - entry.line + (item[3] > 0)) : starts[i + 1]]
        head += rows if i in kept else [row for row in behind if row.lstrip().startswith("#")]
    return head


def _shrunk_over_lines(entry: Entry, lines: list[str], kept: list[int]) -> list[str]:
    """Each item that stays keeps what stands between it and the next; the last one ends the list."""
    text = "".join(lines)
    starts = [0, *accumulate(map(len, lines))]
    spans = [
        (starts[row - entry.line] + column, starts[end_row - entry.line] + end_column)
        for row, column, end_row, end_column in entry.items
    ]
    last = spans[kept[-1]]
    following = text[last[1] : spans[kept[-1] + 1][0]] if kept[-1] + 1 < len(spans) else ""
    if "#" in following:
        raise HeaderCannotChange(f"{entry.key}: a comment stands inside the list in brackets")
    stay = [text[spans[i][0] : spans[i + 1][0]] for i in kept[:-1]]
    return ["".join((text[: spans[0][0]], *stay, text[slice(*last)], text[spans[-1][1] :]))]


def _trailing_comment(entry: Entry, lines: list[str]) -> str:
    """What stands behind a value of one line, a comment and the line end; empty if no comment."""
    if entry.style not in ("plain", "flow") or len(lines) != 1 or entry.value_end[0] != entry.line:
        return ""
    rest = lines[0][entry.value_end[1] :]
    return rest if rest.strip().startswith("#") else ""


def _head_comment(lines: list[str]) -> str:
    """The comment behind the name of a field whose value stands on further lines; empty if there is none."""
    found = _HEAD_COMMENT.match(lines[0]) if len(lines) > 1 else None
    return found[1] if found else ""


def _block_indent(entry: Entry, lines: list[str]) -> str:
    if entry.style == "block" and entry.items:
        row = lines[entry.items[0][0] - entry.line]
        return row[: len(row) - len(row.lstrip())]
    return "  "


def _verify(before: Document, wanted: Mapping[str, object], edited: str) -> None:
    after = parse_document(edited)
    expected = {key: value for key, value in before.fields.items() if key not in wanted}
    expected.update({key: value for key, value in wanted.items() if value is not REMOVED})  # type: ignore[misc]
    body = before.body.removeprefix(BYTE_ORDER_MARK) if not before.has_header else before.body
    if after.error is not None or after.fields != expected or after.body != body:
        names = ", ".join(wanted)
        raise HeaderCannotChange(f"{names}: written in a way that cannot be changed line by line")
