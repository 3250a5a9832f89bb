"""Policies: the first one decides, every condition must hold, and what is needed stays."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from gitmem.lifecycle.life import Life
from gitmem.lifecycle.plan import Holders, LifePlan, judge, plan
from gitmem.lifecycle.policies import DEFAULT_POLICIES, Action, LifePolicy
from gitmem.model.ids import BlobId, MemoryId
from gitmem.model.memory import MemoryType

OLD = LifePolicy("old", Action.ARCHIVE, idle_days=30)


def life(name: str = "one", **facts: Any) -> Life:
    base = Life(
        MemoryId(name), f"episodic/{name}.md", BlobId("0" * 40), name, MemoryType.EPISODIC, "main", 100.0
    )
    return replace(base, **facts)


def gone(found: LifePlan) -> set[str]:
    return {step.life.id for step in found.steps}


@pytest.mark.parametrize(
    ("facts", "action", "reason"),
    [
        (
            {"type": MemoryType.EPISODIC, "importance": 0.2},
            Action.ARCHIVE,
            "idle for 100 days (30 or more), importance 0.2 (below 0.3)",
        ),
        ({"type": MemoryType.EPISODIC, "importance": 0.3}, None, ""),
        ({"type": MemoryType.EPISODIC, "importance": 0.2, "idle_days": 29.9}, None, ""),
        (
            {"type": MemoryType.SEMANTIC, "idle_days": 180.0},
            Action.COLD,
            "idle for 180 days (180 or more)",
        ),
        (
            {"type": MemoryType.PROCEDURAL, "is_superseded": True, "superseded_by": "m2"},
            Action.ARCHIVE,
            "superseded by m2",
        ),
        ({"type": MemoryType.PROCEDURAL, "idle_days": 5000.0}, None, ""),
        (
            {"type": MemoryType.WORKING, "ended_days": 0.25},
            Action.ARCHIVE,
            "its session ended 6 hours ago (1 h or more)",
        ),
        ({"type": MemoryType.WORKING, "ended_days": 0.04}, None, ""),
        ({"type": MemoryType.WORKING, "ended_days": None}, None, ""),
        ({"type": MemoryType.REFLECTIVE, "idle_days": 5000.0}, None, ""),
    ],
)
def test_the_defaults_do_what_a_sensible_store_does(
    facts: dict[str, Any], action: Action | None, reason: str
) -> None:
    step = judge(life(**facts), DEFAULT_POLICIES)
    assert (step.action, step.reason) == (action, reason) if action and step else step is None


def test_the_first_policy_that_is_about_a_memory_decides() -> None:
    keep = LifePolicy("keep-audits", Action.KEEP, tags=("Audit",), age_days=0)
    assert judge(life(tags=("audit",), age_days=3.0), [keep, OLD]) is None
    step = judge(life(tags=("other",), age_days=3.0), [keep, OLD])
    assert step is not None and step.policy == "old"


def test_a_namespace_covers_what_is_below_it() -> None:
    policy = replace(OLD, namespaces=("projects/*",))
    assert judge(life(namespace="Projects/beta/notes"), [policy])
    assert not judge(life(namespace="projects"), [policy])
    assert not judge(life(namespace="people/alice"), [policy])


def test_expired_strength_and_age_are_conditions_too() -> None:
    policy = LifePolicy("p", Action.ARCHIVE, age_days=10, strength_below=0.2, expired=True)
    one = life(age_days=11.0, is_expired=True)
    step = judge(one, [policy])
    assert step is not None
    assert step.reason == "expired, 11 days old (10 or more), strength 0.05 (below 0.2)"
    assert judge(replace(one, is_expired=False), [policy]) is None
    assert judge(replace(one, age_days=None), [policy]) is None
    assert judge(replace(one, is_pinned=True), [policy]) is None


def test_pinned_and_edited_memories_stay_and_say_so() -> None:
    found = plan([life("a", is_pinned=True), life("b", in_the_way="it is edited")], [OLD])
    assert not found.steps
    assert [(kept.life.id, kept.why) for kept in found.kept] == [
        ("a", "it is pinned"),
        ("b", "it is edited"),
    ]


def test_what_a_memory_that_stays_depends_on_stays() -> None:
    holders = {"a": {"x": "x is related to it"}, "b": {"a": "a is related to it"}, "c": {"d": "d links it"}}
    found = plan([life(name) for name in "abcd"], [OLD], lambda _: holders)
    assert gone(found) == {"c", "d"}
    assert {kept.life.id: kept.why for kept in found.kept} == {
        "a": "x is related to it",
        "b": "a is related to it",
    }


def test_memories_that_need_each_other_go_together() -> None:
    holders = {"a": {"b": ""}, "b": {"a": ""}}
    assert gone(plan([life("a"), life("b")], [OLD], lambda _: holders)) == {"a", "b"}


def test_nobody_looks_who_needs_what_where_nothing_goes() -> None:
    def fail(_: object) -> Holders:
        raise AssertionError("asked")

    cold = LifePolicy("cold", Action.COLD, idle_days=1)
    assert gone(plan([life("a")], [cold], fail)) == {"a"}


NAMES = "abcdefgh"


@settings(deadline=None)
@given(
    st.sets(st.sampled_from(NAMES)),
    st.dictionaries(st.sampled_from(NAMES), st.dictionaries(st.sampled_from(NAMES), st.just(""))),
)
def test_nothing_that_stays_needs_anything_that_goes(
    old: set[str], holders: dict[str, dict[str, str]]
) -> None:
    """And no more stays than has to: each that is kept is needed by one that stays."""
    lives = [life(name, idle_days=100.0 if name in old else 0.0) for name in NAMES]
    leaving = gone(plan(lives, [OLD], lambda _: holders))
    staying = set(NAMES) - leaving
    assert leaving <= old
    for name in leaving:
        assert not (holders.get(name, {}).keys() & staying)
    for name in old - leaving:
        assert holders[name].keys() & staying
