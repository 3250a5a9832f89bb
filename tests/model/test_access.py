"""Lists of identities say who may do what in a partition."""

from __future__ import annotations

import pytest

from gitmem.model.access import Access, Act, is_pattern
from gitmem.model.identity import Identity, Kind

ALICE = Identity(Kind.PERSON, "alice")
BOT = Identity(Kind.AGENT, "bot")
AGENT_ALICE = Identity(Kind.AGENT, "alice")


@pytest.mark.parametrize(
    ("pattern", "named"),
    [
        ("*", {ALICE, BOT, AGENT_ALICE}),
        ("person:*", {ALICE}),
        ("agent:*", {BOT, AGENT_ALICE}),
        ("alice", {ALICE, AGENT_ALICE}),
        ("person:alice", {ALICE}),
        ("agent:alice", {AGENT_ALICE}),
        ("Alice", set()),
        ("person:ali", set()),
    ],
)
def test_a_pattern_names_identities(pattern: str, named: set[Identity]) -> None:
    access = Access({Act.READ: (pattern,)})
    assert {each for each in (ALICE, BOT, AGENT_ALICE) if access.allows(Act.READ, each)} == named


def test_an_act_that_is_left_out_is_everybodys_and_an_empty_list_is_nobodys() -> None:
    access = Access({Act.WRITE: ()})
    assert access.allows(Act.READ, BOT)
    assert not access.allows(Act.WRITE, ALICE)


def test_whoever_may_write_may_propose() -> None:
    access = Access({Act.WRITE: ("person:*",), Act.PROPOSE: ("bot",)})
    assert access.allows(Act.PROPOSE, ALICE)
    assert access.allows(Act.PROPOSE, BOT)
    assert not access.allows(Act.PROPOSE, AGENT_ALICE)


@pytest.mark.parametrize("text", ["", "person:", "robot:x", "bot*", "person:a*", " bot", "a\nb", "x" * 65])
def test_what_names_nobody_is_no_pattern(text: str) -> None:
    assert not is_pattern(text)
