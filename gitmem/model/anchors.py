"""Anchors: what of a code repository a memory speaks of, as it stands in its header.

path/to/file.py                  a file, or a folder
path/to/file.py#symbol           a definition in it; `Class.method` for one inside another
path/to/file.py@3f9a1c77d2e4     as it was in a commit of the code repository
path/to/file.py#symbol@3f9a1c77d2e4
https://example.com/page         a page; never fetched
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from gitmem.errors import BadInput
from gitmem.model.memory import Json

FIELDS = ("anchors", "anchor")
"""The header fields that hold them: a list, or one text; in a text a comma and a blank part two."""
COMMIT_CHARACTERS = 12
"""So many characters of a commit are noted."""
MOST_ANCHOR_BYTES = 1024
STALE = frozenset(("changed", "lost", "gone"))
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://\S+")
_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_COMMA = re.compile(r",\s+")


class Anchor(Struct, frozen=True):
    """One anchor: a page, or a path in the code repository with a symbol and the commit it was true at."""

    path: str
    symbol: str | None = None
    commit: str | None = None
    url: str | None = None

    def __str__(self) -> str:
        if self.url is not None:
            return self.url
        symbol = f"#{self.symbol}" if self.symbol else ""
        commit = f"@{self.commit}" if self.commit else ""
        return f"{self.path}{symbol}{commit}"

    @property
    def place(self) -> str:
        """What it speaks of, without the commit."""
        return str(replace(self, commit=None))

    def at(self, commit: str, *, path: str | None = None) -> Anchor:
        """The same with `commit` as the one it was true at."""
        return replace(self, commit=commit[:COMMIT_CHARACTERS], path=path or self.path)


class Verdict(Struct, frozen=True):
    """What became of an anchor: a state, in words, and the path where the file stands now if it moved.

    `fresh`, `moved`, `page` (a URL, which is not looked at), `unknown` (nobody can say), or stale:
    `changed`, `lost` (the symbol is not found), `gone` (the file is not there).
    """

    anchor: str
    state: str
    reason: str
    path: str | None = None

    @property
    def is_stale(self) -> bool:
        return self.state in STALE


def parse_anchor(text: str) -> Anchor:
    """`text` as an anchor. Raises `BadInput` saying what is wrong with it."""
    text = text.strip()
    reason = _why_not(text)
    if reason is not None:
        raise BadInput(
            f"anchor: {text!r} is refused: {reason}",
            field="anchor",
            hint="write a path from the top of the code repository, such as src/app.py#main, or a URL",
        )
    if _URL.fullmatch(text):
        return Anchor("", url=text)
    path, commit = _parted(text, "@")
    if commit is not None and not _COMMIT.fullmatch(commit):
        path, commit = text, None
    path, symbol = _parted(path, "#")
    return Anchor(path.rstrip("/"), symbol, commit)


def _parted(text: str, mark: str) -> tuple[str, str | None]:
    """`text` parted at its last `mark`; whole where nothing, or a slash, stands on one side."""
    before, found, after = text.rpartition(mark)
    return (before, after) if found and before and after and "/" not in after else (text, None)


def _why_not(text: str) -> str | None:
    """Why `text` cannot be an anchor; None if it can."""
    if not text:
        return "it is empty"
    if not text.isprintable():
        return "it has a control character"
    if len(text.encode("utf-8", "replace")) > MOST_ANCHOR_BYTES:
        return f"it is longer than {MOST_ANCHOR_BYTES} bytes"
    if _URL.fullmatch(text):
        return None
    if text.startswith(("/", "\\", "~")) or re.match(r"[A-Za-z]:[\\/]", text):
        return "the path is absolute"
    path = text.rstrip("/")
    if any(part in ("", ".", "..") or part.casefold() == ".git" for part in path.split("/")):
        return "the path has an empty, '.', '..' or '.git' part"
    return "it names no file" if path.startswith(("#", "@")) else None


def anchor_texts(fields: Mapping[str, Json]) -> list[str]:
    """The anchors that a header holds, as they are written, each once."""
    found: dict[str, None] = {}
    for name in FIELDS:
        value = fields.get(name)
        items = _COMMA.split(value) if isinstance(value, str) else value if isinstance(value, list) else []
        found.update(dict.fromkeys(item.strip() for item in items if isinstance(item, str) and item.strip()))
    return list(found)


def readable_anchors(fields: Mapping[str, Json]) -> dict[str, Anchor]:
    """The anchors of a header that can be read, by their text."""
    found = {}
    for text in anchor_texts(fields):
        try:
            found[text] = parse_anchor(text)
        except BadInput:
            continue
    return found
