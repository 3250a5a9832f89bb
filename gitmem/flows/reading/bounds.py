"""How many are asked for, and from where on."""

from __future__ import annotations

from gitmem.errors import BadInput


def refuse_negative(**given: int | None) -> None:
    """Raises `BadInput` for a number below 0, which would count from the other end."""
    for name, value in given.items():
        if value is not None and value < 0:
            raise BadInput(f"{name}: {value} is less than 0", field=name)
