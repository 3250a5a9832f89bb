"""The stages of ranking: sessions, names, dates, links, bounded factors, related words."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.index.branch_index import BranchIndex
from gitmem.index.columns import SHARE_UNITS
from gitmem.index.view import IndexView
from gitmem.recall.answer import Hit
from gitmem.recall.dates import dates_in
from gitmem.recall.factors import confidence_factor, importance_factor, recency_factor
from gitmem.recall.search import search
from gitmem.recall.weights import SWING
from gitmem.recall.where import Where
from tests.index.memory_source import MemorySource, found, note


def make_view(folder: Path, **notes: str) -> IndexView:
    source = MemorySource()
    files = {f"semantic/{name}.md": text for name, text in notes.items()}
    return BranchIndex(folder / "gitmem" / "index" / "main", source).view(source.commit(files))


def stages_of(hit: Hit) -> set[str]:
    return {reason.stage for reason in hit.reasons}


def turns(*texts: str, session: str = "1", **fields: str) -> dict[str, str]:
    """The turns of one session, `D1-1` onwards, all created at the same time."""
    return {
        f"t{number}": note(f"D1-{number}", text, session=session, created="2024-05-08", **fields)
        for number, text in enumerate(texts, 1)
    }


def test_an_answer_is_found_by_the_question_before_it(tmp_path: Path) -> None:
    """The turn after a match comes before the turn two places on; each says that it was lent the words."""
    with make_view(
        tmp_path, **turns("Where was the wedding?", "In Lisbon.", "Lovely.", "x", "y", "z")
    ) as view:
        hits = search(view, "where was the wedding").hits
        assert [hit.record.id for hit in hits][:3] == ["D1-1", "D1-2", "D1-3"]
        assert "neighbours" in stages_of(hits[1])
        assert any("wedding" in reason.text for reason in hits[1].reasons)


def test_turns_of_one_time_are_in_natural_order(tmp_path: Path) -> None:
    """D1-10 follows D1-9, and is no neighbour of D1-1."""
    texts = ["wedding", *["x"] * 8, "y", "z"]
    with make_view(tmp_path, **turns(*texts)) as view:
        assert found(view, "wedding") == ["D1-1", "D1-2", "D1-3", "D1-4"]


def test_sessions_of_one_name_in_two_namespaces_are_two(tmp_path: Path) -> None:
    """A session number says nothing outside of its namespace."""
    source = MemorySource()
    files = {
        "semantic/one/a.md": note("a", "wedding", session="1"),
        "semantic/two/b.md": note("b", "cake", session="1"),
    }
    with BranchIndex(tmp_path / "gitmem" / "index" / "main", source).view(source.commit(files)) as view:
        assert found(view, "wedding") == ["a"]


def test_a_filter_also_holds_for_neighbours(tmp_path: Path) -> None:
    """What stands beside a match and does not pass the filter is no hit, and lends nothing."""
    notes = turns("wedding", "in Lisbon")
    notes["t2"] = note("D1-2", "in Lisbon", session="1", created="2024-05-08", tags="[place]")
    with make_view(tmp_path, **notes) as view:
        assert [hit.record.id for hit in search(view, "wedding", Where(tags=("place",))).hits] == []


def test_a_session_that_speaks_of_it_lifts_its_turns(tmp_path: Path) -> None:
    """Of two equal turns the one whose session has the other words of the question comes first."""
    first = turns("the harbor plan", *["x"] * 6, "pilots and cranes and the pilots", session="1")
    other = {"u1": note("E1-1", "the harbor plan", session="2", created="2024-05-08")}
    rest = {f"u{n}": note(f"E1-{n}", "x", session="2", created="2024-05-08") for n in range(2, 9)}
    with make_view(tmp_path, **other, **rest, **first) as view:
        order = found(view, "harbor plan for pilots and cranes")
        assert order.index("D1-1") < order.index("E1-1")
        hit = next(
            hit for hit in search(view, "harbor plan for pilots and cranes").hits if hit.record.id == "D1-1"
        )
        assert "session" in stages_of(hit)


def test_a_named_author_comes_first(tmp_path: Path) -> None:
    """The name itself is no word to look for where that author wrote much; two names lift nobody."""
    notes = {
        "a": note("a", "paint a lake", speaker="Olga"),
        "b": note("b", "Olga, paint the lake", speaker="Nils"),
    }
    with make_view(tmp_path, **notes) as view:
        first, second = search(view, "what lake did Olga paint").hits
        assert (first.record.id, second.record.id) == ("a", "b")
        assert "author" in stages_of(first)
        assert "author" not in stages_of(second)
        assert all(
            "author" not in stages_of(hit) for hit in search(view, "what did Olga and Nils paint").hits
        )
        assert found(view, "Olga") != []


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("plan in May 2023", "may"),
        ("plan of 2024", "later"),
        ("五月 plan 2023年", "may"),
        ("周一 plan", "may"),
    ],
)
def test_a_named_time_comes_first(tmp_path: Path, query: str, first: str) -> None:
    """Month, year or weekday; the reason says so."""
    notes = {
        "june": note("june", "plan", created="2023-06-09"),
        "may": note("may", "plan for it", created="2023-05-08"),
        "later": note("later", "plan for us", created="2024-06-09"),
    }
    with make_view(tmp_path, **notes) as view:
        assert found(view, query)[0] == first


@pytest.mark.parametrize("text", ["what may I do", "did they march", "room 2041b", "1.2023.4", "plan-2023"])
def test_words_that_only_look_like_dates_are_none(text: str) -> None:
    """`may` and `march` need a capital inside the text, a year must stand alone."""
    assert dates_in(text).is_empty


def test_related_memories_lift_each_other(tmp_path: Path) -> None:
    """In both directions, if both answer; what does not answer is not brought in."""
    notes = {
        "a": note("a", "harbor plan and more words of another kind"),
        "b": note("b", "harbor map and more words of another kind", related="[{to: c, type: see}]"),
        "c": note("c", "harbor harbor harbor"),
        "d": note("d", "nothing", related="[{to: c, type: see}]"),
    }
    with make_view(tmp_path, **notes) as view:
        hits = search(view, "harbor").hits
        assert [hit.record.id for hit in hits] == ["c", "b", "a"]
        assert "links" in stages_of(hits[1])


def test_a_kind_finds_its_members_in_a_question_only(tmp_path: Path) -> None:
    """`dessert` finds `tart`; one word, or a name with a capital, is looked up as it is."""
    notes = {"a": note("a", "we had a tart"), "b": note("b", "a long road")}
    with make_view(tmp_path, **notes, c=note("c", "dessert")) as view:
        hits = search(view, "which dessert was eaten").hits
        assert [hit.record.id for hit in hits] == ["c", "a"]
        assert hits[1].reasons[0].text == "tart for dessert in text"
        assert found(view, "dessert") == ["c"]
        assert found(view, "the Elm Street") == []


def test_irregular_forms_are_one_word(tmp_path: Path) -> None:
    """`bought` is found by `buy`, `children` by `child`, and the other way round."""
    with make_view(tmp_path, a=note("a", "she bought shoes for the child")) as view:
        for query in ("buy", "buying", "bought", "children"):
            assert found(view, query) == ["a"], query


@given(st.integers(0, SHARE_UNITS), st.floats(-1e6, 1e9, allow_nan=False))
def test_factors_are_bounded(units: int, age_days: float) -> None:
    """Importance, confidence and recency stay within a tenth, and grow as they should."""
    for factor in (importance_factor(units), confidence_factor(units), recency_factor(age_days)):
        assert 1 - SWING <= factor <= 1 + SWING
    assert recency_factor(age_days) >= recency_factor(age_days + 10)
    assert importance_factor(SHARE_UNITS // 2) == confidence_factor(SHARE_UNITS) == 1


def test_the_newer_of_equals_stands_higher_only_with_a_clock(tmp_path: Path) -> None:
    """Recency needs `now`; what has no date is taken as it is."""
    now = datetime(2024, 5, 8, tzinfo=UTC)
    fresh = (now - timedelta(days=1)).date().isoformat()
    notes = {"old": note("old", "plan", created="2019-01-01"), "new": note("new", "plan", created=fresh)}
    with make_view(tmp_path, **notes, none=note("none", "plan")) as view:
        assert [hit.record.id for hit in search(view, "plan", now=now).hits] == ["new", "none", "old"]
        assert all("recency" not in stages_of(hit) for hit in search(view, "plan").hits)


def test_relevance_is_a_share(tmp_path: Path) -> None:
    """From 0 to 1, higher for a memory that has more of the words."""
    with make_view(tmp_path, a=note("a", "harbor plan pilots"), b=note("b", "harbor")) as view:
        first, second = search(view, "harbor plan pilots").hits
        assert 1 >= first.relevance > second.relevance > 0


def test_reasons_show_words_as_typed(tmp_path: Path) -> None:
    """Never the stems that were looked for."""
    with make_view(tmp_path, **turns("Alice deployed it", "yes")) as view:
        texts = " ".join(
            reason.text for hit in search(view, "Alice's Deployments").hits for reason in hit.reasons
        )
        assert "Alice in text" in texts
        assert "Deployments" in texts
        assert "alic " not in texts
