"""Words of the command line made into values without pydantic, where that is as simple as it looks.

typer has pydantic make every value, which takes longer to load than most commands to run. Text, plain
numbers, paths and lists of texts are made here; whatever is odd goes typer's way, so that what is accepted,
and how it is refused, stays the same.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from gitmem.errors import BadInput

Read = Callable[[Any], Any]
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,14})")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,8})(?:\.[0-9]{1,6})?")


class NotPlain(Exception):
    """The value needs typer's own conversion."""


def read_plainly(parameters: list[Any]) -> list[Any]:
    """`parameters` of typer's, of which those that are simple make their values without pydantic now."""
    for parameter in parameters:
        descriptor = getattr(parameter, "type_descriptor", None)
        usual = getattr(parameter, "get_runtime_param", None)
        if descriptor is None or usual is None or "get_runtime_param" in vars(parameter):
            continue
        read = _reader(descriptor)
        if read is not None:
            # Where a parameter of typer's tells what makes its value; on this one object only.
            parameter.get_runtime_param = partial(PlainValue, read, usual)
    return parameters


class PlainValue:
    """What makes the value of one parameter: `read`, else what `usual` gives."""

    def __init__(self, read: Read, usual: Callable[[], Any]) -> None:
        self._read = read
        self._usual = usual

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """The value, as typer calls for it."""
        try:
            if value is None:
                return () if param.multiple or param.nargs == -1 else None
            if value == "" and self._read is read_path and param.param_type_name == "argument":
                # An unset variable of a script would name the folder where it runs.
                raise BadInput(f"{param.name.upper()}: the path is empty", field=param.name)
            return self._read(value)
        except NotPlain:
            return self._usual().coerce(value, param=param, ctx=ctx)


def _reader(descriptor: Any) -> Read | None:
    """How values of a typer parameter are read here; None where they are not."""
    info = descriptor.parameter_info
    if any(getattr(info, name, None) for name in ("parser", "click_type", "clamp")):
        return None
    bounds = (getattr(info, "min", None), getattr(info, "max", None))
    readers: dict[Any, Read] = {
        str: read_text,
        bool: read_flag,
        int: lambda value: read_number(value, int, _WHOLE, bounds),
        float: lambda value: read_number(value, float, _NUMBER, bounds),
        list[str]: read_texts,
    }
    is_any_path = info.file_okay and info.dir_okay and not (info.exists or info.resolve_path or info.writable)
    if descriptor.annotation is Path and is_any_path:
        return read_path
    return readers.get(descriptor.annotation)


def read_text(value: Any) -> str:
    if not isinstance(value, str) or not _is_unicode(value):
        raise NotPlain
    return value


def read_texts(value: Any) -> list[str]:
    if not isinstance(value, list | tuple):
        raise NotPlain
    return [read_text(each) for each in value]


def _is_unicode(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise NotPlain
    return value


def read_number(
    value: Any, kind: type[int] | type[float], spelling: re.Pattern[str], bounds: tuple[Any, Any]
) -> int | float:
    """A number that is written as numbers usually are, within the bounds."""
    if isinstance(value, str):
        if not spelling.fullmatch(value):
            raise NotPlain
        value = kind(value)
    lowest, highest = bounds
    if (
        type(value) is not kind
        or not (lowest is None or value >= lowest)
        or not (highest is None or value <= highest)
    ):
        raise NotPlain
    return value


def read_path(value: Any) -> Path:
    """A path, of something that may be read or is not there."""
    if not isinstance(value, str) or value == "-" or "\0" in value or not _is_unicode(value):
        raise NotPlain
    if os.path.lexists(value) and not os.access(value, os.R_OK):
        raise NotPlain
    return Path(value)
