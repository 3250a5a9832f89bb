"""What the policy of a store says about working memory: how long it lasts, how much of it, and its end.

[working]
ttl_minutes = 60             # how long notes stay after their session ended
idle_minutes = 1440          # a session that nobody ended counts as ended so long after its last note
max_tokens = 4000            # of one session; above that its oldest notes are folded into a summary
at_end = "keep"              # what becomes of a note that no rule names: keep, promote, archive, summary
promote_as = "episodic"      # the type that a promoted note gets where no rule says another

[[working.rules]]            # the first that a note fits decides
tags = ["decision"]          # it has one of these tags, and
min_importance = 0.8         # matters at least so much
then = "promote"
as = "semantic"
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from gitmem.errors import StoreProblem
from gitmem.model.memory import Memory, MemoryType

MOST_MINUTES = 10 * 366 * 24 * 60
MOST_TOKENS = 1_000_000
MOST_RULES = 100


class Fate(StrEnum):
    """What becomes of a note at the end of its session."""

    KEEP = "keep"
    """It stays on the working branch until its time is over."""
    PROMOTE = "promote"
    """It moves to main, as a memory of another type."""
    ARCHIVE = "archive"
    """It moves to the archive."""
    SUMMARY = "summary"
    """It moves to the archive, and what it says goes into one episode on main."""


class NoteRule(Struct, frozen=True):
    """What becomes of notes with one of `tags` (of any where there are none) that matter so much."""

    then: Fate
    becomes: MemoryType | None = None
    tags: frozenset[str] = frozenset()
    min_importance: float = 0.0

    def fits(self, note: Memory) -> bool:
        """Whether the note is one of those that this rule names."""
        has_tag = not self.tags or any(tag.casefold() in self.tags for tag in note.tags)
        return has_tag and note.importance >= self.min_importance


DEFAULT_RULES = (NoteRule(Fate.PROMOTE, MemoryType.SEMANTIC, min_importance=0.8),)
"""What somebody asked for or a task depends on (0.8 and more) outlives its session."""


class WorkingSettings(Struct, frozen=True):
    """The settings, each with its default."""

    ttl: timedelta = timedelta(hours=1)
    idle: timedelta = timedelta(days=1)
    max_tokens: int = 4_000
    at_end: Fate = Fate.KEEP
    promote_as: MemoryType = MemoryType.EPISODIC
    rules: tuple[NoteRule, ...] = field(default=DEFAULT_RULES)

    def fate_of(self, note: Memory) -> tuple[Fate, MemoryType]:
        """What becomes of `note` at the end of its session, and the type it gets if it is promoted."""
        for rule in self.rules:
            if rule.fits(note):
                return rule.then, rule.becomes or self.promote_as
        return self.at_end, self.promote_as


def parse_working_settings(values: Mapping[str, Any], *, where: str) -> WorkingSettings:
    """The table `working` of the config `values`. Raises `StoreProblem` naming the setting that is wrong."""
    table = values.get("working", {})
    if not isinstance(table, dict):
        raise StoreProblem(f"{where}: working must be a table")
    default = WorkingSettings()
    rules = table.get("rules")
    if rules is not None and (not isinstance(rules, list) or len(rules) > MOST_RULES):
        raise StoreProblem(f"{where}: working.rules must be a list of at most {MOST_RULES} tables")
    return WorkingSettings(
        ttl=_minutes(table, "ttl_minutes", default.ttl, where),
        idle=_minutes(table, "idle_minutes", default.idle, where),
        max_tokens=_whole(table, "max_tokens", default.max_tokens, MOST_TOKENS, where),
        at_end=_fate(table, "at_end", default.at_end, f"{where}: working.at_end"),
        promote_as=_type(table, "promote_as", f"{where}: working.promote_as") or default.promote_as,
        rules=DEFAULT_RULES
        if rules is None
        else tuple(_rule(rule, f"{where}: working.rules[{number}]") for number, rule in enumerate(rules)),
    )


def _rule(rule: object, where: str) -> NoteRule:
    if not isinstance(rule, dict):
        raise StoreProblem(f"{where} must be a table")
    tags = rule.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) for tag in tags):
        raise StoreProblem(f"{where}.tags must be a list of tags")
    least = rule.get("min_importance", 0.0)
    if isinstance(least, bool) or not isinstance(least, int | float) or not 0 <= least <= 1:
        raise StoreProblem(f"{where}.min_importance must be a number from 0 to 1, not {least!r}")
    if "then" not in rule:
        raise StoreProblem(f"{where}.then is missing; it is one of {_choices(Fate)}")
    return NoteRule(
        _fate(rule, "then", Fate.KEEP, f"{where}.then"),
        _type(rule, "as", f"{where}.as"),
        frozenset(tag.casefold() for tag in tags),
        float(least),
    )


def _minutes(table: Mapping[str, Any], key: str, default: timedelta, where: str) -> timedelta:
    return timedelta(minutes=_whole(table, key, int(default.total_seconds()) // 60, MOST_MINUTES, where))


def _whole(table: Mapping[str, Any], key: str, default: int, most: int, where: str) -> int:
    value = table.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise StoreProblem(f"{where}: working.{key} must be a whole number from 0 to {most:,}, not {value!r}")
    return value


def _fate(table: Mapping[str, Any], key: str, default: Fate, name: str) -> Fate:
    value = table.get(key, default)
    try:
        return Fate(value)
    except ValueError:
        raise StoreProblem(f"{name} must be one of {_choices(Fate)}, not {value!r}") from None


def _type(table: Mapping[str, Any], key: str, name: str) -> MemoryType | None:
    value = table.get(key)
    if value is None:
        return None
    if value not in LASTING_TYPES:
        raise StoreProblem(f"{name} must be one of {', '.join(LASTING_TYPES)}, not {value!r}")
    return MemoryType(value)


LASTING_TYPES = tuple(str(each) for each in MemoryType if each is not MemoryType.WORKING)
"""The types that a note can get on main."""


def _choices(kind: type[StrEnum]) -> str:
    return ", ".join(kind)
