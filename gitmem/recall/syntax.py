"""The query syntax: any text taken apart into words, phrases, prefixes and filters.

    query  = { blank | item }
    item   = [ "-" ] ( phrase | filter | prefix | word )
    phrase = QUOTE text UNQUOTE
    filter = NAME ":" ( phrase | value )
    prefix = value "*"

Every text is a query. What is none of the others is a word: `foo:bar`, `--dry-run`, `AND`, `*`,
`tag:` without a value. A quotation mark that is never closed is a blank. Nothing here knows what a
filter means; see `gitmem.recall.query`.
"""

from __future__ import annotations

import re
from enum import StrEnum

from msgspec import Struct

FILTER_NAMES = (
    *("tag", "type", "in", "entity", "agent", "session", "status"),
    *("since", "until", "before", "after"),
)
_QUOTES = {'"': '"', "“": "”", "„": "“”", "«": "»", "「": "」", "『": "』"}
"""What opens a phrase, and what closes it."""
_FILTER = re.compile(f"({'|'.join(FILTER_NAMES)})[:：]", re.IGNORECASE)
_RUN = re.compile(r"\S+")
_NEGATED = re.compile(r"[^\s-]")
_PREFIX = re.compile(r"(\S*\w\S*?)\*+")


class Kind(StrEnum):
    """What an item is."""

    WORD = "word"
    PHRASE = "phrase"
    PREFIX = "prefix"
    FILTER = "filter"


class Item(Struct, frozen=True):
    """One part of a query; `name` is that of a filter, `text` what is looked for, without marks."""

    kind: Kind
    text: str
    name: str = ""
    is_negated: bool = False

    def __str__(self) -> str:
        """As it is written in a query."""
        head = "-" if self.is_negated else ""
        if self.kind == Kind.FILTER:
            is_bare = _RUN.fullmatch(self.text) and self.text[0] not in _QUOTES
            return f"{head}{self.name}:{self.text if is_bare else _quoted(self.text)}"
        if self.kind == Kind.PHRASE:
            return head + _quoted(self.text)
        return head + self.text + ("*" if self.kind == Kind.PREFIX else "")


def parse(text: str) -> tuple[Item, ...]:
    """The items of `text`, in order; any text has some or none. The cost is linear."""
    found: list[Item] = []
    unclosed: set[str] = set()
    place = 0
    while place < len(text):
        item, place = _item(text, place, unclosed)
        if item is not None:
            found.append(item)
    return tuple(found)


def written(items: tuple[Item, ...]) -> str:
    """A query that has these items: `parse(written(parse(text))) == parse(text)`."""
    return " ".join(map(str, items))


def _item(text: str, place: int, unclosed: set[str]) -> tuple[Item | None, int]:
    """The item at `place`, or None for a blank, and the place behind it."""
    if text[place].isspace():
        return None, place + 1
    is_negated = text[place] == "-" and _NEGATED.match(text, place + 1) is not None
    start = place + 1 if is_negated else place
    quoted = _phrase(text, start, unclosed)
    if quoted is not None:
        words, end = quoted
        return (Item(Kind.PHRASE, words, is_negated=is_negated) if words else None), end
    if text[start] in _QUOTES:
        return (Item(Kind.WORD, "-") if is_negated else None), start + 1
    named = _FILTER.match(text, start)
    if named is not None:
        value, end = _value(text, named.end(), unclosed)
        if value:
            return Item(Kind.FILTER, value, named[1].lower(), is_negated), end
    return _word(text, start, is_negated=is_negated)


def _phrase(text: str, start: int, unclosed: set[str]) -> tuple[str, int] | None:
    """The words between the quotation mark at `start` and the one that closes it, and the place behind."""
    opening = text[start]
    if opening not in _QUOTES or opening in unclosed:
        return None
    ends = [end for mark in _QUOTES[opening] if (end := text.find(mark, start + 1)) >= 0]
    if not ends:
        unclosed.add(opening)
        return None
    return " ".join(text[start + 1 : min(ends)].split()), min(ends) + 1


def _value(text: str, start: int, unclosed: set[str]) -> tuple[str, int]:
    """The value of a filter that begins at `start`; empty where there is none."""
    if start < len(text):
        quoted = _phrase(text, start, unclosed)
        if quoted is not None:
            return quoted
    run = _RUN.match(text, start)
    return (run[0].lstrip("".join(_QUOTES)), run.end()) if run else ("", start)


def _word(text: str, start: int, *, is_negated: bool) -> tuple[Item, int]:
    match = _RUN.match(text, start)
    run = match[0] if match else text[start]
    prefix = _PREFIX.fullmatch(run)
    if prefix is not None:
        return Item(Kind.PREFIX, prefix[1], is_negated=is_negated), start + len(run)
    return Item(Kind.WORD, run, is_negated=is_negated), start + len(run)


def _quoted(text: str) -> str:
    """`text` between quotation marks none of whose closing ones it holds."""
    pairs = ((opening, closing) for opening, closings in _QUOTES.items() for closing in closings)
    for opening, closing in pairs:
        if not set(_QUOTES[opening]).intersection(text):
            return f"{opening}{text}{closing}"
    return f'"{text}"'
