"""Ranked search: what is found, in which order, and why."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gitmem.index.branch_index import BranchIndex
from gitmem.index.view import IndexView
from gitmem.recall.search import search
from gitmem.recall.where import Where
from tests.index.memory_source import MemorySource, found, note


def make_view(folder: Path, *notes: str) -> IndexView:
    source = MemorySource()
    files = {f"semantic/notes/{number:03}.md": text for number, text in enumerate(notes)}
    return BranchIndex(folder / "gitmem" / "index" / "main", source).view(source.commit(files))


CODE = (
    "Service stock-feed-eu uses task_pool, run with --dry-run -x; "
    "written in C# and F#; see pkg.mod.v2 and ADR-0007."
)
PLAIN = "C is a language. The stock market. Feed the cat in the EU."


@pytest.mark.parametrize(
    "query",
    [
        *("mem-0042", "MEM-0042", "stock-feed-eu", "stock-feed", "task_pool", "--dry-run", "-x", "C#"),
        *("pkg.mod.v2", "ADR-0007", "0042"),
    ],
)
def test_exact_words_find_their_memory_first(tmp_path: Path, query: str) -> None:
    """Ids, hyphens, flags and symbols mean what they say, whatever the case."""
    with make_view(tmp_path, note("mem-0420", PLAIN), note("mem-0042", CODE)) as view:
        assert found(view, query)[0] == "mem-0042"


@pytest.mark.parametrize(
    ("query", "first"),
    [
        *(("过敏", "zh"), ("花生", "zh"), ("杭州", "zh"), ("对花生 过敏", "zh")),
        *(("京都", "ja"), ("日本酒", "ja"), ("酒", "ja"), ("금요일", "ko")),
    ],
)
def test_scripts_without_blanks_are_searched(tmp_path: Path, query: str, first: str) -> None:
    """Words inside a run of Chinese, Japanese or Korean are found."""
    notes = {
        "zh": "用户对花生过敏，住在杭州市。",
        "ja": "私は京都で日本酒を買います。",
        "ko": "회의는매주금요일입니다",
    }
    with make_view(tmp_path, *(note(name, text) for name, text in notes.items())) as view:
        assert found(view, query) == [first]


def test_a_longer_word_ranks_above_a_part_of_it(tmp_path: Path) -> None:
    """花生酱 first finds the note that has it."""
    with make_view(
        tmp_path, note("allergy", "用户对花生过敏。"), note("butter", "早餐吃花生酱面包。")
    ) as view:
        assert found(view, "花生酱") == ["butter", "allergy"]


@pytest.mark.parametrize(
    "query",
    [
        *(
            '"where is the plan',
            "NOT NOT plan",
            "NOT plan",
            "created:[notadate TO x]",
            "AND",
            "plan AND (",
            "title:",
            "*",
        ),
        *(
            "where is the plan?",
            "Ask Dana: where",
            "[TO]",
            "http://intra.example/plan?id=7",
            "\\",
            "-plan",
            "",
            " ",
        ),
    ],
)
def test_nothing_in_a_query_is_an_operator(tmp_path: Path, query: str) -> None:
    """Words find what has them; what holds no word finds nothing."""
    text = "Ask Dana: where is the plan? (see http://intra.example/plan?id=7)"
    with make_view(tmp_path, note("q1", text), note("q2", "nothing of this kind")) as view:
        expected = ["q1"] if "plan" in query or "Dana" in query else []
        assert found(view, query) == expected


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(query=st.text(st.characters(), max_size=60) | st.text("\"'()[]{}*?:-+~^\\/ANDORNOT plan", max_size=40))
def test_any_text_can_be_asked(shared_view: IndexView, query: str) -> None:
    """No text that a person can type makes recall fail."""
    answer = search(shared_view, query, Where(), 3)
    assert len(answer.hits) == min(3, answer.total)


@pytest.fixture(scope="module")
def shared_view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexView]:
    with make_view(tmp_path_factory.mktemp("shared"), note("q1", "the plan"), note("q2", "a b c")) as view:
        yield view


OLD = "Rosa's address: Rosa lives at 12 Elm Street. Rosa's home address is Elm Street, address confirmed."


def test_a_correction_comes_before_what_it_corrects(tmp_path: Path) -> None:
    """However often the old memory repeats the words; it is still found, and labelled."""
    new = note("addr2", "Rosa moved; she now lives at 4 Pine Road.", supersedes="[ADDR1]")
    with make_view(tmp_path, note("addr1", OLD), new, note("other", "Rosa called.")) as view:
        first, second, *_ = search(view, "Rosa address").hits
        assert (first.record.id, second.record.id) == ("addr2", "addr1")
        assert first.score > second.score
        assert second.labels == ("superseded by addr2",)
        assert second.superseded_by == ("addr2",)
        assert "correction" in {reason.stage for reason in first.reasons}
        new_one, old_one = search(view, "Elm Street").hits
        assert (old_one.record.id, old_one.labels) == ("addr1", ("superseded by addr2",))
        assert new_one.record.id == "addr2"


def test_a_correction_is_found_without_a_word_of_the_question(tmp_path: Path) -> None:
    """It answers what the corrected memory answers, as far as the filter lets it, and counts as a match."""
    notes = [
        note("a", "The deadline of beta is 3 May."),
        note("b", "Moved to June.", supersedes="[a]", tags="[x]"),
        note("c", "July it is.", supersedes="[b]"),
        note("d", "nothing of this"),
    ]
    with make_view(tmp_path, *notes) as view:
        answer = search(view, "deadline of beta")
        assert [hit.record.id for hit in answer.hits] == ["c", "b", "a"]
        assert answer.total == 3
        assert all(hit.relevance >= answer.hits[-1].relevance > 0 for hit in answer.hits)
        only = search(view, "deadline of beta", Where(without=(("tag", "x"),)))
        assert [hit.record.id for hit in only.hits] == ["c", "a"]
        assert found(view, "July") == ["c"]


def test_a_chain_of_corrections_is_in_order(tmp_path: Path) -> None:
    """The newest first, each before the one it corrects, even where they are marked themselves."""
    notes = [
        note("a", "plan " * 9),
        note("b", "plan plan of the town", supersedes="[a]", status="disputed"),
        note("c", "a long text that says plan once, with many other words", supersedes="[b]", importance="0"),
    ]
    with make_view(tmp_path, *notes) as view:
        assert found(view, "plan") == ["c", "b", "a"]


def test_memories_that_correct_each_other_are_both_found(tmp_path: Path) -> None:
    """A circle has no order, and no end is missing."""
    notes = [note("a", "plan", supersedes="[b]"), note("b", "plan plan", supersedes="[a, b]")]
    with make_view(tmp_path, *notes) as view:
        assert sorted(found(view, "plan")) == ["a", "b"]


@pytest.mark.parametrize("status", ["superseded", "expired", "disputed"])
def test_what_no_longer_holds_is_demoted_and_labelled(tmp_path: Path, status: str) -> None:
    """It is never hidden."""
    with make_view(
        tmp_path, note("old", "plan", status=status), note("new", "plan plan of the year")
    ) as view:
        new, old = search(view, "plan").hits
        assert (new.record.id, old.record.id) == ("new", "old")
        assert (new.labels, old.labels) == ((), (status,))


def test_what_is_past_its_validity_is_expired(tmp_path: Path) -> None:
    """Its last day still counts; an end nobody can read ends nothing; without a clock nothing expires."""
    notes = [
        note("past", "plan plan plan", valid_until="2024-05-07"),
        note("today", "plan for the week", valid_until="2024-05-08"),
        note("odd", "plan of the whole year", valid_until="soon"),
    ]
    now = datetime(2024, 5, 8, 20, tzinfo=UTC)
    with make_view(tmp_path, *notes) as view:
        hits = search(view, "plan", now=now).hits
        assert {hit.record.id: hit.labels for hit in hits} == {"past": ("expired",), "today": (), "odd": ()}
        assert hits[-1].record.id == "past"
        assert found(view, "plan")[0] == "past"


def test_filters_come_before_the_cut(tmp_path: Path) -> None:
    """A memory that ranks 41st is first where it alone has the tag; tags may hold blanks, without case."""
    notes = [
        note(f"n{number}", f"badger badger badger sighting {number}", tags="[misc]") for number in range(40)
    ]
    rare = note("rare", "one badger, far away", tags='["field trip", Über]')
    with make_view(tmp_path, *notes, rare) as view:
        for tag in ("field trip", "über", "ÜBER"):
            answer = search(view, "badger", Where(tags=(tag,)), 1)
            assert ([hit.record.id for hit in answer.hits], answer.total) == (["rare"], 1)
        answer = search(view, "badger", Where(tags=("nosuch",)))
        assert (answer.hits, answer.total) == ((), 0)
        assert answer.notes == ("no memory has the tag 'nosuch'",)
        assert search(view, "badger", limit=0).hits == ()
        assert search(view, "badger", limit=3).total == 41


def test_what_the_whole_query_names_comes_first(tmp_path: Path) -> None:
    """An id, a path or a title; whatever else the words would say."""
    notes = [note("noise", "billing plan " * 20), note("m7", "x", title="Billing plan"), note("m8", "y")]
    with make_view(tmp_path, *notes) as view:
        assert found(view, "billing PLAN")[0] == "m7"
        assert found(view, "semantic/notes/002.md")[0] == "m8"
        first = search(view, "M8").hits[0]
        assert (first.record.id, first.reasons[-1].stage) == ("m8", "exact")
        assert first.score >= search(view, "M8").hits[-1].score


def test_an_id_in_a_question_lifts_its_memory(tmp_path: Path) -> None:
    """As a word of its own, with or without punctuation."""
    notes = [note("m2k4", "the gateway"), note("other", "why is the invoice late, invoice, invoice")]
    with make_view(tmp_path, *notes) as view:
        hit = next(hit for hit in search(view, "why is (M2K4) late?").hits if hit.record.id == "m2k4")
        assert "id" in {reason.stage for reason in hit.reasons}


def test_a_quoted_phrase_lends_weight(tmp_path: Path) -> None:
    """The words in order beat the same words apart; without quotes they do not."""
    notes = [
        note("apart", "green tea, then a house; tea house green"),
        note("phrase", "Green  Tea\nhouse by the sea"),
    ]
    with make_view(tmp_path, *notes) as view:
        assert found(view, '"green tea house"')[0] == "phrase"
        hit = search(view, "“green tea house”").hits[0]
        assert hit.reasons[1].stage == "phrase"


def test_equal_scores_are_ordered_by_age_then_path(tmp_path: Path) -> None:
    """The newer first; without a date last."""
    notes = [
        note("old", "plan", created="2024-01-01"),
        note("none", "plan"),
        note("none2", "plan"),
        note("new", "plan", created="2024-02-01T00:00:00+02:00"),
    ]
    with make_view(tmp_path, *notes) as view:
        assert found(view, "plan") == ["new", "old", "none", "none2"]


def test_importance_is_a_bounded_factor(tmp_path: Path) -> None:
    """It decides between equals, and cannot lift a memory that fits much worse."""
    notes = [note("low", "plan", importance="0.1"), note("high", "plan", importance="1")]
    poor = note("poor", "a plan among a great many other words about other things " * 3, importance="1")
    with make_view(tmp_path, *notes, poor) as view:
        assert found(view, "plan") == ["high", "low", "poor"]


def test_every_hit_says_why(tmp_path: Path) -> None:
    """Which words it has, and where."""
    with make_view(tmp_path, note("m1", "about the plan", title="Alice", tags="[plan]")) as view:
        (hit,) = search(view, "alice's plan").hits
        assert hit.reasons[0].text == "alice in title; plan in text, tags"


def test_header_fields_and_dates_are_searched(tmp_path: Path) -> None:
    """Names, tags, unknown fields, and the date as people say it."""
    text = note("m1", "x", agent="scout", tags="[red kite]", reviewer="{name: Olga}", created="2024-05-08")
    with make_view(tmp_path, text, note("m2", "y")) as view:
        for query in ("scout", "kite", "olga", "May 2024", "Wednesday", "2024-05-08", "on 8 May"):
            assert found(view, query) == ["m1"], query


def test_lookups_by_name(tmp_path: Path) -> None:
    """By id without case, by its beginning, by path; and what supersedes it."""
    with make_view(
        tmp_path, note("Abc1", "x", tags="[T]"), note("abd2", "y", supersedes="[ABC1]", tags="[t, u]")
    ) as view:
        assert [record.id for record in view.by_id("aBC1")] == ["Abc1"]
        assert [record.id for record in view.ids_with_prefix("AB")] == ["Abc1", "abd2"]
        assert [record.id for record in view.ids_with_prefix("abd")] == ["abd2"]
        assert view.ids_with_prefix("zz") == []
        record = view.by_path("semantic/notes/000.md")
        assert record is not None
        assert record.id == "Abc1"
        assert view.by_path("nowhere.md") is None
        assert [record.id for record in view.superseded_by("abc1")] == ["abd2"]
        assert view.known_tags() == {"t": 2, "u": 1}
        assert view.has_tag("T")
        assert not view.has_tag("v")
        assert view.memory(record).body.strip() == "x"


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 6),
            st.integers(0, 9),
            st.sampled_from(["", "n1", "n2", "n3, n4", "n7"]),
            st.sampled_from(["active", "active", "disputed", "superseded"]),
            st.sampled_from(["0", "0.5", "0.5", "1"]),
        ),
        max_size=14,
    ),
    st.sampled_from(["plan", "plan town", '"plan town"', "n3 plan", "n2"]),
)
def test_a_cut_answer_is_the_beginning_of_the_whole_one(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[tuple[int, int, str, str, str]], query: str
) -> None:
    """Looking at the best scores only never changes which hits come first, their scores or reasons."""
    notes = [
        note(
            f"n{number}",
            "plan " * plans + "town " * (plans % 3) + "other words " * others,
            supersedes=f"[{others_ids}]",
            status=status,
            importance=importance,
        )
        for number, (plans, others, others_ids, status, importance) in enumerate(drawn)
    ]
    with make_view(tmp_path_factory.mktemp("cut"), *notes) as view:
        whole = search(view, query, limit=100)
        assert len(whole.hits) == whole.total
        for limit in (1, 2, 5):
            answer = search(view, query, limit=limit)
            assert [(hit.record, hit.score, hit.labels) for hit in answer.hits] == [
                (hit.record, hit.score, hit.labels) for hit in whole.hits[:limit]
            ]
        scores = [hit.score for hit in whole.hits]
        assert scores == sorted(scores, reverse=True)
        place: dict[str, int] = {hit.record.id: number for number, hit in enumerate(whole.hits)}
        for hit in whole.hits:
            is_exact = any(reason.stage == "exact" for reason in hit.reasons)
            for other in hit.superseded_by:
                is_circle = hit.record.id in _all_corrected(view, hit.record.id)
                assert is_exact or is_circle or other not in place or place[other] < place[hit.record.id]


def _all_corrected(view: IndexView, memory_id: str) -> set[str]:
    """Every id that the memory corrects, directly or through others."""
    found_ids: set[str] = set()
    pending = [memory_id]
    while pending:
        for record in view.by_id(pending.pop()):
            fresh = set(record.supersedes) - found_ids
            found_ids |= fresh
            pending.extend(fresh)
    return found_ids
