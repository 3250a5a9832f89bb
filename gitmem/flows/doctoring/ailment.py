"""What doctor finds."""

from __future__ import annotations

from msgspec import Struct


class Ailment(Struct, frozen=True):
    """One thing that is not as it should be. `is_fixed` says that it is now; else `hint` says what to do."""

    code: str
    message: str
    is_fixed: bool = False
    hint: str | None = None
