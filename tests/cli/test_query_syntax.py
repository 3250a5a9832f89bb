"""Operators and words for times, given to the command."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.cli.test_commands import place
from tests.conftest import gitmem

__all__ = ["place"]


@pytest.fixture
def tasks(place: Path) -> Path:
    """Two failed tasks, one on the latest Wednesday before today, one a month earlier."""
    today = datetime.now(UTC)
    wednesday = today - timedelta(days=(today.weekday() - 2) % 7 or 7)
    for name, day in (("late", wednesday), ("early", wednesday - timedelta(days=28))):
        created = day.strftime("%Y-%m-%dT12:00:00Z")
        gitmem(place, "remember", "A task failed.", "--id", name, "--created", created, "--tag", "task")
    return place


def ids(place: Path, *arguments: str) -> list[str]:
    done = gitmem(place, "recall", *arguments, "--json")
    assert done.code == 0, done.err
    return [hit["id"] for hit in done.json["results"]]


def test_failed_tasks_last_wednesday(tasks: Path) -> None:
    """It is a filter, in the query or as options, and the answer says which days it means."""
    query = 'failed tasks since:"last wednesday" until:"last wednesday"'
    assert ids(tasks, "--query-syntax", query) == ["late"]
    assert ids(tasks, "failed tasks", "--since", "上周三", "--query-syntax") in (["late"], [])
    assert ids(tasks, "failed tasks", "--after", "2 months ago", "--before", "last wednesday") == ["early"]
    answer = gitmem(tasks, "recall", "--query-syntax", query, "--json").json
    assert answer["period"]["first"] == answer["period"]["last"]
    assert gitmem(tasks, "recall", "failed", "--json").json["period"] is None
    assert gitmem(tasks, "list", "--since", "last wednesday", "--json").json["total"] == 1


def test_operators_stand_behind_a_flag(tasks: Path) -> None:
    """Without it they are words; a query that begins with a dash goes behind `--`."""
    assert len(ids(tasks, "task -failed")) == 2
    assert ids(tasks, "--query-syntax", "task -failed") == []
    assert len(ids(tasks, "--query-syntax", "--", "-tag:other")) == 2
    assert len(ids(tasks, "--", "-tag:other", "--query-syntax")) == 2


def test_what_is_not_understood_is_said(tasks: Path) -> None:
    """In a query a note, in an option an error: an option that is left out would lie."""
    done = gitmem(tasks, "recall", "--query-syntax", "since:someday task")
    assert done.code == 0
    assert "since:someday is looked for as text" in done.err
    for option in ("--since", "--until", "--before", "--after"):
        done = gitmem(tasks, "recall", "task", option, "someday")
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert option in done.err
