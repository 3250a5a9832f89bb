"""What is left of a week of one agent: it knows what matters, once each, and nothing that it only repeated."""

from __future__ import annotations

import re
import unicodedata
from datetime import timedelta
from itertools import combinations
from typing import Any

import anyio
import pytest
from mcp import Client

from gitmem.clock import FixedClock
from gitmem.evolve.claims import Reading
from gitmem.evolve.duplicates import repeats, says_the_same
from gitmem.evolve.exact import same_text
from gitmem.flows.tending.tend import Tended
from gitmem.mcp.calls import Desk
from gitmem.mcp.server import make_server
from gitmem.model.injected import BRIEF_MARK, EXPLAINED
from gitmem.store import Store
from tests.conftest import assert_sound, git
from tests.week.play import Week, questions, script

LEAST_FOUND = 0.95
LEAST_AS_HITS = 0.85
"""Of the rest the model is given the closest, as such."""
MOST_NEAR = 0.02
TOP = 5
ALIKE, WORTH_READING = 0.85, 0.3
"""The shares of their threes of letters from which two texts are near-duplicates, and may be repetitions."""
DISPUTED = {
    "staging-port-dispute": ("staging-port", "staging-port-new"),
    "order-timeout-dispute": ("order-timeout", "order-timeout-new"),
}
"""Questions to which both versions are the answer."""


def after(week: Week, *, days: float = 0.1) -> Store:
    """The store so long after the last session, for the person whose it is."""
    return Store.open(week.folder, clock=FixedClock(week.ended + timedelta(days=days)))


def test_the_script_is_a_week_in_two_languages() -> None:
    sessions = script()["sessions"]
    assert len(sessions) == 30 and len({each["id"] for each in sessions}) == 30
    texts = [
        said["text"]
        for each in sessions
        for step in each["steps"]
        for said in step.values()
        if "text" in said
    ]
    chinese = [text for text in texts if re.search("[\u4e00-\u9fff]{4}", text)]
    assert len(texts) > 60 and len(texts) / 5 < len(chinese) < len(texts) / 2
    assert len(questions()) == 60


def test_what_matters_is_found(week: Week, capsys: pytest.CaptureFixture[str]) -> None:
    """Questions of somebody who never saw the memories: the answer is among the first five that a model reads."""
    server = make_server(Desk(week.folder, clock=FixedClock(week.ended + timedelta(hours=1))))

    async def ask() -> dict[str, dict[str, Any]]:
        async with Client(server) as client:
            answers = {
                key: (await client.call_tool("recall", {"query": text, "limit": TOP})).structured_content
                for key, text in questions().items()
            }
        return {key: answer for key, answer in answers.items() if isinstance(answer, dict)}

    answers = anyio.run(ask)
    assert answers.keys() == questions().keys()
    missed, sure = [], 0
    for key, answer in answers.items():
        wanted = {week.ids[each] for each in DISPUTED.get(key, (key,))}
        if not wanted <= {hit["id"] for hit in (answer["hits"] or answer["closest"])[:TOP]}:
            missed.append(key)
        sure += wanted <= {hit["id"] for hit in answer["hits"][:TOP]}
    found = 1 - len(missed) / len(answers)
    with capsys.disabled():
        print(
            f"\n{len(answers)} questions: {found:.1%} answered in the first {TOP},"
            f" {sure} of them as hits; missed: {', '.join(missed) or 'none'}"
        )
    assert found >= LEAST_FOUND, missed
    assert sure >= LEAST_AS_HITS * len(answers)


def test_what_is_said_again_is_known(week: Week) -> None:
    """The same words confirm the memory, a different sign at the end is no second memory."""
    for each in week.of("again"):
        outcome = each.about["outcome"]
        if outcome == "confirmed":
            assert each.answer["outcome"] == "confirmed", each
            assert each.answer["id"] == week.ids[each.key]
        else:
            assert each.is_error and each.answer["error"]["kind"] == "near_duplicate", each
            assert week.ids[each.key] in each.answer["error"]["message"]


def test_each_fact_is_there_once(week: Week) -> None:
    """By gitmem's own judgement, and by the words alone."""
    known = week.memories
    assert {memory.id for memory in known} == set(week.ids.values())
    readings = [Reading(memory, memory.body) for memory in known]
    exact = [
        (one.memory.title, other.memory.title)
        for one, other in combinations(readings, 2)
        if same_text(one.memory.body, one.memory.title, other.memory.body, other.memory.title)
    ]
    assert exact == []
    shares = {
        (one.memory.id, other.memory.id): _overlap(_shingles(one.memory.body), _shingles(other.memory.body))
        for one, other in combinations(readings, 2)
    }
    alike = [pair for pair, share in shares.items() if share >= ALIKE]
    assert len(alike) < MOST_NEAR * len(known), alike
    near = [
        (one.memory.title, other.memory.title)
        for one, other in combinations(readings, 2)
        if says_the_same(one, other)
        or (
            shares[one.memory.id, other.memory.id] >= WORTH_READING
            and (repeats(one, other) or repeats(other, one))
        )
    ]
    assert len(near) < MOST_NEAR * len(known), near
    assert [each for each in after(week).health().findings if each.code == "duplicates"] == []


