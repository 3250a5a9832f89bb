"""Values of a header that is not plain, built from the events of a YAML parser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import yaml
from msgspec import Struct

from gitmem.model.memory import Json
from gitmem.model.yaml_reading import MAX_DEPTH, MAX_NODES, Entry, HeaderError, resolved

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_events(header: str) -> list[Entry] | None:
    """The top-level fields of `header`; None if it is YAML but not a mapping. Raises `HeaderError`."""
    try:
        return _Builder(yaml.parse(header, Loader=_LOADER)).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise HeaderError(error.problem or "not valid YAML", mark.line + 1 if mark else 0) from error
    except yaml.YAMLError as error:
        raise HeaderError(str(error).splitlines()[0], _line_of(error, header)) from error
    except (ValueError, RecursionError) as error:
        raise HeaderError("not valid YAML") from error


def _line_of(error: yaml.YAMLError, header: str) -> int:
    """The line of a character that YAML does not allow; 0 where the error is another."""
    character = getattr(error, "character", None)
    place = header.find(chr(character)) if isinstance(character, int) else -1
    return header.count("\n", 0, place) + 1 if place >= 0 else 0


class _Built(Struct):
    value: Json
    size: int
    end: tuple[int, int]
    block_scalar: bool = False
    style: str = "plain"
    items: tuple[tuple[int, int, int, int], ...] = ()


class _Builder:
    """Builds values from parser events without recursion into foreign code."""

    def __init__(self, events: Iterator[Any]) -> None:
        self._events = events
        self._anchors: dict[str, _Built | None] = {}
        self._nodes = 0

    def document(self) -> list[Entry] | None:
        """The whole header: nothing, or exactly one mapping."""
        next(self._events)
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            return []
        event = next(self._events)
        if not isinstance(event, yaml.MappingStartEvent):
            self._drain()
            return None
        entries = self._top_level()
        next(self._events)
        following = next(self._events)
        if not isinstance(following, yaml.StreamEndEvent):
            raise HeaderError("a second document begins inside the header")
        return entries

    def _drain(self) -> None:
        for _ in self._events:
            pass

    def _top_level(self) -> list[Entry]:
        entries: list[Entry] = []
        seen: set[str] = set()
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event, seen)
            built = self._node(next(self._events), depth=1)
            end_line = built.end[0] if built.block_scalar and built.end[1] == 0 else built.end[0] + 1
            line = event.start_mark.line
            entries.append(
                Entry(key, built.value, line, max(end_line, line + 1), built.style, built.items, built.end)
            )
        return entries

    def _key(self, event: Any, seen: set[str]) -> str:
        line = event.start_mark.line + 1
        self._count(1, event)
        if not isinstance(event, yaml.ScalarEvent):
            raise HeaderError("a field name must be plain text", line)
        key = str(event.value)
        if key in seen:
            raise HeaderError(f"the field {key!r} stands there twice", line)
        seen.add(key)
        return key

    def _count(self, size: int, event: Any) -> None:
        self._nodes += size
        if self._nodes > MAX_NODES:
            raise HeaderError(f"the header holds more than {MAX_NODES} values", event.start_mark.line + 1)

    def _node(self, event: Any, depth: int) -> _Built:
        if depth > MAX_DEPTH:
            raise HeaderError(
                f"the header is nested deeper than {MAX_DEPTH} levels", event.start_mark.line + 1
            )
        if isinstance(event, yaml.AliasEvent):
            return self._alias(event)
        if event.anchor:
            self._anchors[event.anchor] = None
        self._count(1, event)
        if isinstance(event, yaml.ScalarEvent):
            built = self._scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            built = self._sequence(event, depth)
        else:
            built = self._mapping(event, depth)
        if event.anchor:
            self._anchors[event.anchor] = built
        return built

    def _alias(self, event: Any) -> _Built:
        built = self._anchors.get(event.anchor)
        if built is None:
            raise HeaderError(
                f"the alias *{event.anchor} has nothing to stand for", event.start_mark.line + 1
            )
        self._count(built.size, event)
        return _Built(built.value, built.size, _position(event.end_mark), style="plain")

    def _scalar(self, event: Any) -> _Built:
        text = str(event.value)
        value: Json = text
        if event.implicit[0] and not event.tag:
            value = resolved(text)
        return _Built(value, 1, _position(event.end_mark), block_scalar=event.style in ("|", ">"))

    def _sequence(self, event: Any, depth: int) -> _Built:
        values: list[Json] = []
        spans: list[tuple[int, int, int, int]] = []
        size, end, block_scalar = 1, _position(event.end_mark), False
        while not isinstance(item := next(self._events), yaml.SequenceEndEvent):
            built = self._node(item, depth + 1)
            values.append(built.value)
            size += built.size
            spans.append((*_position(item.start_mark), *built.end))
            end, block_scalar = built.end, built.block_scalar
        style = "flow" if event.flow_style else "block"
        if event.flow_style:
            end, block_scalar = _position(item.end_mark), False
        return _Built(values, size, end, block_scalar, style, tuple(spans))

    def _mapping(self, event: Any, depth: int) -> _Built:
        values: dict[str, Json] = {}
        size, end, block_scalar = 1, _position(event.end_mark), False
        seen: set[str] = set()
        while not isinstance(item := next(self._events), yaml.MappingEndEvent):
            key = self._key(item, seen)
            built = self._node(next(self._events), depth + 1)
            values[key] = built.value
            size += 1 + built.size
            end, block_scalar = built.end, built.block_scalar
        if event.flow_style:
            end, block_scalar = _position(item.end_mark), False
        is_set = event.tag == "tag:yaml.org,2002:set"
        value: Json = list(values) if is_set else values
        return _Built(value, size, end, block_scalar, "flow" if event.flow_style else "block")


def _position(mark: Any) -> tuple[int, int]:
    return (mark.line, mark.column)
