"""The index of the past: whatever happened, it answers like a fresh index of the commit alone."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings

from gitmem.clock import FixedClock
from gitmem.flows.past import past_view
from gitmem.flows.work import SnapshotSource, Work
from gitmem.index.branch_index import BranchIndex
from gitmem.index.scope import scope_of
from gitmem.index.view import IndexView
from gitmem.model.ids import CommitId
from gitmem.recall.question import Question
from gitmem.recall.relevance import Relevance
from gitmem.recall.search import search
from gitmem.recall.stages import Asked
from gitmem.recall.where import Where
from tests.versions.histories import Story, stories

NOW = datetime(2026, 11, 29, tzinfo=UTC)
QUERIES = (
    "kestrel nest",
    "egg owl",
    "alpha-beta merlin",
    "Title two",
    "n3",
    '"kestrel egg" nest',
    "egg in February",
)
FILTERS = (Where(), Where(tags=("red",)), Where(since="2024-02-01"), Where(valid_at="2024-02"))


def state_of(view: IndexView) -> object:
    """Everything a view can say, as one value."""
    answers: list[object] = []
    for query in QUERIES:
        for where in FILTERS:
            answer = search(view, query, where, 4, now=NOW)
            answers.append((answer.total, answer.notes, answer.terms))
            for hit in answer.hits:
                reasons = [(reason.stage, reason.text, round(reason.factor, 9)) for reason in hit.reasons]
                answers.append((hit.record, hit.score, hit.relevance, reasons, hit.labels, hit.superseded_by))
    ids = [[record.path for record in view.by_id(f"n{number}")] for number in range(6)]
    return answers, list(view.records()), view.known_tags(), view.count, ids


def scores_of(view: IndexView, query: str) -> dict[str, float]:
    """What each memory that the words reach gets, before anything is rounded for people."""

    def ask(content: Any) -> dict[str, float]:
        asked = Asked(content, Question.parse(query), scope_of(content, Where()), NOW)
        scores = Relevance(asked).scores
        return {content.record(document).path: score for document, score in scores.items()}

    return view.read(ask)


def work_of(story: Story) -> Work:
    def notice(text: str) -> None:
        raise AssertionError(text)

    return Work(story.place, "main", clock=FixedClock(NOW), notice=notice)


def assert_like_fresh(work: Work, commit: CommitId, folder: Path) -> None:
    """The past at `commit` is what an index of that commit alone says."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    snapshot = work.place.snapshot(commit)
    fresh = BranchIndex(folder / "index" / "main", SnapshotSource(work.place))
    with fresh.view(commit) as expected, past_view(work, snapshot) as view:
        assert view is not None
        assert state_of(view) == state_of(expected)
        for query in QUERIES:
            assert scores_of(view, query) == pytest.approx(scores_of(expected, query), abs=2e-9)


REVERTED = [
    (("commit", [("write", 1, ("", "owl")), ("attach", 1, "merlin")]), 0),
    (("commit", [("attach", 1, "egg")]), 1),
    (("commit", [("write", 1, ("", "kestrel"))]), -5),
    (("commit", [("revert", 1, 1)]), 1),
    (("reset", 2), 1),
    (("amend", [("write", 3, ("tags: [red]\n", "owl"))]), 1),
]


@settings(
    max_examples=25,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(REVERTED)
@given(stories)
def test_the_past_answers_like_a_fresh_index_of_the_commit(
    person: None, tmp_path_factory: pytest.TempPathFactory, told: list[Any]
) -> None:
    """Merges, reverts, renames, moves, resets, amends, clocks that ran backwards: each leaves no trace."""
    folder = tmp_path_factory.mktemp("story")
    story = Story.begin(folder)
    for number, (event, pause) in enumerate(told):
        story.tell(event, pause)
        chain = story.chain()
        if chain and number % 3 == 2:
            assert_like_fresh(work_of(story), chain[number % len(chain)], folder / "fresh")
    for commit in story.chain()[-4:]:
        assert_like_fresh(work_of(story), commit, folder / "fresh")
