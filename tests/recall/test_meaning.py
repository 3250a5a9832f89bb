"""Meaning beside words: what it lifts, what it finds by itself, and what it leaves alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

np = pytest.importorskip("numpy", reason="the extra embed is not installed")

from gitmem.embed.making import embedded
from gitmem.embed.meaning import KnownMeaning
from gitmem.embed.vectors import VectorStore
from gitmem.errors import OutsideFailure
from gitmem.index.branch_index import BranchIndex
from gitmem.recall.answer import SearchAnswer
from gitmem.recall.meaning import text_to_embed
from gitmem.recall.question import Question
from gitmem.recall.search import search
from gitmem.recall.weights import CUTOFF
from gitmem.recall.where import Where
from tests.embed.words import WordsEncoder
from tests.index.memory_source import MemorySource, note

FILES = {
    "a/car.md": note("car", "Bob drives an automobile"),
    "a/pet.md": note("pet", "Kitten sleeps"),
    "a/late.md": note("late", "Bob sleeps long"),
    "a/pay.md": note("pay", "Invoice, Friday"),
    "a/none.md": note("none", "***"),
    "b/far.md": note("far", "An automobile from abroad", tags="[old]"),
}
Ask = Callable[..., SearchAnswer]


class Setting:
    """An index with the vectors of its memories, and what was said of failures."""

    def __init__(self, folder: Path, files: dict[str, str] = FILES) -> None:
        source = MemorySource()
        commit = source.commit(files)
        self.view = BranchIndex(folder / "index" / "main", source).view(commit)
        self.encoder = WordsEncoder()
        self.store = VectorStore(folder / "vectors")
        self.memories = [source.read(path, blob) for path, blob in source.files(commit)]
        self.failures: list[str] = []

    def embed(self, *names: str) -> None:
        """Makes the vectors of these memories; of all where none is named."""
        chosen = [memory for memory in self.memories if not names or memory.id in names]
        self.store.append(embedded(self.encoder, chosen))

    def ask(self, query: str, where: Where | None = None, **options: object) -> SearchAnswer:
        meaning = KnownMeaning(self.encoder, self.store.read(), self.failures.append)
        return search(self.view, query, where, meaning=meaning, **options)  # type: ignore[arg-type]

    def plain(self, query: str, **options: object) -> SearchAnswer:
        return search(self.view, query, **options)  # type: ignore[arg-type]


@pytest.fixture
def setting(tmp_path: Path) -> Iterator[Setting]:
    made = Setting(tmp_path)
    yield made
    made.view.close()


def ids(answer: SearchAnswer) -> list[str]:
    return [hit.record.id for hit in answer.hits]


def test_a_memory_is_found_that_shares_no_word_with_the_question(setting: Setting) -> None:
    setting.embed()
    assert ids(setting.plain("feline", without=("related",))) == []
    answer = setting.ask("feline naps", without=("related",))
    assert ids(answer)[0] == "pet"
    assert answer.legs == ("words", "meaning")


def test_what_only_sounds_a_little_like_it_is_not_found_by_meaning_alone(setting: Setting) -> None:
    """Without a word in common a passage must be `similar`, or nothing is found at all."""
    setting.embed()
    assert ids(setting.ask("xylophone")) == []


def test_meaning_decides_between_memories_that_say_as_many_words(setting: Setting) -> None:
    setting.embed()
    question = "Bob and his vehicle"
    without = ("related", "names")
    scores = {str(hit.record.id): hit.score for hit in setting.plain(question, without=without).hits}
    assert scores["car"] == pytest.approx(scores["late"], rel=0.25)
    lifted = {str(hit.record.id): hit.score for hit in setting.ask(question, without=without).hits}
    assert lifted["car"] > lifted["late"]


def test_what_the_words_say_wholly_meaning_leaves_as_it_is(setting: Setting) -> None:
    """Its weight is the share of the question that no memory says in words: here none."""
    setting.embed()
    question = "invoice Friday"
    found, plain = setting.ask(question), setting.plain(question)
    assert plain.relevance == 1
    assert [(hit.record.id, hit.score) for hit in found.hits] == [
        (hit.record.id, hit.score) for hit in plain.hits
    ]


def test_without_vectors_an_answer_is_the_same_to_the_last_digit(setting: Setting) -> None:
    for question in ("Bob and his vehicle", "invoice", "who sleeps?", "", "feline"):
        found, plain = setting.ask(question), setting.plain(question)
        assert found == plain
        assert found.legs == ("words",)


def test_the_reasons_of_a_hit_make_its_score(setting: Setting) -> None:
    setting.embed()
    answer = setting.ask("which vehicle does Bob like?", without=("related",))
    assert any(reason.stage == "meaning" for hit in answer.hits for reason in hit.reasons)
    for hit in answer.hits:
        score = 0.0
        for reason in hit.reasons:
            score = reason.applied(score)
        assert score == pytest.approx(hit.score, abs=1e-3)
        assert hit.reasons


def test_the_stage_can_be_left_out(setting: Setting) -> None:
    setting.embed()
    question = "which vehicle does Bob like?"
    assert setting.ask(question, without=("meaning",)) == setting.plain(question)


def test_a_hit_by_meaning_alone_is_relevant_enough_to_be_shown(setting: Setting) -> None:
    """The cut-off counts what it means as well as what it says."""
    setting.embed()
    question = "feline naps whole mornings"
    assert setting.plain(question, cutoff=CUTOFF, without=("related",)).hits == ()
    answer = setting.ask("feline cat whole naps", cutoff=CUTOFF, without=("related",))
    assert ids(answer) == ["pet"]
    assert answer.hits[0].relevance == answer.relevance > CUTOFF


def test_nothing_relevant_is_still_said(setting: Setting) -> None:
    setting.embed()
    answer = setting.ask("sleeps opera singer castle Vienna tonight", cutoff=CUTOFF)
    assert answer.hits == ()
    assert answer.held_back > 0
    assert answer.closest is not None


def test_filters_hold_for_what_is_found_by_meaning(setting: Setting) -> None:
    setting.embed()
    assert ids(setting.ask("vehicle", Where(tags=("old",)), without=("related",))) == ["far"]
    answer = setting.ask("vehicle", Where(fields=(("tags", "old"),)), without=("related",))
    assert (ids(answer), answer.total) == (["far"], 1)


def test_a_strong_likeness_outweighs_a_chance_word(tmp_path: Path) -> None:
    """However few memories there are: deviations are small among few."""
    files = {f"n{number}.md": note(f"n{number}", f"Filler {number} of many") for number in range(12)}
    texts = {"pet": "Kitten", "chance": "No comment here"}
    made = Setting(tmp_path, {**files, **{f"{name}.md": note(name, text) for name, text in texts.items()}})
    made.embed()
    answer = made.ask("comment: feline cat", without=("related",))
    assert ids(answer) == ["pet", "chance"]


def test_a_memory_without_a_vector_is_found_by_its_words(setting: Setting) -> None:
    setting.embed("pet", "pay")
    answer = setting.ask("does Bob have a kitten?", without=("related", "names"))
    assert {"pet", "late", "car"} <= set(ids(answer))


def test_a_question_that_cannot_be_embedded_is_answered_by_words(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting.embed()

    def fail(texts: list[str]) -> None:
        raise OutsideFailure("the encoder is asleep")

    monkeypatch.setattr(setting.encoder, "embed", fail)
    assert setting.ask("Bob and his vehicle") == setting.plain("Bob and his vehicle")
    assert setting.failures == ["the encoder is asleep"]


def test_a_memory_lends_its_meaning_to_its_neighbours(tmp_path: Path) -> None:
    """The answer stands next to its question: the turn beside a similar one is lifted, not one far away."""
    files = {
        f"episodic/t{number}.md": note(
            f"t{number}",
            "Which vehicle, which automobile?" if number == 3 else f"Red, that was number {number}",
            session="s",
            created=f"2026-01-0{number}",
        )
        for number in range(1, 8)
    }
    made = Setting(tmp_path, files)
    made.embed()
    answer = made.ask("red car lover", without=("related", "neighbours", "session"))
    assert lift(answer, "t4") == lift(answer, "t7")
    answer = made.ask("red car lover", without=("related",))
    assert lift(answer, "t4") > lift(answer, "t7")


def lift(answer: SearchAnswer, name: str) -> float:
    """What a hit got for its meaning."""
    reasons = [reason for hit in answer.hits if hit.record.id == name for reason in hit.reasons]
    return sum(reason.added for reason in reasons if reason.stage == "meaning")


def test_a_single_memory_has_nothing_to_stand_above(tmp_path: Path) -> None:
    made = Setting(tmp_path, {"a.md": note("a", "A kitten sleeps")})
    made.embed()
    assert ids(made.ask("feline sleeps", without=("related",))) == ["a"]
    assert ids(made.ask("feline cat", without=("related",))) == ["a"]


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When did Caroline go to the lake?", "Caroline go lake"),
        ("用户住在哪里？", "用户住在哪里？"),
        ("what about 花生?", "what about 花生?"),
        ("who?", "who"),
    ],
)
def test_the_telling_words_of_a_question_are_embedded(question: str, text: str) -> None:
    parsed = Question.parse(question)
    assert text_to_embed(parsed, parsed.query_words) == text


def test_a_long_text_is_embedded_as_it_is() -> None:
    text = " ".join(f"word{number} and" for number in range(20))
    parsed = Question.parse(text)
    assert text_to_embed(parsed, parsed.query_words) == text
