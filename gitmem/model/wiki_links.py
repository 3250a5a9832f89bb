"""`[[links]]` as Obsidian writes them, and the names that they and other headers call a memory by.

[[m7k2q9xw]]                   an id
[[Rate limit of the API]]      a title, an alias, or the name of a file
[[projects/rate-limit]]        a path, or the end of one; `.md` may stand behind
[[Rate limit#Numbers|shown]]   a place in it, and another text to show: neither is part of the name
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gitmem.model.code_spans import without_code
from gitmem.model.memory import Json, as_text

MENTIONS = "mentions"
"""The relation of a link that stands in the text; one in the header has the name of its field."""
MOST_LINKS = 1_000
"""So many links of one memory count; what has more is a list of everything."""
_WIKI = re.compile(
    r"(?<![!\[\\])\[\[(?![\s\[#^-])([^\[\]|#\n^]{1,200}?)(?:[#^|][^\[\]\n]*)?(?<!\s)\]\](?!\])"
)
_OWN_FIELDS = frozenset(("related", "supersedes", "title", "aliases", "alias", "entities", "tags"))
"""Header fields whose links are no text, or mean no other memory."""
_MOST_ALIASES = 50
_LONGEST_ALIAS = 200


class Mention(NamedTuple):
    """A link in the text or header of a memory: the name it gives, and the relation."""

    name: str
    relation: str = MENTIONS


def wiki_links(text: str) -> Iterator[tuple[str, int]]:
    """The names in `[[...]]` outside code, each with its place in `text`; embedded files are left out."""
    if "[[" in text:
        for found in _WIKI.finditer(without_code(text)):
            yield found.group(1).strip(), found.start()


def mentions_in(body: str, fields: Mapping[str, Json]) -> tuple[Mention, ...]:
    """The links of a memory, each once, in order: those of its text, then those of other header fields."""
    found = [Mention(name) for name, _ in wiki_links(body)]
    for field, value in fields.items():
        if field not in _OWN_FIELDS:
            for text in value if isinstance(value, list) else (value,):
                if isinstance(text, str) and "[[" in text:
                    found += [Mention(name, field) for name, _ in wiki_links(text)]
    return tuple(dict.fromkeys(found))[:MOST_LINKS]


def aliases_in(fields: Mapping[str, Json]) -> tuple[str, ...]:
    """Other names of what a memory is about: `aliases`, a list or one text with commas, or `alias`."""
    found: list[str] = []
    for field in ("aliases", "alias"):
        value = fields.get(field)
        if isinstance(value, str) and field == "aliases":
            value = list(value.split(","))
        for item in value if isinstance(value, list) else (value,):
            name = " ".join((as_text(item) or "").split())
            if name and len(name) <= _LONGEST_ALIAS:
                found.append(name)
    return tuple(dict.fromkeys(found))[:_MOST_ALIASES]
