"""What time it is, and where the person is: values that can be handed in and fixed."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from typing import Protocol

from msgspec import Struct


class Clock(Protocol):
    """Tells the time; everything that needs it takes a clock instead of asking the system."""

    @property
    def zone(self) -> tzinfo | None:
        """The time zone whose days the person means; None for that of the machine."""

    def now(self) -> datetime:
        """The present moment, aware, in UTC."""


class SystemClock:
    """The clock of the machine."""

    zone: tzinfo | None = None

    def now(self) -> datetime:
        return datetime.now(UTC)


class FixedClock(Struct, frozen=True):
    """A clock that stands still, for tests and replays."""

    moment: datetime
    zone: tzinfo | None = None

    def now(self) -> datetime:
        return self.moment


def wall_time(moment: datetime, zone: tzinfo | None) -> datetime:
    """What a clock on the wall in `zone` (None: of the machine) shows at `moment`, without an offset."""
    return moment.astimezone(zone).replace(tzinfo=None)


def from_wall_time(wall: datetime, zone: tzinfo | None) -> datetime:
    """The moment, in UTC, at which a clock on the wall in `zone` (None: of the machine) shows `wall`."""
    return (wall.astimezone() if zone is None else wall.replace(tzinfo=zone)).astimezone(UTC)


def iso_seconds(moment: datetime) -> str:
    """`moment` as `2026-11-29T15:30:12Z`: UTC, whole seconds."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
