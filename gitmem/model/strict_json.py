"""JSON from outside, read so that nothing in it is changed or dropped without a word."""

from __future__ import annotations

import json
import math
from typing import Any


def parse_json(text: str) -> Any:
    """The value of `text`.

    Raises `ValueError` where it is no JSON, a name stands twice in one object, a number is none or beyond
    what a float holds, or it is nested too deeply.
    """
    try:
        return json.loads(
            text, parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_without_doubles
        )
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a JSON value")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(f"{text[:40]} is too large a number")
    return number


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice[:40]!r} stands twice in one object")
    return found
