"""JSON settings of somebody else: members are put in and taken out, all else stays byte for byte.

The text is scanned into nodes that know where they stand. Comments and trailing commas are read as blanks
are, and stay. A change is one splice:

    beside others     behind the last of them: `, ` and the new one on a line of its own
    into an empty {}  behind the bracket: one blank, and the new one
    into none         the container is made, as a member of the one above, on lines of its own

The blank tells an empty container that was there from one that was made, so that `taken_out` gives back
exactly what `put_in` was given.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

_BLANK = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_PLAIN = re.compile(r"[-+.\w]+")
_INDENT = re.compile(r"^[\[{][ \t]*\r?\n([ \t]+)[^\s]")
MOST_DEPTH = 200
MOST_CHARACTERS = 4_000_000
FILLED = " "
"""What stands between the bracket of a container that was empty and what was put into it."""


class NotJson(ValueError):
    """The text is no JSON that can be changed; the message says what is wrong, and where."""


class Node(Struct, frozen=True):
    """A value and where its text stands; `items` are the members of an object or the elements of an array.

    `key` is the name of a member, `start` where the item begins, with its name.
    """

    value_start: int
    end: int
    start: int
    value: Any
    key: str | None = None
    items: Sequence[Node] = field(default=())

    @property
    def is_container(self) -> bool:
        return isinstance(self.value, dict | list)

    def member(self, key: str) -> Node | None:
        """The member of this name. Raises `NotJson` where there are two: which one counts is not said."""
        found = [item for item in self.items if item.key == key]
        if len(found) > 1:
            raise NotJson(f"{key!r} stands there twice")
        return found[0] if found else None


def parsed(text: str) -> Node:
    """The text as nodes. Raises `NotJson`."""
    if len(text) > MOST_CHARACTERS:
        raise NotJson("it is too large for settings")
    scanner = _Scanner(text)
    at = scanner.after_blanks(1 if text.startswith("\ufeff") else 0)
    root = scanner.value(at, at, None, 0)
    if scanner.after_blanks(root.end) != len(text):
        raise scanner.wrong(scanner.after_blanks(root.end), "something stands behind the end")
    if not isinstance(root.value, dict):
        raise NotJson("it is not an object")
    return root


def put_in(text: str, path: Sequence[str], value: Any, *, key: str | None = None) -> str:
    """`text` with `value` put in: as the member `key` of the object at `path`, or last in the array there.

    What is missing of `path` is made. Raises `NotJson` where something else stands on the way.
    """
    node, missing = parsed(text), list(path)
    while missing and (below := node.member(missing[0])) is not None:
        last = len(missing) == 1
        wanted = list if last and key is None else dict
        if not isinstance(below.value, wanted):
            raise NotJson(f"{missing[0]!r} is not {'a list' if wanted is list else 'an object'}")
        node = below
        missing.pop(0)
    name = key
    if missing:
        value = [value] if key is None else {key: value}
        for part in reversed(missing[1:]):
            value = {part: value}
        name = missing[0]
    return _with_item(text, node, name, value, depth=len(path) - len(missing))


def _with_item(text: str, node: Node, name: str | None, value: Any, *, depth: int) -> str:
    end_of_line = "\r\n" if "\r\n" in text else "\n"
    unit = _indent_unit(text)
    spelled = json.dumps(value, indent=unit, ensure_ascii=False)
    if name is not None:
        spelled = f"{json.dumps(name, ensure_ascii=False)}: {spelled}"
    line = end_of_line + unit * (depth + 1)
    spelled = spelled.replace("\n", line)
    if node.items:
        at = node.items[-1].end
        return f"{text[:at]},{line}{spelled}{text[at:]}"
    at = node.value_start + 1
    return f"{text[:at]}{FILLED}{spelled}{text[at:]}"


def _indent_unit(text: str) -> str:
    found = _INDENT.match(text.lstrip("\ufeff \t\r\n"))
    return found[1] if found else "  "


Wanted = Callable[[Node], bool]


def taken_out(text: str, path: Sequence[str], is_ours: Wanted) -> str:
    """`text` without the items of the container at `path` for which `is_ours` holds.

    Containers that are empty then go too, but for those that were there before.
    """
    while (chain := _chain_to(parsed(text), path)) is not None:
        ours = next((item for item in chain[-1].items if is_ours(item)), None)
        if ours is None:
            break
        text = _without(text, chain, ours)
    return text


def _chain_to(root: Node, path: Sequence[str]) -> list[Node] | None:
    """The containers on the way to `path`, the root first; None where it ends before."""
    chain = [root]
    for part in path:
        below = chain[-1].member(part) if isinstance(chain[-1].value, dict) else None
        if below is None or not below.is_container:
            return None
        chain.append(below)
    return chain


def _without(text: str, chain: list[Node], item: Node) -> str:
    holder = chain[-1]
    between = text[holder.value_start + 1 : item.start]
    if len(holder.items) == 1 and len(chain) > 1 and between != FILLED:
        # It was made for this item.
        return _without(text, chain[:-1], holder)
    place = next(number for number, each in enumerate(holder.items) if each is item)
    if place > 0:
        return text[: holder.items[place - 1].end] + text[item.end :]
    if len(holder.items) > 1:
        return text[: item.start] + text[holder.items[1].start :]
    start = holder.value_start + 1 if between == FILLED else item.start
    return text[:start] + text[item.end :]


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text

    def after_blanks(self, at: int) -> int:
        found = _BLANK.match(self._text, at)
        assert found is not None, "it matches nothing too"
        return found.end()

    def wrong(self, at: int, what: str) -> NotJson:
        return NotJson(f"line {self._text.count(chr(10), 0, at) + 1}: {what}")

    def value(self, start: int, at: int, key: str | None, depth: int) -> Node:
        """The value that begins at `at`, of an item that begins at `start`."""
        if depth > MOST_DEPTH:
            raise self.wrong(at, "it is nested too deeply")
        opening = self._text[at : at + 1]
        if opening in ("{", "["):
            return self._container(start, at, key, depth, is_object=opening == "{")
        found = (_STRING if opening == '"' else _PLAIN).match(self._text, at)
        try:
            value = json.loads(found[0]) if found else None
        except ValueError:
            found = None
        if found is None:
            raise self.wrong(at, "no value of JSON stands there")
        return Node(at, found.end(), start, value, key)

    def _container(self, start: int, at: int, key: str | None, depth: int, *, is_object: bool) -> Node:
        items = list(self._items(at, depth, is_object=is_object))
        end = self.after_blanks(items[-1].end if items else at + 1)
        if items and self._text[end : end + 1] == ",":
            end = self.after_blanks(end + 1)
        closing = "}" if is_object else "]"
        if self._text[end : end + 1] != closing:
            raise self.wrong(end, f"a comma or {closing} is missing")
        value: Any = {item.key: item.value for item in items} if is_object else [item.value for item in items]
        return Node(at, end + 1, start, value, key, tuple(items))

    def _items(self, at: int, depth: int, *, is_object: bool) -> Iterator[Node]:
        at = self.after_blanks(at + 1)
        while self._text[at : at + 1] not in ("}", "]", ""):
            item = self._member(at, depth) if is_object else self.value(at, at, None, depth + 1)
            yield item
            comma = self.after_blanks(item.end)
            if self._text[comma : comma + 1] != ",":
                return
            at = self.after_blanks(comma + 1)

    def _member(self, at: int, depth: int) -> Node:
        name = self.value(at, at, None, depth + 1)
        colon = self.after_blanks(name.end)
        if not isinstance(name.value, str) or self._text[colon : colon + 1] != ":":
            raise self.wrong(at, "a name and a colon are missing")
        return self.value(at, self.after_blanks(colon + 1), name.value, depth + 1)


def value_at(text: str, path: Sequence[str]) -> Any:
    """The value at `path`; None where there is none."""
    value: Any = parsed(text).value
    for part in path:
        value = value.get(part) if isinstance(value, Mapping) else None
    return value
