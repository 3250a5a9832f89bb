"""What a memory file says: its type, title and text, by less work than it takes to read all of its header.

Who looks through all files of a store needs no more. A file that is not as gitmem itself writes it is read as
any other, so the answer is always that of `read_memory`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gitmem.model.ids import BlobId
from gitmem.model.lazily import Lazy
from gitmem.model.memory import MemoryType, as_text
from gitmem.model.reading import MAX_MEMORY_BYTES, derived_title, read_memory
from gitmem.model.sealed import MARK
from gitmem.model.yaml_reading import PLAIN_HEADER, plain_value

_FENCE = "---\n"
_LONGEST_HEADER = 2_000
_HEADER = Lazy(PLAIN_HEADER)
_FIELDS = Lazy(r"^([A-Za-z_][\w-]*):(?: +(.*))?$", re.MULTILINE)
_TYPES = {str(each): each for each in MemoryType}


class Said(NamedTuple):
    """What a memory says. `is_locked` means that title and text cannot be read here."""

    type: MemoryType
    title: str
    body: str
    is_locked: bool = False


def said_in(path: str, blob: BlobId, data: bytes, *, is_start: bool = False) -> Said:
    """What the file at `path` says. Never raises; the arguments are those of `read_memory`."""
    plain = None if is_start or len(data) > MAX_MEMORY_BYTES else _said_plainly(data)
    if plain is not None:
        return plain
    memory = read_memory(path, blob, data, is_start=is_start)
    return Said(memory.type, memory.title, memory.body, memory.locked_by is not None)


def _said_plainly(data: bytes) -> Said | None:
    """What a file says that begins with a header of plain lines, which names a type; None of any other."""
    if not data.startswith(b"---\n") or b"\0" in data:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    end = text.find("\n---", len(_FENCE))
    header = text[len(_FENCE) : end + 1]
    if not 0 <= end <= _LONGEST_HEADER or not text.startswith(_FENCE, end + 1):
        return None
    if _HEADER.fullmatch(header) is None:
        return None
    found = _FIELDS.pattern.findall(header)
    fields: dict[str, str] = dict(found)
    kind = _TYPES.get(fields.get("type", "").rstrip(" "))
    if kind is None or MARK in fields or len(fields) < len(found):
        return None
    body = text[end + 1 + len(_FENCE) :]
    title = as_text(plain_value(fields["title"])) if fields.get("title") else None
    if title is None or not title.strip():
        title = derived_title(body)
    return Said(kind, title, body) if title else None
