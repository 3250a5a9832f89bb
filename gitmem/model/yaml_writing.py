"""Values written into front matter so that every YAML reader, 1.1 or 1.2, reads the same thing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping

from gitmem.model.memory import Json

_WORDS_THAT_ARE_VALUES = frozenset("y n yes no on off true false null nan inf".split())
_PLAIN = re.compile(r"[^\W\d_](?:[^\W]|[ ./+\-](?=\S)|:(?=[^\W]))*")
"""Begins with a letter; `:` only between word characters; no character that YAML gives a meaning."""
_DATE = re.compile(
    r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
    r"(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,6})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)?)?"
)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_UNPRINTABLE = re.compile('[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\\\\"]')
DATE_FIELDS = frozenset({"created", "valid_from", "valid_until", "confirmed_at"})


def is_date(text: str) -> bool:
    """Whether `text` is an ISO date or time that may stand unquoted in a date field."""
    return bool(_DATE.fullmatch(text))


def scalar_text(value: Json, *, key: str | None = None) -> str:
    """`value` on one line: plain where no reader could take it for something else, else quoted."""
    if isinstance(value, str):
        if key in DATE_FIELDS and is_date(value):
            return value
        return value if _is_plain(value) else _quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key_text(k)}: {scalar_text(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(scalar_text(v) for v in value) + "]"
    if isinstance(value, float) and not isinstance(value, bool):
        return _float_text(value)
    return json.dumps(value)


def field_lines(key: str, value: Json, *, newline: str = "\n", indent: str = "  ") -> str:
    """The lines of one field: a list takes one item a line, all else one line."""
    name = _key_text(key)
    if isinstance(value, list) and value:
        items = "".join(f"{indent}- {scalar_text(item)}{newline}" for item in value)
        return f"{name}:{newline}{items}"
    return f"{name}: {scalar_text(value, key=key)}{newline}"


def header_text(fields: Mapping[str, Json], *, newline: str = "\n") -> str:
    """A whole header between its fences."""
    lines = "".join(field_lines(key, value, newline=newline) for key, value in fields.items())
    return f"---{newline}{lines}---{newline}"


def _key_text(key: str) -> str:
    return key if _is_plain(key) or re.fullmatch(r"[A-Za-z]\w*", key) else _quoted(key)


def _float_text(value: float) -> str:
    text = repr(value)
    return text if "e" not in text and "n" not in text else _quoted(text)


def _is_plain(text: str) -> bool:
    """Whether `text` needs no quotes, in a line of its own and inside brackets."""
    if len(text) > 200 or not _PLAIN.fullmatch(text):
        return False
    return text.casefold() not in _WORDS_THAT_ARE_VALUES and "://" not in text


def _quoted(text: str) -> str:
    def escape(match: re.Match[str]) -> str:
        character = match.group()
        return _ESCAPES.get(character) or f"\\u{ord(character):04x}"

    return '"' + _UNPRINTABLE.sub(escape, text) + '"'
