"""Checks of what a caller gives that reading and writing share."""

from __future__ import annotations

import re
from datetime import datetime

from gitmem.errors import BadInput
from gitmem.index.moments import is_year_or_month
from gitmem.model.memory import DEFAULT_TYPE, MemoryType
from gitmem.model.yaml_writing import is_date

_COMMIT = re.compile(r"[0-9a-fA-F]{4,40}")


def parse_type(text: str | None) -> MemoryType:
    """The memory type named `text`, the default where None. Raises `BadInput`."""
    if text is None:
        return DEFAULT_TYPE
    try:
        return MemoryType(text)
    except ValueError:
        raise BadInput(f"--type: {text!r} is none of {', '.join(MemoryType)}", field="type") from None


def refuse_lone_texts(**given: object) -> None:
    """Raises `BadInput` where a text stands for a list of texts: its letters would be taken for them."""
    for name, value in given.items():
        if isinstance(value, str | bytes):
            raise BadInput(
                f"{name}: a list of texts belongs here, not {value!r}", field=name, hint=f"write [{value!r}]"
            )


def check_date(name: str, value: str | None) -> None:
    """Raises `BadInput` naming the option where `value` is neither None nor an ISO date or time.

    What bounds the time in which a memory holds may be a year or a month too.
    """
    if value is None or (name in ("valid_from", "valid_until") and is_year_or_month(str(value))):
        return
    option = name.replace("_", "-")
    try:
        datetime.fromisoformat(value)
    except (ValueError, TypeError):
        raise BadInput(
            f"--{option}: {value!r} is not a date",
            field=name,
            hint="write 2026-11-29 or 2026-11-29T15:30:00Z",
        ) from None
    if not is_date(value):
        raise BadInput(
            f"--{option}: {value!r} is not a date",
            field=name,
            hint="write 2026-11-29 or 2026-11-29T15:30:00Z",
        )


def expected_commit(text: str) -> str:
    """The id of a commit that was read before, whole or its beginning. Raises `BadInput` for any other name.

    A branch or HEAD names what is newest now, whatever was read: it would agree to every change.
    """
    name = text.strip()
    if not _COMMIT.fullmatch(name):
        is_number = name.startswith("v") and name[1:].isdigit()
        raise BadInput(
            f"--expect: {text!r} is {'a number for people' if is_number else 'not the id of a commit'}",
            field="expect",
            hint="give the commit that 'gitmem show --json' prints as version",
        )
    return name
