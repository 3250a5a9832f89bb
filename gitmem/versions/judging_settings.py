"""What the policy of a store says about what is written: how much it matters, and how it is judged.

[importance]
weigh = "agents"             # whose memories are weighed where they say nothing: agents, all, off
asked = 1.0                  # somebody asked for it to be remembered
task = 0.8                   # a decision, a correction, the outcome of a task, a lesson
conversation = 0.3           # what merely happened

[[importance.rules]]         # rules of the store's own, before gitmem's
name = "release"
phrases = ["release train", "发布火车"]
importance = 0.9

[judging]
near_duplicates = "all"      # whose near-duplicates are not written: all, agents, off
contradictions = "agents"    # whose writes mark what they contradict: agents, all, off; the others are told
supersede_from = 0.8         # from this confidence on a correction takes the place of what it corrects

[triggers]                   # when the hooks of a coding agent save its session, beside its end
asked = true                 # the prompt asks for something to be remembered
states = true                # the prompt says that a task is done, failed, or given up
every_turns = 0              # after so many prompts, which are counted then; 0 is never
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from msgspec import Struct, field

from gitmem.errors import StoreProblem

MOST_RULES = 100
MOST_PHRASES = 200
MOST_PHRASE_CHARACTERS = 200


class Whose(StrEnum):
    """Of whose writes a setting speaks."""

    AGENTS = "agents"
    ALL = "all"
    OFF = "off"

    def holds_for(self, *, is_person: bool) -> bool:
        """Whether it speaks of the writes of a person, or of an agent."""
        return self is Whose.ALL or (self is Whose.AGENTS and not is_person)


class PhraseRule(Struct, frozen=True):
    """A memory whose text or title has one of `phrases` has this importance, 0 to 1."""

    name: str
    phrases: tuple[str, ...]
    importance: float


class ImportanceSettings(Struct, frozen=True):
    """How much memories matter that say nothing of it. Each share is from 0 to 1."""

    weigh: Whose = Whose.AGENTS
    asked: float = 1.0
    task: float = 0.8
    conversation: float = 0.3
    rules: tuple[PhraseRule, ...] = ()


class JudgingSettings(Struct, frozen=True):
    """What becomes of what is known already, and of what contradicts it."""

    near_duplicates: Whose = Whose.ALL
    contradictions: Whose = Whose.AGENTS
    supersede_from: float = 0.8


class TriggerSettings(Struct, frozen=True):
    """When a session is saved besides its end; `every_turns` counts prompts, 0 is never."""

    asked: bool = True
    states: bool = True
    every_turns: int = 0


class WritingSettings(Struct, frozen=True):
    """The tables `importance`, `judging` and `triggers`."""

    importance: ImportanceSettings = field(default_factory=ImportanceSettings)
    judging: JudgingSettings = field(default_factory=JudgingSettings)
    triggers: TriggerSettings = field(default_factory=TriggerSettings)


def parse_writing_settings(values: Mapping[str, Any], *, where: str) -> WritingSettings:
    """The settings among the config `values`. Raises `StoreProblem` naming the setting that is wrong."""
    importance = _Table(values, "importance", where)
    judging = _Table(values, "judging", where)
    triggers = _Table(values, "triggers", where)
    return WritingSettings(
        ImportanceSettings(
            weigh=importance.whose("weigh", Whose.AGENTS),
            asked=importance.share("asked", 1.0),
            task=importance.share("task", 0.8),
            conversation=importance.share("conversation", 0.3),
            rules=_rules(importance),
        ),
        JudgingSettings(
            near_duplicates=judging.whose("near_duplicates", Whose.ALL),
            contradictions=judging.whose("contradictions", Whose.AGENTS),
            supersede_from=judging.share("supersede_from", 0.8),
        ),
        TriggerSettings(
            asked=triggers.flag("asked", default=True),
            states=triggers.flag("states", default=True),
            every_turns=triggers.count("every_turns", 0),
        ),
    )


class _Table:
    """One table of the config; each question names the setting in what it raises."""

    def __init__(self, values: Mapping[str, Any], name: str, where: str) -> None:
        table = values.get(name, {})
        if not isinstance(table, dict):
            raise StoreProblem(f"{where}: {name} must be a table")
        self.values = table
        self.where = f"{where}: {name}"

    def share(self, key: str, default: float) -> float:
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
            raise StoreProblem(f"{self.where}.{key} must be a number from 0 to 1, not {value!r}")
        return float(value)

    def whose(self, key: str, default: Whose) -> Whose:
        value = self.values.get(key, default)
        if value not in list(Whose):
            allowed = ", ".join(f'"{each}"' for each in Whose)
            raise StoreProblem(f"{self.where}.{key} must be one of {allowed}, not {value!r}")
        return Whose(value)

    def flag(self, key: str, *, default: bool) -> bool:
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            raise StoreProblem(f"{self.where}.{key} must be true or false, not {value!r}")
        return value

    def count(self, key: str, default: int) -> int:
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise StoreProblem(f"{self.where}.{key} must be a whole number from 0, not {value!r}")
        return value


def _rules(importance: _Table) -> tuple[PhraseRule, ...]:
    tables = importance.values.get("rules", [])
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        raise StoreProblem(f"{importance.where}.rules must be a list of tables")
    if len(tables) > MOST_RULES:
        raise StoreProblem(f"{importance.where}.rules has more than {MOST_RULES} rules")
    return tuple(_rule(each, f"{importance.where}.rules {number}") for number, each in enumerate(tables, 1))


def _rule(values: dict[str, Any], where: str) -> PhraseRule:
    name, phrases = values.get("name"), values.get("phrases")
    if not isinstance(name, str) or not name.strip() or not name.isprintable():
        raise StoreProblem(f"{where}: name must be text, not {name!r}")
    where = f"{where} ({name})"
    is_list = isinstance(phrases, list) and 0 < len(phrases) <= MOST_PHRASES
    if not is_list or not all(isinstance(each, str) and each.strip() for each in phrases or ()):
        raise StoreProblem(f"{where}: phrases must be a list of texts, at most {MOST_PHRASES}")
    long = [each for each in phrases or () if len(each) > MOST_PHRASE_CHARACTERS]
    if long:
        raise StoreProblem(f"{where}: a phrase has more than {MOST_PHRASE_CHARACTERS} characters")
    value = values.get("importance")
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise StoreProblem(f"{where}: importance must be a number from 0 to 1, not {value!r}")
    return PhraseRule(name.strip(), tuple(phrases or ()), float(value))
