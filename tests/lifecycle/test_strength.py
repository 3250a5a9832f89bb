"""Strength stays between 0 and 1, moves the way it should, and pins hold it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.lifecycle.strength import HALF_LIFE_DAYS, half_life_days, strength, weighed_uses
from gitmem.model.memory import MemoryType

TYPES = st.sampled_from(list(MemoryType))
SHARES = st.floats(0, 1)
COUNTS = st.floats(0, 1e9)
DAYS = st.floats(0, 1e6)
ANY = st.floats(allow_nan=False)


def of(kind: MemoryType, importance: float, idle: float, uses: float, confirmed: float) -> float:
    return strength(memory_type=kind, importance=importance, idle_days=idle, uses=uses, confirmed=confirmed)


@settings(deadline=None)
@given(TYPES, ANY, ANY, ANY, ANY)
def test_it_is_from_0_to_1_whatever_a_file_says(
    kind: MemoryType, importance: float, idle: float, uses: float, confirmed: float
) -> None:
    assert 0 <= of(kind, importance, idle, uses, confirmed) <= 1


@settings(deadline=None)
@given(TYPES, SHARES, DAYS, DAYS, COUNTS, COUNTS)
def test_it_never_grows_with_idle_days(
    kind: MemoryType, importance: float, one: float, other: float, uses: float, confirmed: float
) -> None:
    sooner, later = sorted((one, other))
    assert of(kind, importance, later, uses, confirmed) <= of(kind, importance, sooner, uses, confirmed)


@settings(deadline=None)
@given(TYPES, SHARES, SHARES, DAYS, COUNTS, COUNTS)
def test_it_never_falls_with_importance(
    kind: MemoryType, one: float, other: float, idle: float, uses: float, confirmed: float
) -> None:
    less, more = sorted((one, other))
    assert of(kind, less, idle, uses, confirmed) <= of(kind, more, idle, uses, confirmed) + 1e-12


@settings(deadline=None)
@given(TYPES, SHARES, DAYS, COUNTS, COUNTS, COUNTS)
def test_it_never_falls_with_use_or_confirmation(
    kind: MemoryType, importance: float, idle: float, one: float, other: float, third: float
) -> None:
    fewer, more = sorted((one, other))
    assert of(kind, importance, idle, fewer, third) <= of(kind, importance, idle, more, third) + 1e-12
    assert of(kind, importance, idle, third, fewer) <= of(kind, importance, idle, third, more) + 1e-12


@settings(deadline=None)
@given(TYPES, SHARES, DAYS, COUNTS, COUNTS)
def test_a_pinned_memory_never_decays(
    kind: MemoryType, importance: float, idle: float, uses: float, confirmed: float
) -> None:
    found = strength(
        memory_type=kind,
        importance=importance,
        idle_days=idle,
        uses=uses,
        confirmed=confirmed,
        is_pinned=True,
    )
    assert found == 1


@pytest.mark.parametrize("kind", MemoryType)
def test_after_its_half_life_half_is_left(kind: MemoryType) -> None:
    days = HALF_LIFE_DAYS[kind]
    assert half_life_days(kind, 0.5) == days
    assert of(kind, 0.5, 0, 0, 0) == 0.5
    assert math.isclose(of(kind, 0.5, days, 0, 0), 0.25)


def test_important_used_and_procedural_memories_resist() -> None:
    plain = of(MemoryType.EPISODIC, 0.5, 90, 0, 0) / of(MemoryType.EPISODIC, 0.5, 0, 0, 0)
    important = of(MemoryType.EPISODIC, 1.0, 90, 0, 0) / of(MemoryType.EPISODIC, 1.0, 0, 0, 0)
    used = of(MemoryType.EPISODIC, 0.5, 90, 20, 0) / of(MemoryType.EPISODIC, 0.5, 0, 20, 0)
    procedural = of(MemoryType.PROCEDURAL, 0.5, 90, 0, 0) / of(MemoryType.PROCEDURAL, 0.5, 0, 0, 0)
    assert plain < min(important, used, procedural)
    assert math.isclose(plain, 1 / 8)


def test_a_hit_counts_a_fifth_of_being_shown() -> None:
    assert weighed_uses(recalled=5, shown=2) == 3