def test_nothing_that_was_given_is_learned(week: Week) -> None:
    """What recall, context, brief and hooks said is refused; a memory in its own words is at most confirmed."""
    echoes = week.of("echo")
    assert {each.key for each in echoes} == {
        "session-start",
        "prompt-submit",
        "context",
        "brief",
        "answer",
        "snippet",
        "body",
    }
    for each in echoes:
        if each.key in ("snippet", "body"):
            assert each.is_error or each.answer.get("outcome") == "confirmed", each
        else:
            assert each.is_error and "was put before a model" in each.answer["error"]["message"], each
    for memory in week.memories:
        assert not any(mark in memory.body for mark in ("<memories", EXPLAINED, BRIEF_MARK)), memory.title


def test_disputes_are_told_and_listed(week: Week) -> None:
    """In English and in Chinese: as the second is written, in the list, in the brief, and where one of them is found."""
    pairs = [(week.ids[old], week.ids[new]) for old, new in DISPUTED.values()]
    for each, (old, new) in zip(week.of("contradicts"), pairs, strict=True):
        assert each.answer["id"] == new
        assert [(told["id"], told["outcome"]) for told in each.answer["contradicts"]] == [(old, "disputed")]
    both = {memory_id for pair in pairs for memory_id in pair}
    store = after(week)
    assert {each.id for each in store.conflicts().memories} == both
    assert {each.id for each in store.list(store.where(status="disputed")).records} == both
    _, _, open_disputes = store.brief().text.partition("## Disputed")
    assert all(memory_id in open_disputes for memory_id in both)


def test_main_is_free_of_notes(week: Week) -> None:
    """Notes stand on a branch of their own, in text and in history; those of ended sessions are kept there."""
    notes = [each.text for each in week.of("note")]
    assert len(notes) > 20
    assert {str(memory.type) for memory in week.memories} == {
        "semantic",
        "episodic",
        "procedural",
        "reflective",
    }
    history = git(week.folder, "log", "-p", "--format=%s", "main")
    assert not [note for note in notes if note in history]
    assert {each.ended is not None for each in after(week).sessions().sessions} <= {True}
    begun = {each.session for each in week.of("note")}
    assert begun <= week.ends.keys()
    kept = [note for end in week.ends.values() for note in end.kept]
    assert len(kept) == len(notes)


@pytest.mark.parametrize("days", [0.1, 60])
def test_the_plan_of_tend_is_sensible(week: Week, days: float) -> None:
    """Notes go to the archive when their time is over; of what matters nothing does, that week or two months on."""
    tended = after(week, days=days).tend(dry_run=True)
    plans = _plans(tended)
    assert len([each for each in plans.values() if each[0] == "archive"]) >= len(week.of("note"))
    facts = {week_id: plans[week_id] for week_id in week.ids.values() if week_id in plans}
    assert facts == {}, facts
    assert {reason.startswith("its session ended") for _, reason in plans.values()} == {True}


def test_the_plan_is_carried_out_and_taken_back(own_week: Week) -> None:
    store = after(own_week)
    listed = {record.id for record in store.list(limit=None).records}
    notes = store.on("working").list(limit=None).total
    done = store.tend()
    assert done.is_done and store.on("archive").list(limit=None).total == notes == len(own_week.of("note"))
    assert {record.id for record in store.list(limit=None).records} == listed
    store.undo(done.operation_id)
    assert store.on("working").list(limit=None).total == notes
    assert_sound(own_week.folder)


def test_every_step_can_be_taken_back(own_week: Week) -> None:
    """One after the other, the last first, until the store is as it was when the week began."""
    store = after(own_week)
    steps = _operations(own_week)
    assert {"remember", "confirm", "session-end"} <= {kind for _, kind in steps}
    assert len(steps) > 100
    for operation, kind in steps:
        assert store.undo(operation).operation == kind
    tree = git(own_week.folder, "rev-parse", "main^{tree}")
    assert tree == git(own_week.folder, "rev-parse", f"{own_week.began}^{{tree}}")
    assert store.on("working").list(limit=None).total == 0
    assert_sound(own_week.folder)


def _operations(week: Week) -> list[tuple[str, str]]:
    """All operations since the week began, with their kinds, the newest first."""
    form = "--format=%(trailers:key=Operation-Id,valueonly,separator=)|%(trailers:key=Operation,valueonly,separator=)"
    found: dict[str, str] = {}
    for branch in (f"{week.began}..main", "working"):
        for line in git(week.folder, "log", form, branch).split():
            operation, _, kind = line.partition("|")
            found.setdefault(operation, kind)
    # The sort is stable: what has one moment stays in the order of its branch.
    return sorted(found.items(), key=lambda each: each[0].partition("-")[0], reverse=True)


def _plans(tended: Tended) -> dict[str, tuple[str, str]]:
    return {step.life.id: (str(step.action), step.reason) for step in tended.plan.plan.steps}


def _shingles(text: str) -> frozenset[str]:
    """The three letters in a row of a text without blanks, signs and case: a measure of its own."""
    letters = "".join(each for each in unicodedata.normalize("NFKC", text).casefold() if each.isalnum())
    return frozenset(letters[at : at + 3] for at in range(len(letters) - 2))


def _overlap(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, len(one | other))
