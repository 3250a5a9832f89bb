"""Recall with operators: what each one finds, keeps out, and says when it cannot be used."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.index.view import IndexView
from gitmem.recall.answer import SearchAnswer
from gitmem.recall.query import understood
from gitmem.recall.search import search
from gitmem.recall.where import Where
from tests.index.memory_source import note
from tests.recall.test_search import make_view
from tests.recall.test_syntax import ANY_QUERY

NOW = datetime(2026, 11, 30, 15, 20, tzinfo=UTC)
NOTES = {
    "build": note("build", "Task failed: the nightly build broke.", tags="[task, failed]", created="2026-11-25T10:00:00Z"),
    "deploy": note("deploy", "Task failed: the deploy timed out.", tags="[task]", created="2026-11-27T10:00:00Z", agent="bot"),
    "done": note("done", "Task done, the deployment of Harbor finished.", tags="[Task]", created="2026-11-25"),
    "rate": note("rate", "The rate-limit is 40 requests.\n\nAn e-mail followed.", tags="[domain words]", session="s-1"),
    "film": note("film", "Rating of the film: four stars. She bought tickets.", entities="[person:alice]", status="disputed"),
    "zh": note("zh", "用户对花生过敏,住在臺灣。", created="2026-11-24T23:30:00+08:00"),
    "soup": note("soup", "We eat 花 生 rarely; the rate of the limit matters.", caption="a red herring"),
}  # fmt: skip


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexView]:
    with make_view(tmp_path_factory.mktemp("query"), *NOTES.values()) as opened:
        yield opened


def ask(view: IndexView, text: str, where: Where | None = None, *, hours: int = 0) -> SearchAnswer:
    zone = timezone(timedelta(hours=hours))
    query, filtered = understood(text, where or Where(), NOW, zone)
    return search(view, query, filtered, 50, now=NOW, zone=zone)


def ids(view: IndexView, text: str, where: Where | None = None, *, hours: int = 0) -> list[str]:
    return sorted(hit.record.id for hit in ask(view, text, where, hours=hours).hits)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("failed build", ["build", "deploy"]),
        ('"task failed"', ["build", "deploy"]),
        ('"failed task"', []),
        ('"rate limit"', ["rate"]),
        ('"RATE, limit" task', ["rate"]),
        ('"an e-mail"', ["rate"]),
        ('"requests an"', ["rate"]),
        ('"red herring"', ["soup"]),
        ('"domain words"', ["rate"]),
        ('"花生過敏"', ["zh"]),
        ('"花生"', ["soup", "zh"]),
        ('"the nightly build" "task failed"', ["build"]),
        ("task -failed", ["done"]),
        ("task -fail", ["done"]),
        ('task -"nightly build"', ["deploy", "done"]),
        ("requests -email", []),
        ("requests -rate-limit", []),
        ("limit -rate-limit", ["soup"]),
        ("台湾 -花生", []),
        ("limit -花生", ["rate"]),
        ("task -deploy*", ["build"]),
        ("task -harbor*", ["build", "deploy"]),
        ("rat*", ["film", "rate", "soup"]),
        ("deployme*", ["done"]),
        ("bough*", ["film"]),
        ("rate-li*", ["rate"]),
        ("花生*", ["soup", "zh"]),
        ("tag:task", ["build", "deploy", "done"]),
        ("tag:task tag:failed", ["build"]),
        ('tag:"domain words"', ["rate"]),
        ("task -tag:FAILED", ["deploy", "done"]),
        ("-tag:task -status:disputed", ["rate", "soup", "zh"]),
        ("agent:Bot", ["deploy"]),
        ("session:s-1", ["rate"]),
        ("entity:person:alice", ["film"]),
        ("status:disputed", ["film"]),
        ("type:semantic status:disputed", ["film"]),
        ("type:episodic", []),
        ("in:notes film", ["film"]),
        ("-in:notes/ film", []),
        ("in:elsewhere film", []),
        ('failed since:"last wednesday" until:"last wednesday"', ["build"]),
        ("since:上周三 until:上周三", ["build", "done"]),
        ("since:昨天", []),
        ("after:2026-11-25", ["deploy"]),
        ("before:2026-11-25", ["zh"]),
        ("-since:2026-11-25", ["zh"]),
        ("since:2026-11 before:2026-11-27 -tag:failed", ["done", "zh"]),
        ("until:2026-11-25T10:00:00Z since:2026-11-25", ["build", "done"]),
        ("since:2026-11-26 until:2026-11-25", []),
        ("", []),
        ("*", []),
        ("-", []),
    ],
)
def test_operators(view: IndexView, text: str, expected: list[str]) -> None:
    """Words add up, phrases must be there, what has a dash must not, filters all hold."""
    assert ids(view, text) == expected


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("since:nonsense task", "since:nonsense is looked for as text: 'nonsense' names no time"),
        ("-type:fact task", "-type:fact is looked for as text: 'fact' is none of"),
        ('status:"not known" task', "status:\"not known\" is looked for as text: 'not known' is none of"),
        ('"?!" task', '"?!" holds no word to look for'),
        ("-tag:task tag:nosuch", "no memory has the tag 'nosuch'"),
        ("in:nowhere task", "no memory is in 'nowhere'"),
    ],
)
def test_what_cannot_be_used_is_said(view: IndexView, text: str, note: str) -> None:
    """A filter is never left out in silence."""
    assert any(found.startswith(note) for found in ask(view, text).notes)


def test_a_filter_with_a_bad_value_is_text(view: IndexView) -> None:
    """It takes nothing away: the words are looked for."""
    assert ids(view, "since:nonsense film") == ["film"]
    assert ids(view, "foo:bar film") == ["film"]


def test_options_and_query_must_both_hold(view: IndexView) -> None:
    """What the options say is narrowed by the query, and the other way round."""
    assert ids(view, "tag:task", Where(tags=("failed",))) == ["build"]
    assert ids(view, "since:2026-11-25", Where(until="last wednesday", tags=("task",))) == ["build", "done"]
    assert ids(view, "agent:bot", Where(agent="other")) == []


def test_a_day_is_that_of_the_person(view: IndexView) -> None:
    """A moment is compared by the clock on the person's wall; a date without offset is everybody's."""
    assert ids(view, "since:2026-11-24 until:2026-11-24", hours=0) == ["zh"]
    assert ids(view, "since:2026-11-25 until:2026-11-25", hours=9) == ["build", "done", "zh"]
    assert ids(view, "since:2026-11-25 until:2026-11-25", hours=-11) == ["done"]
    assert ids(view, "since:2026-11-24 until:2026-11-24", hours=-11) == ["build", "zh"]


def test_filters_alone_give_the_newest_first(view: IndexView) -> None:
    """Cut at the limit, with the number of all that pass."""
    query, where = understood("tag:task", Where(), NOW, UTC)
    answer = search(view, query, where, 2, now=NOW)
    assert [hit.record.id for hit in answer.hits] == ["deploy", "build"]
    assert answer.total == 3
    assert ids(view, "-tag:task", Where(fields=(("caption", "a red herring"),))) == ["soup"]
    assert ids(view, "rat*", Where(fields=(("caption", "a red herring"),))) == ["soup"]
    assert ask(view, "-tag:task", Where(fields=(("caption", "nothing"),))).total == 0


def test_a_phrase_of_common_words_is_found(view: IndexView) -> None:
    """Also where none of its words would be looked for."""
    assert ids(view, 'nothing "of the" zebra') == ["film", "soup"]


def test_beginnings_are_words_to_rank_by_and_to_mark(view: IndexView) -> None:
    """The reason names the words that were found, and they are among the terms to highlight."""
    answer = ask(view, "deployme*")
    assert answer.hits[0].reasons[0].text == "deploy for deployme* in text"
    assert "deploy" in answer.terms
    assert answer.hits[0].relevance > 0


def test_without_the_syntax_nothing_is_an_operator(view: IndexView) -> None:
    """The same text is words."""
    hits = search(view, "film -rating tag:nosuch", None, 50).hits
    assert {hit.record.id for hit in hits} == {"film", "rate", "soup"}


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=ANY_QUERY)
def test_any_text_is_answered(view: IndexView, text: str) -> None:
    """No text makes a recall with operators fail, and no hit is outside of what plain filters would give."""
    answer = ask(view, text)
    assert len(answer.hits) == answer.total


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    parts=st.lists(
        st.sampled_from(["task", "rate", '"task failed"', "-failed", "-花生", "tag:task", "rat*", "-rat*"])
    )
)
def test_what_must_be_there_is_there(view: IndexView, parts: list[str]) -> None:
    """More phrases, filters and words with a dash never let more through."""
    narrow = [part for part in parts if part[0] in '"-t' and part != "task"]
    for number in range(len(narrow)):
        fewer = set(ids(view, " ".join(["task rate", *narrow[: number + 1]])))
        assert fewer <= set(ids(view, " ".join(["task rate", *narrow[:number]])))
