"""Identifiers: of memories, commits, blobs and operations."""

from __future__ import annotations

import hashlib
import re
import secrets
from typing import NewType

from gitmem.errors import BadInput

MemoryId = NewType("MemoryId", str)
CommitId = NewType("CommitId", str)
BlobId = NewType("BlobId", str)

LETTERS = "abcdefghjkmnpqrstuvwxyz"
ALPHABET = LETTERS + "23456789"
"""No look-alikes: no i, l, o, 0 or 1."""
ID_LENGTH = 8
_MEMORY_ID = re.compile(r"[^\W_][\w.\-]{0,63}")


def new_memory_id() -> MemoryId:
    """A fresh random id: 8 characters, the first a letter, so that no reader takes it for a number."""
    return _spelled(secrets.randbelow(len(LETTERS) * len(ALPHABET) ** (ID_LENGTH - 1)))


def derived_memory_id(path: str) -> MemoryId:
    """The id of a note that has none of its own: a hash of its path, the same on every machine."""
    number = int.from_bytes(hashlib.sha256(path.encode("utf-8", "surrogateescape")).digest()[:8], "big")
    return _spelled(number)


def _spelled(number: int) -> MemoryId:
    """An id made of the lowest digits of `number`."""
    number, first = divmod(number, len(LETTERS))
    characters = [LETTERS[first]]
    for _ in range(ID_LENGTH - 1):
        number, digit = divmod(number, len(ALPHABET))
        characters.append(ALPHABET[digit])
    return MemoryId("".join(characters))


def ends_inside_number(beginning: str, memory_id: str) -> bool:
    """Whether `beginning` is that of `memory_id` as `mem-1` is of `mem-10`: it names another number.

    In ids that were made here digits count nothing, so those may end anywhere.
    """
    is_made = len(memory_id) == ID_LENGTH and memory_id[0] in LETTERS and not set(memory_id) - set(ALPHABET)
    behind = memory_id[len(beginning) : len(beginning) + 1]
    return not is_made and beginning[-1:].isdigit() and behind.isdigit()


def blob_id_of(data: bytes) -> str:
    """The id that git gives to a blob of `data`."""
    return hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def blob_key(blob: str) -> int:
    """The first 64 bits of a blob id as a signed number, as a column of numbers keeps them."""
    return int.from_bytes(bytes.fromhex(blob[:16]), "big", signed=True)


def is_memory_id(text: str) -> bool:
    """Whether `text` can stand as an id: letters, digits, `.`, `-`, `_`; at most 64 characters."""
    return bool(_MEMORY_ID.fullmatch(text)) and text[-1] != "." and len(text.encode("utf-8", "replace")) <= 96


def parse_memory_id(text: str, *, field: str = "id") -> MemoryId:
    """`text` as an id. Raises `BadInput` naming `field` where it cannot be one."""
    if not is_memory_id(text):
        raise BadInput(
            f"{field}: {text!r} cannot be an id",
            field=field,
            hint="use 1 to 64 letters, digits, '.', '-' or '_', beginning with a letter or digit",
        )
    return MemoryId(text)


def id_key(memory_id: str) -> str:
    """The form in which ids are compared: two ids that differ only in case are one."""
    return memory_id.casefold()
