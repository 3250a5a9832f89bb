"""What doctor finds."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ailment:
    """One thing that is not as it should be. `is_fixed` says that it is now; else `hint` says what to do."""

    code: str
    message: str
    is_fixed: bool = False
    hint: str | None = None
