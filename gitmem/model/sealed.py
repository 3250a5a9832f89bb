"""The form of a file that is encrypted: what of its header stays readable, and the rest in blocks of age.

---
id: m7k2q9xw
type: semantic
encrypted: k3f9x2ab            # the name of the key
---
-----BEGIN AGE ENCRYPTED FILE-----
...
-----END AGE ENCRYPTED FILE-----

What is encrypted is the whole file. Two versions that were merged where the key is not known stand one after
the other, each below a line that says what it is, and with the base, if there is one: who has the key reads
what a merge of these makes.

base k3f9x2ab:
-----BEGIN AGE ENCRYPTED FILE-----
...
version k3f9x2ab:
...

An attachment is one line `gitmem-encrypted k3f9x2ab`, and what age makes of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from gitmem.model.lazily import Lazy
from gitmem.model.memory import Json
from gitmem.model.yaml_writing import header_text

MARK = "encrypted"
BEGIN = "-----BEGIN AGE ENCRYPTED FILE-----"
END = "-----END AGE ENCRYPTED FILE-----"
NOT_READABLE = frozenset(
    {"title", "related", "supersedes", "attachments", "anchors", "anchor", "source", "subject", MARK}
)
"""Fields that stay encrypted whatever the policy lists."""
_KEY = re.compile(r"[a-z0-9]{8}")
_HEADER = re.compile(rb"\A---\r?\n(.*?)\r?\n---\r?\n", re.DOTALL)
_MARK = re.compile(rb"^encrypted: ([a-z0-9]{8})\r?$", re.MULTILINE)
_BLOCK = Lazy(
    rf"(?:^(base|version) ({_KEY.pattern}):\r?\n)?^({BEGIN}\r?\n[A-Za-z0-9+/=\r\n]+{END})\r?$", re.MULTILINE
)
_ATTACHMENT = re.compile(rb"\Agitmem-encrypted ([a-z0-9]{8})\n")
_MOST_HEADER_BYTES = 64 * 1024


class Block(Struct, frozen=True):
    """One encrypted version, and the name of its key."""

    key: str
    armored: str


class Sealed(Struct, frozen=True):
    """An encrypted memory: its versions, several where they wait to be merged, and what they came from."""

    versions: tuple[Block, ...]
    base: Block | None = None


def sealed_of(data: bytes) -> Sealed | None:
    """What is encrypted in the bytes of a memory file; None where it is an ordinary one."""
    found = _marked(data)
    if found is None:
        return None
    key_of_all, start = found
    base: Block | None = None
    versions: list[Block] = []
    for kind, key, armored in _BLOCK.pattern.findall(data[start:].decode("utf-8", "replace")):
        block = Block(key or key_of_all, armored.replace("\r\n", "\n"))
        if kind == "base":
            base = block
        elif block not in versions:
            versions.append(block)
    return Sealed(tuple(versions), base) if versions else None


def is_sealed(data: bytes) -> bool:
    """Whether the bytes of a memory file, or the first of them, are those of an encrypted one; quick."""
    return _marked(data) is not None


def _marked(data: bytes) -> tuple[str, int] | None:
    """The name of the key in the header of an encrypted memory, and where the header ends."""
    header = _HEADER.match(data[:_MOST_HEADER_BYTES]) if data.startswith(b"---") else None
    mark = _MARK.search(header[1]) if header else None
    if header is None or mark is None or data.find(BEGIN.encode(), header.end()) < 0:
        return None
    return mark[1].decode("ascii"), header.end()


def sealed_text(fields: Mapping[str, Json], readable: Sequence[str], block: Block) -> str:
    """The file of an encrypted memory with the header `fields`, of which `readable` stay so."""
    shown = {name: fields[name] for name in ("id", "type", *readable) if name in fields}
    return header_text({**shown, MARK: block.key}) + block.armored.strip() + "\n"


def merged_sealed(base: str | None, one: str, other: str) -> str | None:
    """The file that holds both versions, where one of them is encrypted; None where neither is.

    Raises `ValueError` where the other one is not.
    """
    sides = [sealed_of(text.encode("utf-8", "surrogateescape")) for text in (one, other)]
    if sides == [None, None]:
        return None
    if None in sides:
        raise ValueError("one of the versions is encrypted, and the other is not")
    older = None if base is None else sealed_of(base.encode("utf-8", "surrogateescape"))
    blocks = [block for side in sides if side is not None for block in side.versions]
    versions = sorted(dict.fromkeys(blocks), key=lambda block: block.armored)
    is_simple = older is not None and len(older.versions) == 1
    parts = [f"base {older.versions[0].key}:\n{older.versions[0].armored}"] if older and is_simple else []
    parts += [f"version {block.key}:\n{block.armored}" for block in versions]
    header = one[: one.index(BEGIN)].partition("\n---\n")[0]
    if "\nstatus: " not in header:
        header += "\nstatus: disputed"
    return f"{header}\n---\n" + "\n".join(parts) + "\n"


def sealed_attachment(key: str, data: bytes) -> bytes:
    """The file of an encrypted attachment."""
    return f"gitmem-encrypted {key}\n".encode() + data


def key_of_attachment(data: bytes) -> str | None:
    """The name of the key of an encrypted attachment; None where it is an ordinary file."""
    found = _ATTACHMENT.match(data[:64])
    return found[1].decode() if found else None


def body_of_attachment(data: bytes) -> bytes:
    """What age made of an attachment."""
    return data[data.index(b"\n") + 1 :]
