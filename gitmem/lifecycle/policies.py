"""Policies: which memories go where when they are old. The first whose conditions all hold decides.

match       type, namespace, tag: any of those named
conditions  idle_days, age_days, ended_hours, strength_below, importance_below, superseded, expired: all given
action      archive    it moves to the archive branch
            summarise  the same, and one summary of its month stays; what is a summary is left alone
            propose    a proposal archives it, and a person decides
            cold       it stays where it is; briefs leave it out, recall says so
            keep       it stays; policies further down are not asked
"""

from __future__ import annotations

from enum import StrEnum
from fnmatch import fnmatchcase

from msgspec import Struct

from gitmem.lifecycle.life import Life
from gitmem.model.memory import MemoryType


class Action(StrEnum):
    """What a policy does with the memories that it is about."""

    ARCHIVE = "archive"
    SUMMARISE = "summarise"
    PROPOSE = "propose"
    COLD = "cold"
    KEEP = "keep"

    @property
    def moves(self) -> bool:
        """Whether it takes a memory off its branch, now or when a person agrees."""
        return self in (Action.ARCHIVE, Action.SUMMARISE, Action.PROPOSE)


class LifePolicy(Struct, frozen=True):
    """One policy. What is None, empty or False is no condition; where none is left, it is about nothing."""

    name: str
    action: Action
    types: tuple[MemoryType, ...] = ()
    namespaces: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    idle_days: float | None = None
    age_days: float | None = None
    ended_hours: float | None = None
    strength_below: float | None = None
    importance_below: float | None = None
    superseded: bool = False
    expired: bool = False

    def reasons(self, life: Life) -> list[str] | None:
        """Why the policy is about this memory, in words; None where it is not."""
        if not self._matches(life):
            return None
        found: list[str] = []
        for is_given, reason in (
            (self.superseded, _superseded(life)),
            (self.expired, "expired" if life.is_expired else None),
            (self.ended_hours is not None, _at_least_hours(life.ended_days, self.ended_hours)),
            (self.idle_days is not None, _at_least("idle for ", life.idle_days, self.idle_days)),
            (self.age_days is not None, _at_least("", life.age_days, self.age_days, " old")),
            (self.importance_below is not None, _below("importance", life.importance, self.importance_below)),
            (self.strength_below is not None, _below("strength", life.strength, self.strength_below)),
        ):
            if is_given and reason is None:
                return None
            found += [reason] if is_given and reason is not None else []
        return found or None

    def _matches(self, life: Life) -> bool:
        if self.action is Action.SUMMARISE and life.is_summary:
            return False
        if self.types and life.type not in self.types:
            return False
        if self.tags and not {tag.casefold() for tag in life.tags} & {tag.casefold() for tag in self.tags}:
            return False
        if not self.namespaces:
            return True
        parts = life.namespace.casefold().split("/")
        above = ["/".join(parts[: count + 1]) for count in range(len(parts))]
        return any(fnmatchcase(name, pattern.casefold()) for pattern in self.namespaces for name in above)


DEFAULT_POLICIES = (
    LifePolicy("working", Action.ARCHIVE, (MemoryType.WORKING,), ended_hours=1),
    LifePolicy("episodic", Action.ARCHIVE, (MemoryType.EPISODIC,), idle_days=30, importance_below=0.3),
    LifePolicy("semantic", Action.COLD, (MemoryType.SEMANTIC,), idle_days=180),
    LifePolicy("procedural", Action.ARCHIVE, (MemoryType.PROCEDURAL,), superseded=True),
)
"""Those of a store whose config has none."""


def _superseded(life: Life) -> str | None:
    if not life.is_superseded:
        return None
    return f"superseded by {life.superseded_by}" if life.superseded_by else "superseded"


def _at_least(words: str, days: float | None, least: float | None, behind: str = "") -> str | None:
    if days is None or least is None or days < least:
        return None
    return f"{words}{days_text(days)}{behind} ({least:g} or more)"


def _at_least_hours(days: float | None, least_hours: float | None) -> str | None:
    if days is None or least_hours is None or days * 24 < least_hours:
        return None
    return f"its session ended {days_text(days)} ago ({least_hours:g} h or more)"


def _below(name: str, value: float, bound: float | None) -> str | None:
    if bound is None or value >= bound:
        return None
    return f"{name} {value:.2g} (below {bound:g})"


def days_text(days: float) -> str:
    """So many days in words; hours where it is less than two days."""
    if days >= 2:
        return f"{int(days):,} days"
    hours = int(days * 24)
    return "1 hour" if hours == 1 else f"{hours} hours"
