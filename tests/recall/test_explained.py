"""Every hit explains itself: its reasons, read in order, make its score, and no stage is silent."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.index.branch_index import BranchIndex
from gitmem.index.view import IndexView
from gitmem.recall.answer import Hit
from gitmem.recall.search import search
from tests.index.memory_source import MemorySource, note

NOW = datetime(2026, 11, 29, tzinfo=UTC)
WORDS = (
    *("harbor", "billing", "plan", "wedding", "Lisbon", "film", "Olga", "the", "first", "港口", "計画"),
    *('"harbor plan"', '"in Lisbon"', "m3", "m5", "m7", "s2", "May 2023", "Friday", "Billing plan"),
)


def explained(hit: Hit) -> float:
    """The score that the reasons of a hit make, read from the first to the last."""
    score = 0.0
    for reason in hit.reasons:
        score = reason.applied(score)
    return score


def notes() -> dict[str, str]:
    session = {
        f"s{n}": note(
            f"s{n}", text, session="1", created=f"2023-05-0{n}", speaker="Olga" if n % 2 else "Nils"
        )
        for n, text in enumerate(("Where was the wedding?", "in Lisbon", "lovely harbor plan", "a movie"), 1)
    }
    return {
        **session,
        "m1": note("m1", "the harbor plan of the billing team", created="2026-11-20", importance="0.9"),
        "m2": note("m2", "harbor harbor billing", confidence="0.2", related="[{to: m1, relation: supports}]"),
        "m3": note("m3", "the old harbor plan and the wedding", created="2023-05-08"),
        "m4": note("m4", "harbor moved", supersedes="[m3]"),
        "m5": note("m5", "billing plan, the second", supersedes="[m6]"),
        "m6": note("m6", "billing billing plan plan", supersedes="[m5]"),
        "m7": note("m7", "x", title="Billing plan", created="2026-11-27"),
        "m8": note("m8", "a plan for Lisbon", status="disputed"),
        "m9": note("m9", "a wedding in the harbor", valid_until="2026-01-01"),
        "m10": note("m10", "港口計画"),
    }  # fmt: skip


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexView]:
    source = MemorySource()
    files = {f"semantic/{name}.md": text for name, text in notes().items()}
    folder = tmp_path_factory.mktemp("explained") / "gitmem" / "index" / "main"
    with BranchIndex(folder, source).view(source.commit(files)) as opened:
        yield opened


@settings(deadline=None, max_examples=150)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))
def test_the_reasons_of_a_hit_make_its_score(view: IndexView, words: list[str]) -> None:
    """From 0, each reason multiplies by its factor and adds what it added."""
    for hit in search(view, " ".join(words), limit=20, now=NOW).hits:
        assert explained(hit) == pytest.approx(hit.score, abs=1e-3), hit


@pytest.mark.parametrize(
    ("query", "stages"),
    [
        ("harbor plan wedding", {"words", "neighbours", "session", "importance", "confidence", "recency"}),
        ("harbor billing plan", {"links"}),
        ("what did Olga say of the wedding", {"author"}),
        ("plan in May 2023", {"date"}),
        ('"harbor plan"', {"phrase"}),
        ("is m1 the harbor plan", {"id", "correction", "status"}),
        ("Billing plan", {"exact"}),
    ],
)
def test_every_stage_that_takes_part_is_named_with_its_number(
    view: IndexView, query: str, stages: set[str]
) -> None:
    """A reason that moved nothing has no place; one that did says by how much."""
    reasons = [reason for hit in search(view, query, limit=20, now=NOW).hits for reason in hit.reasons]
    assert stages <= {reason.stage for reason in reasons}
    silent = [reason for reason in reasons if reason.factor == 1 and not reason.added]
    assert {reason.stage for reason in silent} <= {"words"}, silent
