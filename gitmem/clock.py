"""What time it is, as a value that can be handed in and fixed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time; everything that needs it takes a clock instead of asking the system."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class FixedClock:
    """A clock that stands still, for tests and replays."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment


def iso_seconds(moment: datetime) -> str:
    """`moment` as `2026-11-29T15:30:12Z`: UTC, whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
