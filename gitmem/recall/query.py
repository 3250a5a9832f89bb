"""A query: what is looked for, what must be there and what must not, and the filter it speaks of."""

from __future__ import annotations

from datetime import datetime, tzinfo

from msgspec import Struct
from msgspec.structs import replace

from gitmem.index.analysis import is_unspaced, plain_words
from gitmem.index.cutting import words_in
from gitmem.index.folding import fold
from gitmem.index.period import Period
from gitmem.model.memory import MemoryType, Status
from gitmem.recall.during import period_of, resolved
from gitmem.recall.syntax import Item, Kind, parse
from gitmem.recall.when import is_time
from gitmem.recall.where import Where

_OPPOSITE = {"since": "before", "before": "since", "until": "after", "after": "until"}
_CHOICES = {"type": tuple(MemoryType), "status": tuple(Status)}


class Query(Struct, frozen=True):
    """What a text asks for. In one that is not read by the query syntax, all of it are `words`.

    `words` is the text that memories are ranked by. They must have each of `phrases`, and none of
    what `without` names. `notes` say what was not understood as it may have been meant.
    """

    text: str
    words: str
    phrases: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    without: tuple[Item, ...] = ()
    notes: tuple[str, ...] = ()
    has_filters: bool = False

    @classmethod
    def plain(cls, text: str) -> Query:
        """Nothing in `text` is an operator."""
        return cls(text, text)

    @property
    def only_filters(self) -> bool:
        """Whether it names memories without saying a word to look for."""
        if not (self.has_filters or self.without) or self.phrases or self.prefixes:
            return False
        return not plain_words(self.words)


def understood(text: str, where: Where, now: datetime, zone: tzinfo | None) -> tuple[Query, Where]:
    """`text` read by the query syntax, and `where` together with the filters in it.

    A filter whose value cannot be used is looked for as text, and a note says so.
    """
    reader = _Reader(now, zone)
    for item in parse(text):
        reader.take(item)
    where = resolved(where, now, zone)
    period = reader.period if where.during is None else where.during.both(reader.period or Period())
    filtered = replace(
        where, also=(*where.also, *reader.also), without=(*where.without, *reader.without), during=period
    )
    query = Query(
        text=text,
        words=" ".join(reader.words),
        phrases=tuple(dict.fromkeys(reader.phrases)),
        prefixes=tuple(dict.fromkeys(reader.prefixes)),
        without=tuple(reader.items_without),
        notes=tuple(dict.fromkeys(reader.notes)),
        has_filters=bool(reader.also or reader.without or reader.period),
    )
    return query, filtered


class _Reader:
    """Sorts the items of one query."""

    def __init__(self, now: datetime, zone: tzinfo | None) -> None:
        self._now, self._zone = now, zone
        self.words: list[str] = []
        self.phrases: list[str] = []
        self.prefixes: list[str] = []
        self.items_without: list[Item] = []
        self.also: list[tuple[str, str]] = []
        self.without: list[tuple[str, str]] = []
        self.period: Period | None = None
        self.notes: list[str] = []

    def take(self, item: Item) -> None:
        """Puts `item` where it belongs."""
        if item.kind == Kind.FILTER:
            self._filter(item)
        elif item.kind == Kind.WORD and not item.is_negated:
            self.words.append(item.text)
        elif not plain_words(item.text):
            self.notes.append(f"{item} holds no word to look for")
        elif item.is_negated:
            self.items_without.append(item)
        elif item.kind == Kind.PHRASE:
            self.words.append(item.text)
            self.phrases.append(item.text)
        elif is_unspaced(fold(item.text)):
            self.words.append(item.text)
        else:
            self._prefix(fold(item.text))

    def _prefix(self, text: str) -> None:
        """Of several words without a joiner, such as `1,000`, the last is the one that is begun."""
        *before, last = words_in(text)
        self.words += [text[word.start : word.end] for word in before]
        self.prefixes.append(text[last.start : last.end] if before else text[last.start :])

    def _filter(self, item: Item) -> None:
        name, value = item.name, item.text
        if name in _OPPOSITE:
            if not is_time(value):
                self._as_text(item, f"{value!r} names no time")
                return
            bound = _OPPOSITE[name] if item.is_negated else name
            period = period_of(bound, value, self._now, self._zone)
            self.period = period if self.period is None else self.period.both(period)
            return
        if name in _CHOICES and value.casefold() not in _CHOICES[name]:
            self._as_text(item, f"{value!r} is none of {', '.join(_CHOICES[name])}")
            return
        value = value.strip("/") or value if name == "in" else value
        (self.without if item.is_negated else self.also).append((name, value))

    def _as_text(self, item: Item, reason: str) -> None:
        self.words.append(f"{item.name} {item.text}")
        self.notes.append(f"{item} is looked for as text: {reason}")
