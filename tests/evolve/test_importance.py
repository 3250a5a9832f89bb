"""Importance by rule: what the caller says counts; else a rule that can be named; else the default, unwritten."""

from __future__ import annotations

import pytest

from gitmem.errors import StoreProblem
from gitmem.evolve.importance import weigh
from gitmem.evolve.triggers import trigger_of
from gitmem.model.memory import MemoryType
from gitmem.versions.judging_settings import (
    ImportanceSettings,
    PhraseRule,
    TriggerSettings,
    parse_writing_settings,
)

SETTINGS = ImportanceSettings()


@pytest.mark.parametrize(
    ("text", "rule", "importance"),
    [
        ("Please remember: the gate closes at six", "asked", 1.0),
        ("The user said: remember this, the gate closes at six", "asked", 1.0),
        ("Don’t forget the form", "asked", 1.0),
        ("用户说记住这件事", "asked", 1.0),
        ("以后都用中文回复", "asked", 1.0),
        ("We decided to use Postgres", "decision", 0.8),
        ("团队决定改用 Postgres", "decision", 0.8),
        ("That was wrong, the port is 81", "correction", 0.8),
        ("端口其实是81", "correction", 0.8),
        ("The root cause was a full disk", "outcome", 0.8),
        ("磁盘满是根本原因", "outcome", 0.8),
        ("Alice likes tea", "default", 0.5),
        ("An undecided matter", "default", 0.5),
        ("The incidental music", "default", 0.5),
    ],
)
def test_a_rule_gives_importance_and_its_reason(text: str, rule: str, importance: float) -> None:
    weight = weigh(text, MemoryType.SEMANTIC, SETTINGS)
    assert (weight.rule, weight.importance) == (rule, importance)
    assert weight.found == "" or weight.found.replace("'", "’") in text.replace("'", "’")


def test_types_have_rules_where_no_phrase_is_found() -> None:
    assert weigh("We had lunch", MemoryType.EPISODIC, SETTINGS).reason == "conversation"
    assert weigh("Look twice", MemoryType.REFLECTIVE, SETTINGS).importance == 0.8


def test_what_the_caller_says_counts_and_own_rules_come_first() -> None:
    own = ImportanceSettings(rules=(PhraseRule("train", ("release train", "发布火车"), 0.9),))
    assert weigh("remember this", MemoryType.SEMANTIC, own, given=0.1).importance == 0.1
    assert (
        weigh("We decided on the release  train", MemoryType.SEMANTIC, own).reason
        == 'train: "release  train"'
    )
    assert weigh("赶上发布火车", MemoryType.SEMANTIC, own).importance == 0.9


def test_triggers_name_what_they_found() -> None:
    rules = TriggerSettings(every_turns=10)
    assert trigger_of("please remember this: tea", 3, rules) == 'asked: "please remember"'
    assert trigger_of("搞定，下一个", 3, rules) == 'state: "搞定"'
    assert trigger_of("go on", 20, rules) == "turns: 20"
    assert trigger_of("go on", 21, rules) is None
    assert trigger_of("remember this", 20, TriggerSettings(asked=False)) is None


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"importance": {"asked": 2}}, "importance.asked must be a number from 0 to 1"),
        ({"importance": {"weigh": "some"}}, 'importance.weigh must be one of "agents"'),
        ({"importance": {"rules": [{"name": "x", "phrases": []}]}}, "importance.rules 1 \\(x\\): phrases"),
        ({"importance": {"rules": [{"phrases": ["a"]}]}}, "name must be text"),
        ({"judging": {"near_duplicates": True}}, "judging.near_duplicates must be one of"),
        ({"triggers": {"every_turns": -1}}, "triggers.every_turns must be a whole number"),
        ({"judging": []}, "judging must be a table"),
    ],
)
def test_a_setting_that_is_wrong_is_named(table: dict[str, object], said: str) -> None:
    with pytest.raises(StoreProblem, match=said):
        parse_writing_settings(table, where="main:.gitmem/config.toml")
