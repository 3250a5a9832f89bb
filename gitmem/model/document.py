"""A memory file as text: byte order mark, header, body. Nothing is interpreted that is not a header.

    ---            opening fence: the first line that is not blank, three dashes
    id: m7k2q9xw   header: YAML, a mapping
    ---            closing fence; three dots close a header that names a memory
    Body.          every byte after the closing fence

A block between two rules that is not a mapping is no header: the whole text is body. A block that
names a memory and cannot be read, or is never closed, is a broken header, and so is one in TOML between
lines of three plus signs: nothing may be put above it.
"""

from __future__ import annotations

import re

from msgspec import Struct

from gitmem.model.fences import NAMES_A_MEMORY, OPENING, is_fenced, split_text
from gitmem.model.header_reading import read_mapping
from gitmem.model.memory import Json
from gitmem.model.yaml_reading import Entry, HeaderError

BYTE_ORDER_MARK = "\ufeff"
_ODD_OPENING = re.compile(
    r"\ufeff*[ \t\r\n]*---(?:[ \t]*(?:ya?ml|json)|[ \t]+#[^\r\n]*)?[ \t]*(?:\r\n|\n|\r)"
)
"""Opens a header for a few programs only: indented, with a comment, or with the name of a language."""
_PARAGRAPH_END = re.compile(r"(?:(?<=\n)|(?<=\r))[ \t]*(?:\r\n|\n|\r|\Z)")
_SEEMS_TO_NAME = re.compile(
    r"(?:\A|(?<=\n)|(?<=\r))[ \t]*(?:- )?[\"']?(?:id|type|title|tags|created)[\"']?[ \t]*:(?:\s|\Z)"
)
_PLUSES = re.compile(r"(?m)^\ufeff?\+\+\+[ \t]*\r?$")
_TOML_LINE = re.compile(r"(?m)^[ \t]*[\w\"'.\-]{1,100}[ \t]*=")
_FIELD_LINE = re.compile(r"[^\s#\-][^:\n]*:(\s|$)")


class Document(Struct, frozen=True):
    """One file taken apart. `prefix + header + suffix + body` is the text, byte for byte.

    `error` is set where the block between the fences is meant as a header but cannot be read;
    `body` then is what follows it, or the whole text where the block is never closed. `entries` is
    empty where there is no header.
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

    def line_of(self, line: int) -> int:
        """The line of the file that is line `line` of the header, both from 1; 0 is the opening fence."""
        return max(1, line + len(re.findall(r"\r\n|\n|\r", self.prefix)))

    @property
    def fields(self) -> dict[str, Json]:
        return {entry.key: entry.value for entry in self.entries}

    @property
    def text(self) -> str:
        return self.prefix + self.header + self.suffix + self.body


def parse_document(text: str) -> Document:
    """`text` taken apart. Never raises: a header that cannot be read is kept and explained."""
    try:
        header, body = split_text(text)
    except ValueError:
        return _unclosed(text)
    prefix_end = OPENING.match(text).end()  # type: ignore[union-attr]
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


def _unclosed(text: str) -> Document:
    """`text` without a fenced block: all body, unless it opens a header that cannot be read as one."""
    if _has_toml(text):
        error = HeaderError("a header in TOML is not read: write it as YAML between lines of three dashes")
        return Document("", "", "", text, error=error)
    if not is_fenced(text) and _SEEMS_TO_NAME.search(first_paragraph(text)):
        error = HeaderError("the header does not begin with a line of three dashes and nothing else")
        return Document("", "", "", text, error=error)
    if not NAMES_A_MEMORY.search(first_paragraph(text)):
        return Document("", "", "", text)
    error = HeaderError("the header is not closed by a line of three dashes")
    return Document("", "", "", text, error=error)


def _has_toml(text: str) -> bool:
    """Whether `text` begins with a header in TOML, as some makers of web pages write it."""
    if not text.lstrip("\ufeff \t\r\n").startswith("+++"):
        return False
    fences = [found for _, found in zip(range(2), _PLUSES.finditer(text), strict=False)]
    if len(fences) < 2 or text[: fences[0].start()].strip("\ufeff \t\r\n"):
        return False
    return _TOML_LINE.search(text, fences[0].end(), fences[1].start()) is not None


def first_paragraph(text: str) -> str:
    """What stands between an opening fence and the first blank line; empty where there is no fence."""
    opening = OPENING.match(text) or _ODD_OPENING.match(text)
    if opening is None:
        return ""
    end = _PARAGRAPH_END.search(text, opening.end())
    return text[opening.end() : end.start() if end else len(text)]


def _looks_like_header(block: str) -> bool:
    """Whether a line names a memory, or the first that is not blank or a comment reads `name: value`."""
    if _SEEMS_TO_NAME.search(block):
        return True
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
