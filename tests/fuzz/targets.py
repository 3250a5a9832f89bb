"""What is fuzzed: each target takes any bytes, and raises only where a law of its reader is broken."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from gitmem.errors import BadInput, StoreProblem
from gitmem.flows.takein import items_of_line
from gitmem.flows.writing.batch import requests_from_jsonl
from gitmem.git.index_map import read_map
from gitmem.git.journal import read as read_journal
from gitmem.index.analysis import count_terms, query_words
from gitmem.index.stamp import read_stamp
from gitmem.index.sums import SumsDiffer, is_proved
from gitmem.model.change import Origin, trailers_of
from gitmem.model.ids import BlobId
from gitmem.model.reading import read_memory
from gitmem.model.said import said_in
from gitmem.model.usage import counts_of_events, counts_text, merged, parse_counts
from gitmem.model.usage_record import uses_in_record
from gitmem.recall.dates import dates_in
from gitmem.recall.query import understood
from gitmem.recall.question import Question
from gitmem.recall.when import relative_spans, span_named
from gitmem.recall.where import Where
from gitmem.review.examine import broken_wiki_links, findings_in_text
from gitmem.review.injection import find_injections
from gitmem.versions.check_settings import CheckSettings
from gitmem.versions.config import parse_config
from gitmem.versions.table import VersionTable
from gitmem.versions.table_files import UnusableTable

_IN_MEMORY = "/dev/shm"
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def header(data: bytes) -> None:
    """Any file is a memory: it has an id and a title, and the same bytes give the same memory."""
    memory = read_memory("notes/a.md", BlobId("0" * 40), data)
    assert memory.id and memory.title is not None
    assert memory == read_memory("notes/a.md", BlobId("0" * 40), data)
    said = said_in("notes/a.md", BlobId("0" * 40), data)
    assert said == (memory.type, memory.title, memory.body, memory.locked_by is not None)


def query(data: bytes) -> None:
    """Any text is a question, with operators and without."""
    text = data.decode("utf-8", "surrogateescape")
    Question.parse(text)
    query_words(text)
    count_terms(text)
    understood(text, Where(), NOW, UTC)


def config(data: bytes) -> None:
    """A config is read, or refused in one line."""
    try:
        parse_config(data, where="config")
    except StoreProblem as error:
        assert "\n" not in error.message, error.message


def batch(data: bytes) -> None:
    """The lines of a batch are requests, or refused in one line that names one of them."""
    text = data.decode("utf-8", "surrogateescape")
    try:
        requests_from_jsonl(text, name="batch", defaults=Origin(), progress=lambda _what, _done, _all: None)
    except BadInput as error:
        assert "\n" not in error.message, error.message


def line(data: bytes) -> None:
    """A line of an export is files below the store, or refused in one line; no path of one leads elsewhere."""
    try:
        for item in items_of_line("file:1", data.decode("utf-8", "surrogateescape")):
            assert not {"..", ".git"} & set(item.path.casefold().split("/")), item.path
            assert not item.path.startswith("/"), item.path
    except BadInput as error:
        assert "\n" not in error.message, error.message


def trailers(data: bytes) -> None:
    """Any message has trailers, perhaps none; each stands on one line and in the message."""
    message = data.decode("utf-8", "surrogateescape")
    for name, values in trailers_of(message).items():
        assert name.strip() == name and "\n" not in name, name
        assert all("\n" not in value and value in message for value in values), values


def files(data: bytes) -> None:
    """Whatever stands in the files of the private folder, it is read as what it says, or as nothing."""
    with TemporaryDirectory(dir=_IN_MEMORY if Path(_IN_MEMORY).is_dir() else None) as name:
        file = Path(name) / "journal" / "0-1-2" / "entry.json"
        file.parent.mkdir(parents=True)
        for content in (data, b"%08x" % zlib.crc32(data) + data):
            file.write_bytes(content)
            read_map(file, bytes(20))
        file.write_bytes(data)
        read_journal(file.parent)
        for known in ("1.table", "1.recent", "stamp-1.json", "sums-1.json"):
            (Path(name) / known).write_bytes(data)
        read_stamp(Path(name), 1)
        with suppress(SumsDiffer):
            is_proved(Path(name), 1)
        with suppress(UnusableTable):
            VersionTable(Path(name) / "1.table").close()


def usage(data: bytes) -> None:
    """The counts of another clone are counts, whole numbers from 0 on, and add up the same in any order."""
    text = data.decode("utf-8", "replace")
    counts = parse_counts(text)
    assert all(uses.recalled >= 0 and uses.shown >= 0 for uses in counts.values())
    assert parse_counts(counts_text(counts)) == counts
    assert merged(counts, {}) == merged({}, counts) == counts
    counts_of_events(text)
    for known in (*counts, "a"):
        uses_in_record(data, known)


def dates(data: bytes) -> None:
    """A text names a time, or none; the words that are left are of the text."""
    text = data.decode("utf-8", "surrogateescape")
    for found in (span_named(text, NOW), *relative_spans(text, NOW)[0]):
        assert found is None or found.start <= found.end, found
    dates_in(text)


def orders(data: bytes) -> None:
    """Orders are looked for in any text: each has a place in it, and a message that can be printed."""
    text = data.decode("utf-8", "surrogateescape")
    assert all(0 <= match.start <= match.end <= len(text) for match in find_injections(text))
    settings = CheckSettings(max_bytes=1, hosts=())
    found = [
        *findings_in_text("a.md", text, settings),
        *broken_wiki_links("a.md", text, lambda _name: False),
    ]
    for finding in found:
        assert finding.message.encode() and "\n" not in finding.message
        assert 0 <= finding.line <= text.count("\n") + 1


TARGETS: dict[str, Callable[[bytes], None]] = {
    "header": header,
    "query": query,
    "config": config,
    "batch": batch,
    "line": line,
    "trailers": trailers,
    "files": files,
    "usage": usage,
    "dates": dates,
    "orders": orders,
}
