"""A memory file read: typed fields with defaults, and what is odd about it as problems."""

from __future__ import annotations

import json
import re

from msgspec.structs import replace

from gitmem.errors import BadInput
from gitmem.model.anchors import FIELDS as ANCHOR_FIELDS
from gitmem.model.anchors import anchor_texts, parse_anchor
from gitmem.model.document import (
    BYTE_ORDER_MARK,
    Document,
    decode,
    first_paragraph,
    parse_document,
)
from gitmem.model.ids import BlobId, MemoryId, derived_memory_id, is_memory_id
from gitmem.model.memory import (
    DEFAULT_CONFIDENCE,
    DEFAULT_IMPORTANCE,
    DEFAULT_TYPE,
    Json,
    Memory,
    MemoryType,
    Problem,
    Relation,
    Status,
    as_text,
)
from gitmem.model.merge.dispute import is_frame
from gitmem.model.others import entries_in, name_of_other, relations_in
from gitmem.model.pin import PINNED, is_clear
from gitmem.model.place import namespace_of, type_of
from gitmem.model.sealed import MARK, is_sealed

MAX_MEMORY_BYTES = 16 * 1024 * 1024
"""Of a file past this size only the beginning is read, and it is reported."""
START_BYTES = 256 * 1024
"""How much that is; more than any header that can be read."""
TOO_LARGE = "too-large"
"""Code of the problem that such a file has."""
TITLE_CHARACTERS = 80
_SALVAGED = re.compile(r"^(id|title|type)[ \t]*:[ \t]*(.+?)[ \t\r]*$", re.MULTILINE)


def read_memory(path: str, blob: BlobId, data: bytes, *, is_start: bool = False) -> Memory:
    """The memory that the file at `path` is. Never raises: what is wrong becomes a problem.

    With `is_start`, `data` is only the beginning of a file that is too large to be read.
    """
    problems: list[Problem] = []
    if is_start or len(data) > MAX_MEMORY_BYTES:
        limits = (
            f"larger than {MAX_MEMORY_BYTES // 2**20} MiB, only its first {START_BYTES // 1024} KiB are read"
        )
        problems.append(Problem(TOO_LARGE, limits))
        data = _start(data)
    text, encoding_problem = decode(data)
    if encoding_problem:
        problems.append(Problem("encoding", encoding_problem))
        text = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    if "\x00" in text:
        problems.append(Problem("binary", "holds NUL bytes"))
        text = text.replace("\x00", " ")
    document = parse_document(text)
    fields = document.fields
    if document.error is not None:
        line = document.line_of(document.error.line)
        problems.append(Problem("header", document.error.reason, line))
        fields = _salvaged(document.header or first_paragraph(text))
    memory = _Reader(path, blob, document, fields, problems).memory()
    if MARK not in fields or not is_sealed(data):
        return memory
    title = as_text(fields.get("title")) or memory.id
    return replace(memory, title=title, body="", locked_by=as_text(fields[MARK]))


