"""The fields of the index, and what of a memory goes into each; nothing of Whoosh is loaded for it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from datetime import date
from functools import lru_cache

from gitmem.index.analysis import TermCounts, count_terms
from gitmem.index.columns import column_values
from gitmem.index.folding import fold
from gitmem.index.keys import key
from gitmem.index.names import names_in
from gitmem.index.record import Record
from gitmem.model.ids import id_key
from gitmem.model.memory import Json, Memory

FORMAT_NUMBER = 7
"""Raised when the fields or what is stored change, so that older indexes are built anew."""

SCORED_FIELDS = ("title", "text", "tags", "entities", "dates", "ids", "other")
WRITTEN_FIELDS = ("title", "text", "tags", "entities", "other")
"""Those that hold what is written in the memory: not its path, nor the day it was made."""
PATH, ID_KEY, KEYS, SUPERSEDES, RECORD, LENGTHS = "path", "id_key", "keys", "supersedes", "record", "lengths"
LINKS = "links"
NAMES = "names"
AUTHOR_FIELDS = ("agent", "speaker", "author")
"""Header fields that say who wrote or said it."""

# Header fields that have an index field of their own, or say nothing about the content.
_NOT_OTHER = frozenset(
    (
        *("id", "type", "title", "tags", "entities", "created"),
        *("importance", "confidence", "status", "supersedes", "attachments"),
    )
)
_MAX_OTHER_CHARACTERS = 1_200_000
_MAX_FIELD_DEPTH = 32


def encode_term(term: str) -> bytes:
    """The bytes of a term; paths and headers may hold lone surrogates."""
    return term.encode("utf-8", "surrogatepass")


def document_of(memory: Memory) -> dict[str, object]:
    """What Whoosh is given for `memory`, field by field."""
    record = Record.from_memory(memory)
    counts = scored_terms(memory)
    document: dict[str, object] = {name: value for name, value in counts.items() if value.words}
    document[PATH] = [memory.path]
    document[ID_KEY] = [id_key(memory.id)]
    document[KEYS] = sorted(record.keys().union(key("name", name) for name in names_of(memory)))
    if memory.supersedes:
        document[SUPERSEDES] = sorted({id_key(other) for other in memory.supersedes})
    links = {id_key(relation.to) for relation in memory.related}
    if links:
        document[LINKS] = sorted(links)
    document[NAMES] = sorted(set(names_in(memory)))
    document.update(column_values(memory))
    document[RECORD] = record.to_stored()
    document[LENGTHS] = tuple(counts[name].length for name in SCORED_FIELDS)
    return document


def names_of(memory: Memory) -> set[str]:
    """Who wrote or said it, in lower case: each whole name, and the first word of each."""
    values = [memory.agent, *(memory.fields.get(name) for name in AUTHOR_FIELDS)]
    names = [" ".join(fold(value).split()) for value in values if isinstance(value, str)]
    return {part for name in names if name for part in (name, name.split()[0])}


def scored_terms(memory: Memory) -> dict[str, TermCounts]:
    """The terms of each scored field of `memory`."""
    has_title = memory.fields.get("title") is not None or memory.body.lstrip().startswith("#")
    counts = {
        "title": count_terms(memory.title if has_title else ""),
        "text": count_terms(memory.body),
        "tags": count_terms("\n".join(memory.tags)),
        "entities": count_terms("\n".join(memory.entities)),
        "dates": count_terms(date_words(memory.created)),
        "other": count_terms(_other_text(memory)),
    }
    said = set().union(*(counts[name].words for name in ("title", "text", "dates")))
    return {**counts, "ids": _id_terms(memory, said)}


@lru_cache(maxsize=4096)
def date_words(created: str | None) -> str:
    """A date as people ask for it: `2023-05-08`, the month, the weekday, the day, the year."""
    match = re.match(r"(\d{4})-?(\d{2})-?(\d{2})", created or "")
    if match is None:
        return created or ""
    try:
        day = date(*map(int, match.groups()))
    except ValueError:
        return created or ""
    return f"{day.isoformat()} {day.strftime('%B %A')} {day.day}"


def _id_terms(memory: Memory, said: Set[str]) -> TermCounts:
    """The id and the path, each word once; words of the path that title, text or date say are not counted.

    File names are made of titles, and titles of first lines: they would make first words count twice.
    Of a name that ends in the id, only the words are taken: nobody looks for `alice-wants-reports`.
    """
    own = count_terms(memory.id)
    path = memory.path.removesuffix(".md")
    folder, _, name = path.rpartition("/")
    exact = folder if memory.has_own_id and id_key(name).endswith(f"-{id_key(memory.id)}") else path
    words = own.words.keys() | (count_terms(path).words.keys() - said)
    extras = own.extras.keys() | count_terms(exact).extras.keys()
    return TermCounts(Counter(dict.fromkeys(sorted(words), 1)), Counter(dict.fromkeys(sorted(extras), 1)))


def texts_of(memory: Memory) -> list[str]:
    """Everything that is written in `memory`, piece by piece; the path and the date are not among it."""
    return [memory.title, memory.body, *memory.tags, *memory.entities, *_other_texts(memory)]


def _other_text(memory: Memory) -> str:
    return "\n".join(_other_texts(memory))[:_MAX_OTHER_CHARACTERS]


def _other_texts(memory: Memory) -> list[str]:
    parts: list[str] = [memory.header_text, memory.attached_text]
    for name, value in memory.fields.items():
        if name not in _NOT_OTHER:
            parts.extend(_texts(value, _MAX_FIELD_DEPTH))
    return parts


def _texts(value: Json, depth: int) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, inner in value.items() if depth else ():
            yield str(name)
            yield from _texts(inner, depth - 1)
    elif isinstance(value, list):
        for inner in value if depth else ():
            yield from _texts(inner, depth - 1)
    elif value is not None and not isinstance(value, bool):
        yield str(value)
