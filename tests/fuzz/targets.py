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


TARGETS: dict[str, Callable[[bytes], None]] = {"header": header, "query": query, "config": config}
