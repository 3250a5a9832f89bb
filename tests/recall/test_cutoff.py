"""Nothing relevant: said of questions that nothing answers, never of a search for a word, a name or an id."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import BadInput
from gitmem.flows.writing.drafting import Request
from gitmem.index.analysis import query_words
from gitmem.index.branch_index import BranchIndex
from gitmem.index.view import IndexView
from gitmem.recall.cutoff import can_be_cut, has_form_of_its_own, words_in
from gitmem.recall.search import search
from gitmem.recall.weights import CUTOFF
from gitmem.recall.where import Where
from gitmem.store import Store
from tests.conftest import gitmem
from tests.index.memory_source import MemorySource, note

NOTES = {
    "m1": note("m1", "Alice wants the monthly report by e-mail, not in chat."),
    "m2": note("m2", "The parcel tracker answers 429 when it is asked too often; see ADR-0007."),
    "m3": note("m3", "Deployments happen on Tuesday morning, after the tests are green."),
    "m4": note("m4", "用户对花生过敏，住在杭州市。"),
    "m5": note("m5", "A heron was seen at the lake in the rain. " + "Many other things were seen too. " * 60),
    "m6": note("m6", "old", title="Purple elephants juggle seventeen teapots nightly"),
}
FOREIGN = "which opera singer bought the red castle near Vienna on a Tuesday"


@pytest.fixture(scope="module")
def view(tmp_path_factory: pytest.TempPathFactory) -> Iterator[IndexView]:
    source = MemorySource()
    commit = source.commit({f"notes/{name}.md": text for name, text in NOTES.items()})
    directory = tmp_path_factory.mktemp("cutoff") / "gitmem" / "index" / "main"
    with BranchIndex(directory, source).view(commit) as opened:
        yield opened


def test_a_question_that_nothing_answers_gets_no_hits(view: IndexView) -> None:
    """The closest is named, with its relevance, and what was held back is counted."""
    all_hits = search(view, FOREIGN)
    assert all_hits.hits
    answer = search(view, FOREIGN, cutoff=CUTOFF)
    assert answer.hits == ()
    assert answer.closest is not None and answer.closest.relevance == answer.relevance < CUTOFF
    assert (answer.held_back, answer.total) == (len(all_hits.hits), all_hits.total)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("how does Alice want the monthly report?", "m1"),
        ("when do deployments happen?", "m3"),
        ("用户对什么东西过敏", "m4"),
        ("heron", "m5"),
        ("heron volcano", "m5"),
        ("杭州市", "m4"),
        ("why did somebody write about ADR-0007 in Vienna last spring", "m2"),
        ("m3", "m3"),
        ("why does the courier refuse to say where my parcel is", "m2"),
        ("医生问起有没有什么食物过敏史，要写进病历", "m4"),
        ("what on earth might m3 possibly mean for opera singers", "m3"),
        ('opera singers in Vienna who "asked too often" about castles', "m2"),
        ("Purple elephants juggle seventeen teapots nightly", "m6"),
    ],
)
def test_what_is_there_is_never_held_back(view: IndexView, query: str, first: str) -> None:
    """Questions with an answer, in other words than the answer has, but for one; one or two words, however

    long the memory; ids, titles, phrases, code.
    """
    assert search(view, query, cutoff=CUTOFF).hits[0].record.id == first


def test_a_long_text_is_no_question(view: IndexView) -> None:
    """Its words are never all in one memory."""
    text = "opera castle violin spring Vienna piano garden bridge river mountain train ticket singer " * 2
    words = " ".join(f"{word}{number}x" for number, word in enumerate(text.split()))
    assert search(view, f"{words} heron", cutoff=CUTOFF).hits == search(view, f"{words} heron").hits != ()


@pytest.mark.parametrize("limit", [1, 2, 10])
def test_the_limit_does_not_change_whether_anything_is_relevant(view: IndexView, limit: int) -> None:
    for query in (FOREIGN, "how does Alice want the monthly report?", "opera in Vienna with many on Tuesday"):
        is_cut = search(view, query, cutoff=CUTOFF).closest is not None
        assert (search(view, query, limit=limit, cutoff=CUTOFF).closest is not None) == is_cut


def test_a_cutoff_that_was_asked_for_holds_for_any_text(view: IndexView) -> None:
    """Also for a single word; what is its id comes all the same."""
    assert search(view, "heron", cutoff=1.0, is_strict=True).hits == ()
    assert search(view, "heron", cutoff=1.0).hits != ()
    assert search(view, "m3", cutoff=1.0, is_strict=True).hits[0].record.id == "m3"


def test_a_filter_without_words_is_not_judged(view: IndexView) -> None:
    assert search(view, "", Where(namespace="notes"), cutoff=CUTOFF).closest is None


@given(st.text(max_size=40))
def test_an_answer_is_whole_or_nothing(view: IndexView, query: str) -> None:
    """A cut-off takes all hits or none, and changes nothing else."""
    whole, cut = search(view, query), search(view, query, cutoff=CUTOFF)
    assert cut.hits in (whole.hits, ())
    assert (cut.hits == ()) == (whole.hits == () or cut.closest is not None)
    assert (cut.total, cut.terms, cut.notes) == (whole.total, whole.terms, whole.notes)


@pytest.mark.parametrize(
    ("text", "count"),
    [("heron", 1), ("grey heron", 2), ("the heron", 1), ("花生", 1), ("花生酱", 1.5), ("stock-feed-eu", 3)],
)
def test_words_are_counted_as_a_person_counts_them(text: str, count: float) -> None:
    assert words_in(query_words(text)) == count


@pytest.mark.parametrize(
    ("term", "is_own"),
    [
        *(("adr-0007", True), ("pkg.mod", True), ("x86", True), ("123456", True)),
        *(("2022", False), ("heron", False), ("$", False), ("花生", False), ("c#", False)),
    ],
)
def test_code_ids_and_long_numbers_have_a_form_of_their_own(term: str, is_own: bool) -> None:
    assert has_form_of_its_own(term) == is_own


def test_only_questions_can_be_cut() -> None:
    assert not can_be_cut(query_words("grey heron"), [])
    assert can_be_cut(query_words("grey heron lake"), [])
    assert not can_be_cut(query_words("grey heron lake x86"), query_words("x86"))


@pytest.fixture
def told(store: Store) -> Store:
    """A store where most memories have one of the words that are asked for."""
    texts = {
        "one": "Alice wants the monthly report by e-mail",
        "two": "Deployments happen on Tuesday morning",
        "away": "Alice is away on Tuesday",
        "lift": "The lift is serviced on Tuesday",
        "bins": "Bins are put out every Tuesday",
    }
    store.remember_all([Request(text, id=name) for name, text in texts.items()])
    return store


def test_the_command_says_what_came_closest(told: Store, folder: Path) -> None:
    """In text and in JSON, with the way to see it all."""
    query = "which opera singer visited the castle near Vienna on Tuesday"
    ran = gitmem(folder, "recall", query)
    assert ran.code == 0
    assert ran.out.startswith("nothing relevant; the closest was ")
    assert "--min-relevance 0 shows all" in ran.out
    told_json = gitmem(folder, "recall", query, "--json").json
    assert (told_json["results"], told_json["held_back"], told_json["cutoff"]) == ([], 4, CUTOFF)
    assert told_json["closest"]["id"] != "one" and told_json["closest"]["relevance"] < CUTOFF
    assert gitmem(folder, "recall", query, "--fail-empty").code == 1
    everything = gitmem(folder, "recall", "--json", "--", query, "--min-relevance", "0").json
    assert {each["id"] for each in everything["results"]} == {"two", "away", "lift", "bins"}
    assert (everything["closest"], everything["held_back"]) == (None, 0)


def test_what_the_archive_answers_is_an_answer(told: Store) -> None:
    """Main has nothing relevant, the archive has; and where neither has, the closest of both is named."""
    told.archive(["one"])
    query = "how is the monthly report sent, on Tuesday?"
    assert told.recall(query).hits == ()
    answer = told.recall(query, archived=True)
    assert [each.hit.record.id for each in answer.hits] == ["one"]
    assert (answer.closest, answer.held_back) == (None, 0)
    foreign = told.recall("which opera singer visited Vienna on Tuesday", archived=True)
    assert foreign.hits == () and foreign.closest is not None and foreign.held_back == 4


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan")])
def test_a_relevance_that_cannot_be_is_refused(told: Store, value: float) -> None:
    with pytest.raises(BadInput) as refused:
        told.recall("Alice", min_relevance=value)
    assert refused.value.field == "min_relevance"
