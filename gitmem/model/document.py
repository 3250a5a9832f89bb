"""A memory file as text: byte order mark, header, body. Nothing is interpreted that is not a header.

    ---            opening fence: the very first line, three dashes
    id: m7k2q9xw   header: YAML, a mapping
    ---            closing fence
    Body.          every byte after the closing fence

A block between two rules that is not a mapping is no header: the whole text is body.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from frontmatter.default_handlers import YAMLHandler

from gitmem.model.memory import Json
from gitmem.model.yaml_reading import Entry, HeaderError, read_mapping

BYTE_ORDER_MARK = "\ufeff"
_OPENING = re.compile(r"\ufeff?---[ \t]*(\r\n|\n|\r)")
_CLOSING = re.compile(r"(?:(?<=\n)|(?<=\r))---[ \t]*(?:\r\n|\n|\r|\Z)")
_FIELD_LINE = re.compile(r"[^\s#\-][^:\n]*:(\s|$)")


class StrictHandler(YAMLHandler):
    """python-frontmatter's handler, with fences and values read as `yaml_reading` reads them."""

    def detect(self, text: str) -> bool:
        return _OPENING.match(text) is not None

    def split(self, text: str) -> tuple[str, str]:
        """Header and body, every byte kept. Raises `ValueError` where there is no fenced block."""
        opening = _OPENING.match(text)
        closing = _CLOSING.search(text, opening.end()) if opening else None
        if opening is None or closing is None:
            raise ValueError("no fenced block")
        return text[opening.end() : closing.start()], text[closing.end() :]

    def load(self, fm: str, **_: object) -> dict[str, Any]:
        """The fields as plain JSON values; empty where the block is not a mapping."""
        return {entry.key: entry.value for entry in read_mapping(fm) or ()}


HANDLER: Any = StrictHandler()


@dataclass(frozen=True, slots=True)
class Document:
    """One file taken apart. `prefix + header + suffix + body` is the text, byte for byte.

    `error` is set where the block between the fences is meant as a header but cannot be read;
    `body` then is what follows it. `entries` is empty where there is no header.
    """

    prefix: str
    header: str
    suffix: str
    body: str
    entries: tuple[Entry, ...] = ()
    error: HeaderError | None = None

    @property
    def has_header(self) -> bool:
        return bool(self.prefix)

    @property
    def newline(self) -> str:
        """The line end of the file: that of its first line, `\\n` where there is none."""
        found = re.search(r"\r\n|\n|\r", self.prefix or self.body)
        return found.group() if found else "\n"

    @property
    def fields(self) -> dict[str, Json]:
        return {entry.key: entry.value for entry in self.entries}

    @property
    def text(self) -> str:
        return self.prefix + self.header + self.suffix + self.body


def parse_document(text: str) -> Document:
    """`text` taken apart. Never raises: a header that cannot be read is kept and explained."""
    try:
        header, body = HANDLER.split(text)
    except ValueError:
        return Document("", "", "", text)
    prefix_end = _OPENING.match(text).end()  # type: ignore[union-attr]
    prefix, suffix = text[:prefix_end], text[prefix_end + len(header) : len(text) - len(body)]
    try:
        entries = read_mapping(header)
    except HeaderError as error:
        if not _looks_like_header(header):
            return Document("", "", "", text)
        return Document(prefix, header, suffix, body, error=error)
    if entries is None or (not entries and header.strip()):
        return Document("", "", "", text)
    return Document(prefix, header, suffix, body, tuple(entries))


def _looks_like_header(block: str) -> bool:
    """Whether the first line that is not blank or a comment reads `name: value`."""
    for line in re.split(r"\r\n|\n|\r", block):
        if line.strip() and not line.lstrip().startswith("#"):
            return bool(_FIELD_LINE.match(line)) or line.startswith(("?", "{", "&", "!", "%"))
    return False


def decode(data: bytes) -> tuple[str, str | None]:
    """The text of a file, and what is wrong with its encoding if anything is.

    Bytes that are not UTF-8 survive as surrogates, so that the text encodes back to the same bytes.
    """
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError as error:
        return data.decode("utf-8", "surrogateescape"), f"byte {error.start} is not UTF-8"


def encode(text: str) -> bytes:
    """The bytes of `text`; the inverse of `decode`."""
    return text.encode("utf-8", "surrogateescape")