def _start(data: bytes) -> bytes:
    """The beginning of `data`, up to the end of a line, or of a character where the line is long."""
    cut = data[:START_BYTES]
    line_end = cut.rfind(b"\n", START_BYTES // 2)
    if line_end >= 0:
        return cut[: line_end + 1]
    last = max(cut.rfind(bytes([lead])) for lead in range(0xC0, 0xF8))
    return cut[:last] if 0 <= len(cut) - last <= 3 else cut


def _salvaged(header: str) -> dict[str, Json]:
    """Identity fields of a header that is not valid YAML, so that the memory keeps its name."""
    found: dict[str, Json] = {}
    for key, value in _SALVAGED.findall(header):
        found.setdefault(key, value.strip("\"'"))
    return found


class _Reader:
    """Takes the known fields out of a header, one method for each shape a field may have."""

    def __init__(
        self, path: str, blob: BlobId, document: Document, fields: dict[str, Json], problems: list[Problem]
    ) -> None:
        self._path = path
        self._blob = blob
        self._document = document
        self._fields = fields
        self._problems = problems

    def memory(self) -> Memory:
        memory_id, has_own_id = self._id()
        body = self._document.body
        broken = self._document.error is not None
        self._look_at_others()
        return Memory(
            id=memory_id,
            type=self._type(),
            title=self._title(),
            body=body,
            path=self._path,
            blob=self._blob,
            namespace=namespace_of(self._path, memory_id),
            has_own_id=has_own_id,
            fields=self._fields,
            tags=self._strings("tags"),
            entities=self._strings("entities"),
            created=self._text("created"),
            importance=self._share("importance", DEFAULT_IMPORTANCE),
            confidence=self._share("confidence", DEFAULT_CONFIDENCE),
            status=self._status(),
            valid_from=self._text("valid_from"),
            valid_until=self._text("valid_until"),
            source=self._text("source"),
            agent=self._text("agent"),
            session=self._text("session"),
            subject=self._text("subject"),
            related=self._related(),
            supersedes=self._superseded(),
            attachments=self._strings("attachments"),
            anchors=self._anchors(),
            header_text=self._document.header if broken else "",
            problems=tuple(self._problems),
        )

    def _look_at_others(self) -> None:
        """Reports fields that have no place in a memory of their own, and say nothing as they are written."""
        if not is_clear(self._fields):
            self._problem(PINNED, f"{_shown(self._fields[PINNED])} is neither true nor false; read as false")
        confirmed = self._fields.get("confirmed")
        if confirmed is not None and not isinstance(confirmed, bool | int | float):
            self._problem("confirmed", f"{_shown(confirmed)} is not a number; read as 0")
        for key in ("aliases", "alias"):
            value = self._fields.get(key)
            items = value if isinstance(value, list) else [value]
            if any(isinstance(item, list | dict) for item in items):
                self._problem(key, "an item is a list or mapping and is left out")

    def _problem(self, key: str, message: str) -> None:
        entries = (entry for entry in self._document.entries if entry.key == key)
        line = next((self._document.line_of(entry.line + 1) for entry in entries), 0)
        self._problems.append(Problem("field", f"{key}: {message}", line))

    def _id(self) -> tuple[MemoryId, bool]:
        value = self._fields.get("id")
        if value is not None:
            text = as_text(value)
            if text is not None and is_memory_id(text):
                return MemoryId(text), True
            self._problem("id", f"{text or 'a list or mapping'!r} cannot be an id; the path stands in for it")
        return derived_memory_id(self._path), False

    def _type(self) -> MemoryType:
        value = self._fields.get("type")
        by_place = type_of(self._path)
        if value is None:
            return by_place or DEFAULT_TYPE
        try:
            return MemoryType(str(value).strip().casefold())
        except ValueError:
            fallback = by_place or DEFAULT_TYPE
            self._problem("type", f"{_shown(value)} is none of {', '.join(MemoryType)}; read as {fallback}")
            return fallback

    def _title(self) -> str:
        text = as_text(self._fields.get("title"))
        if text is not None and text.strip():
            return text
        return derived_title(self._document.body) or self._path.rpartition("/")[2].rpartition(".")[0]

    def _status(self) -> Status:
        value = self._fields.get("status")
        if value is None:
            return Status.ACTIVE
        try:
            return Status(str(value).strip().casefold())
        except ValueError:
            self._problem("status", f"{_shown(value)} is none of {', '.join(Status)}; read as active")
            return Status.ACTIVE

    def _text(self, key: str) -> str | None:
        value = self._fields.get(key)
        text = as_text(value)
        if value is not None and text is None:
            self._problem(key, "a list or mapping stands where text belongs")
        return text if text and text.strip() else None

    def _share(self, key: str, default: float) -> float:
        value = self._fields.get(key)
        if value is None:
            return default
        try:
            number = (
                float(value) if isinstance(value, int | float | str) and not isinstance(value, bool) else -1.0
            )
        except ValueError:
            number = -1.0
        if 0.0 <= number <= 1.0:
            return number
        self._problem(key, f"{_shown(value)} is not a number from 0 to 1; read as {default}")
        return default

    def _strings(self, key: str) -> tuple[str, ...]:
        value = self._fields.get(key)
        if value is None:
            return ()
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        if isinstance(value, list):
            texts = [as_text(item) for item in value]
            if None in texts:
                self._problem(key, "an item is a list or mapping and is left out")
            return tuple(dict.fromkeys(text.strip() for text in texts if text and text.strip()))
        text = as_text(value)
        if text is None:
            self._problem(key, "a mapping stands where a list belongs")
        return (text,) if text else ()

    def _anchors(self) -> tuple[str, ...]:
        texts = anchor_texts(self._fields)
        for name in ANCHOR_FIELDS:
            value = self._fields.get(name)
            items = value if isinstance(value, list) else [value]
            if not all(item is None or isinstance(item, str) for item in items):
                self._problem(name, "an entry is no text and is left out")
        for text in texts:
            try:
                parse_anchor(text)
            except BadInput as error:
                name = "anchor" if "anchors" not in self._fields else "anchors"
                self._problem(name, error.message.removeprefix("anchor: "))
        return tuple(texts)

    def _superseded(self) -> tuple[str, ...]:
        names = [name_of_other(item) for item in entries_in(self._fields.get("supersedes"))]
        if None in names:
            self._problem("supersedes", "an item names no memory and is left out")
        return tuple(dict.fromkeys(name for name in names if name))

    def _related(self) -> tuple[Relation, ...]:
        relations, is_whole = relations_in(self._fields.get("related"))
        if not is_whole:
            self._problem("related", "an entry names no memory in `to`")
        return relations


def derived_title(body: str) -> str:
    """The title of a text that has none: its first heading or line, at most 80 characters."""
    for line in body.removeprefix(BYTE_ORDER_MARK).splitlines():
        text = "" if is_frame(line) else " ".join(line.lstrip("#>*-+ \t").split())
        if not any(character.isalnum() for character in text):
            continue
        if len(text) <= TITLE_CHARACTERS:
            return text
        cut = text[: TITLE_CHARACTERS - 1]
        return (cut.rsplit(" ", 1)[0] if " " in cut[TITLE_CHARACTERS // 2 :] else cut).rstrip(" ,;:-") + "…"
    return ""


def _shown(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:39] + "…"
