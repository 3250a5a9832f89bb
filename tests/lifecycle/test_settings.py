"""`[[policies]]` in the config: what is wrong with one is said in a line that names the field."""

from __future__ import annotations

import pytest

from gitmem.errors import StoreProblem
from gitmem.lifecycle.policies import DEFAULT_POLICIES, Action, LifePolicy
from gitmem.model.memory import MemoryType
from gitmem.versions.config import parse_config

GOOD = 'action = "archive"\nidle_days = 3\n'


def parse(text: str) -> tuple[LifePolicy, ...]:
    return parse_config(text.encode(), where="config.toml").policies


def test_without_any_the_defaults_hold_and_an_empty_list_is_none() -> None:
    assert parse("") == DEFAULT_POLICIES
    assert parse("policies = []") == ()


def test_a_policy_of_the_store_takes_the_place_of_the_defaults() -> None:
    text = (
        '[[policies]]\nname = "chatter"\ntype = ["episodic", "working"]\nnamespace = "support/"\n'
        'tag = "log"\nidle_days = 7\nimportance_below = 0.4\nsuperseded = true\naction = "propose"\n'
        f"[[policies]]\n{GOOD}"
    )
    assert parse(text) == (
        LifePolicy(
            "chatter",
            Action.PROPOSE,
            (MemoryType.EPISODIC, MemoryType.WORKING),
            ("support",),
            ("log",),
            idle_days=7.0,
            importance_below=0.4,
            superseded=True,
        ),
        LifePolicy("policy 2", Action.ARCHIVE, idle_days=3.0),
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("policies = 3", "policies must be tables"),
        ("[[policies]]\n" + GOOD + "idle_day = 3", r"policies\[1\].idle_day: no such setting"),
        ("[[policies]]\nidle_days = 3", r"policies\[1\].action is missing"),
        ('[[policies]]\nidle_days = 3\naction = "delete"', r"policies\[1\].action is 'delete'"),
        ('[[policies]]\naction = "archive"', r"policies\[1\] has no condition"),
        ('[[policies]]\naction = "archive"\ntype = "semantic"', "has no condition"),
        ("[[policies]]\n" + GOOD + 'type = "semantics"', r"policies\[1\].type must be one of"),
        ("[[policies]]\n" + GOOD + "type = []", r"policies\[1\].type is an empty list"),
        ("[[policies]]\n" + GOOD + "tag = 3", r"policies\[1\].tag must be a text"),
        ('[[policies]]\naction = "archive"\nidle_days = "30"', r"policies\[1\].idle_days must be a number"),
        ('[[policies]]\naction = "archive"\nidle_days = -1', "idle_days must be a number from 0"),
        ('[[policies]]\naction = "archive"\nage_days = inf', "age_days must be a number from 0"),
        ('[[policies]]\naction = "archive"\nage_days = nan', "age_days must be a number from 0"),
        ('[[policies]]\naction = "archive"\nimportance_below = 3', "importance_below must be a number above"),
        ('[[policies]]\naction = "archive"\nsuperseded = false', "superseded must be true or left out"),
        (
            f'[[policies]]\nname = "a"\n{GOOD}[[policies]]\nname = "a"\n{GOOD}',
            r"\[2\].name: 'a' is there twice",
        ),
        ("[[policies]]\n" + GOOD + "[[policies]]\n" * 101, "more than 100 policies"),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str) -> None:
    with pytest.raises(StoreProblem, match=said) as raised:
        parse(text)
    assert raised.value.message.startswith("config.toml: ") and "\n" not in raised.value.message
