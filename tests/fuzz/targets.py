"""What is fuzzed: each target takes any bytes, and raises only where a law of its reader is broken."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from gitmem.errors import StoreProblem
from gitmem.index.analysis import count_terms, query_words
from gitmem.model.ids import BlobId
from gitmem.model.reading import read_memory
from gitmem.recall.query import understood
from gitmem.recall.question import Question
from gitmem.recall.where import Where
from gitmem.review.examine import broken_wiki_links, findings_in_text
from gitmem.review.injection import find_injections
from gitmem.versions.check_settings import CheckSettings
from gitmem.versions.config import parse_config

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def header(data: bytes) -> None:
    """Any file is a memory: it has an id and a title, and the same bytes give the same memory."""
    memory = read_memory("notes/a.md", BlobId("0" * 40), data)
    assert memory.id and memory.title is not None
    assert memory == read_memory("notes/a.md", BlobId("0" * 40), data)


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
    "orders": orders,
}
