"""Records of uses as bytes: one memory's line is found, or changed, without reading the rest."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gitmem.model.usage import (
    HEADER,
    NEVER,
    Counts,
    Uses,
    parse_uses,
    uses_line,
)

_HEAD = re.compile(rb"(?:#[^\n]*\n)*")


def uses_in_record(record: bytes, key: str) -> Uses:
    """The uses of one id in a record sorted by id, by halving."""
    start, end = _place(record, _encoded(key))
    parsed = parse_uses(record[start:end].decode("utf-8", "replace")) if end > start else None
    return parsed[1] if parsed else NEVER


def with_counts(record: bytes, added: Counts, notes: Sequence[str]) -> bytes:
    """`record` with what was `added`, and `notes` in its head in place of those it had."""
    head = "".join(f"{line}\n" for line in (HEADER, *(f"# {note}" for note in notes)))
    match = _HEAD.match(record)
    body = record[match.end() if match else 0 :]
    if body and not body.endswith(b"\n"):
        body += b"\n"
    parts, done = [head.encode("utf-8", "replace")], 0
    for key, name in sorted((_encoded(name), name) for name in added):
        start, end = _place(body, key)
        parsed = parse_uses(body[start:end].decode("utf-8", "replace")) if end > start else None
        uses = (parsed[1] if parsed else NEVER).plus(added[name])
        parts += [body[done:start], _encoded(uses_line(name, uses)), b"\n"]
        done = end + 1 if end > start else start
    return b"".join([*parts, body[done:]])


def _place(record: bytes, key: bytes) -> tuple[int, int]:
    """Where the line of `key` begins and ends; the same twice where it is not there and would begin."""
    low, high = 0, len(record)
    while low < high:
        middle = (low + high) // 2
        start = record.rfind(b"\n", 0, middle) + 1
        end = record.find(b"\n", middle)
        end = end if end >= 0 else len(record)
        name = record[start:end].split(b" ", 1)[0]
        if name == key:
            return start, end
        if name < key:
            low = end + 1
        else:
            high = start
    return min(low, len(record)), min(low, len(record))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")
