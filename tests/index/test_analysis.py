"""How text becomes terms."""

from __future__ import annotations

import re
import time
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.index import analysis, cutting, folding
from gitmem.index.analysis import (
    MAX_TERM_CHARACTERS,
    count_terms,
    index_terms,
    query_terms,
    query_words,
    spans,
)
from gitmem.index.cutting import with_humps, words_in
from gitmem.index.folding import clusters, fold, fold_with_offsets, stand_alone
from gitmem.index.scripts import han_forms

ANY_TEXT = (
    st.text()
    | st.text(st.characters(), max_size=80)
    | st.text("a-ZzB._/:@+'#$&\\1 \x1f\u0301é가ᅡ花臺ｶﾞ한กำı€", max_size=40)
)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("stock-feed-eu is down", "stock-feed"),
        ("stock-feed-eu is down", "feed-eu"),
        ("stock-feed-eu is down", "stock-feed-eu"),
        ("uses task_pool", "task_pool"),
        ("run with --dry-run -x", "--dry-run"),
        ("run with --dry-run -x", "-x"),
        ("written in C# and F#", "C#"),
        ("C++ is old", "c++"),
        ("on .NET only", ".net"),
        ("ask @dana about #billing", "@dana"),
        ("ask @dana about #billing", "#billing"),
        ("since v2.1 it works", "v2.1"),
        ("see pkg.mod.v2", "pkg.mod.v2"),
        ("person:alice", "person:alice"),
        ("me@example.org", "me@example.org"),
        ("upgrade to 1.2.3 now", "1.2.3"),
        ("upgrade to v1.2.3 now", "1.2.3"),
        ("upgrade to v1.2.3 now", "1.2"),
        ("ping 10.0.42.7", "10.0.42.7"),
        ("ping fe80::1", "fe80::1"),
        ("calls std::vector", "std::vector"),
        ("see src/app/main.py:12", "app/main.py"),
        (r"under C:\Users\bob", r"users\bob"),
        ("AT&T and R&D", "R&D"),
        ("AT&T and R&D", "at&t"),
        ("#标签 and #café", "#cafe"),
        ("ship it 🚀", "🚀"),
        ("at ⏰ seven", "⏰"),
        ("it is 20 €", "€"),
    ],
)
def test_symbol_words_are_found_as_they_are_written(text: str, query: str) -> None:
    """The exact form of a query with symbols is a term of the text."""
    exact = fold(query)
    assert exact in query_terms(query)
    assert exact in index_terms(text)


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("Crème brûlée", "creme brulee"),
        ("ΆΝΘΡΩΠΟΣ", "ανθρωπος"),
        ("Ёлка", "елка"),
        ("STRASSE", "straße"),
        ("ｆｕｌｌ ｗｉｄｔｈ", "full width"),
        ("e\u0301tude", "étude"),
        ("running quickly", "runs"),
        ("Rosa's address", "rosa addresses"),
        ("Rosa’s address", "rosa"),
        ("हिन्दी में लिखा", "हिन्दी"),
        ("كِتَاب جديد", "جديد"),
        ("日本酒を買います", "日本酒"),
        ("ภาษาไทยง่าย", "ไทย"),
        ("회의는매주금요일입니다", "금요일"),
        ("ｶﾞｲﾄﾞ", "ガイド"),
        ("party 🎉", "🎉"),
        ("👍🏽 from Dana", "👍"),
        ("she ❤️ it", "❤"),
        ("by e-mail", "email"),
        ("by e‑mail", "email"),
        ("by e–mail", "e-mail"),
        ("by e\u00admail", "email"),
        ("two e-mails", "email"),
        ("the wi-fi", "wifi"),
        ("runs node.js", "nodejs"),
        ("dont ask", "don't ask"),
        ("O'Brien", "obrien"),
        ("uses task_pool", "taskPool"),
        ("uses taskPool", "pool"),
        ("needs Python3.11", "python"),
        ("a sqlite3 file", "sqlite"),
        ("taskPool2", "task"),
        ("the HTTPServer", "server"),
        ("ＡＢＣ １２３", "abc 123"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("りんご", "リンゴ"),
        ("這裡是臺灣", "这里是台湾"),
        ("头发", "頭髮"),
        ("澁谷驛", "渋谷駅"),
        ("經濟學", "経済学"),
        ("葛\U000e0100城市", "葛城"),
        ("서울에서 만나요", "서울"),
        ("İSTANBUL ısparta", "istanbul ISPARTA"),
        ("كِتَاب", "كتاب"),
        ("أحمد ذهب إلى المدرسة", "احمد المدرسه"),
        ("שָׁלוֹם", "שלום"),
        ("۱۲۳ और १२३", "123"),
    ],
)
def test_the_same_word_in_another_form_is_found(text: str, query: str) -> None:
    """Every term of the query is one of the text."""
    assert set(query_terms(query)) <= set(index_terms(text))
    assert query_terms(query)


def test_question_words_are_dropped_from_queries_only() -> None:
    """A query keeps them where it has nothing else; text keeps them always."""
    assert query_terms("When did Caroline go to the group?") == ["carolin", "go", "group"]
    assert query_terms("who are you") == ["who", "are", "you"]
    assert query_terms("The Who") == ["the", "who"]
    assert "the" in index_terms("the group")


def test_combining_marks_stay_inside_words() -> None:
    """Devanagari vowel signs do not cut a word; a Thai mark stays with its letter."""
    assert index_terms("हिन्दी") == {"हिन्दी": 1}
    assert "ง่" in index_terms("ง่าย")


def test_extras_do_not_lengthen_a_field() -> None:
    """The length of a field is its number of words."""
    assert count_terms("stock-feed-eu").length == 3
    assert count_terms("日本酒").length == 3


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("the years 2020-2024", "20202024"),
        ("version 1.2.3", "123"),
        ("a/b testing", "ab"),
        ("all APIs", "is"),
        ("needs Python3.11", "3"),
    ],
)
def test_words_that_must_not_be_glued_or_cut(text: str, query: str) -> None:
    """Numbers, paths and plurals of abbreviations are no other words."""
    assert not set(index_terms(query)) & set(index_terms(text))


def test_parts_of_a_word_with_capitals_count_less_in_a_query() -> None:
    """`taskPool` is one word; its parts are looked for as light ones, and do not lengthen a text."""
    assert count_terms("taskPool").length == 1
    assert [(word.term, word.is_light) for word in query_words("taskPool")] == [
        ("taskpool", False),
        ("task", True),
        ("pool", True),
    ]


def test_a_name_is_found_without_its_number_and_asked_for_with_it() -> None:
    """Who asks for `number23` does not mean all numbers."""
    assert set(index_terms("Python3.11")) == {"python3", "11", "python3.11", "python"}
    assert {"node", "python"} <= index_terms("node18/python3").keys()
    assert count_terms("python3").length == 1
    assert query_terms("python3") == ["python3"]
    assert [text for text in ("v2", "mp3", "42nd", "cafe20261201") if len(index_terms(text)) > 1] == []
    assert list(spans("under Python3, pythons", {"python"})) == [(6, 12, "python"), (15, 22, "python")]


def test_every_form_that_a_character_is_folded_to_is_final() -> None:
    """One character each, none of them folded further; and every word of the table is used."""
    forms = han_forms()
    assert len(forms) > 3000
    assert all(len(form) == 1 and form not in forms and fold(form) == form for form in forms.values())


@given(ANY_TEXT)
def test_folding_twice_changes_nothing(text: str) -> None:
    """The folded form is the form that is compared."""
    assert fold(fold(text)) == fold(text)


@given(ANY_TEXT)
def test_any_text_can_be_analysed(text: str) -> None:
    """No text fails, no term is empty or too long, every query term is a term of the same text."""
    terms = index_terms(text)
    assert all(0 < len(term) <= MAX_TERM_CHARACTERS for term in terms)
    assert set(query_terms(text)) <= set(terms)


@given(ANY_TEXT)
def test_folding_piece_by_piece_gives_the_folding_of_the_whole(text: str) -> None:
    """Offsets point into the text, in order, one for each folded character and the end."""
    folded, offsets = fold_with_offsets(text)
    assert folded == fold(text)
    assert len(offsets) == len(folded) + 1
    assert list(offsets) == sorted(offsets)
    assert offsets[-1] == len(text)
    assert "".join(clusters(text)) == text


@given(ANY_TEXT)
def test_the_words_of_the_pieces_are_those_of_the_whole(text: str) -> None:
    """Nothing depends on what stands beyond a blank, however long the parts are that are taken at once."""
    whole = [word[2:] for word in words_in(fold(with_humps(text)))]
    with patch.object(analysis, "_PART", re.compile(r"(?s:.){1,3}\S*")):
        assert [word[2:] for word in analysis._words(text)] == whole
        assert list(analysis._pieces(text)) == text.split()


def test_nothing_that_stands_alone_joins_or_is_unspaced() -> None:
    alone = "".join(filter(stand_alone, map(chr, range(0x30000))))
    others = f"[{folding.mark_class()}{folding._JOINING}{cutting._UNSPACED}]"
    assert re.search(others, alone) is None
    assert len(alone) > 5000


@given(st.text("aBé’—ßЖσ9½£→😀_-'\x1f") | ANY_TEXT)
def test_what_stands_alone_is_cut_as_any_script(text: str) -> None:
    """The expression that is soon compiled finds the words that the one for all scripts does."""
    folded = fold(with_humps(text))
    if stand_alone(folded):
        words = list(words_in(folded))
        with patch.object(cutting, "_standing_alone", cutting._any_script):
            assert list(words_in(folded)) == words
    if stand_alone(text):
        assert list(clusters(text)) == list(text) == folding._cluster().findall(text)


@given(ANY_TEXT)
def test_spans_name_the_terms_that_are_indexed(text: str) -> None:
    """Highlighting sees the same terms as the index, at places inside the text."""
    places = list(spans(text, index_terms(text).keys()))
    assert {term for _, _, term in places} == set(index_terms(text))
    assert all(0 <= start < end <= len(text) for start, end, _ in places)


@given(ANY_TEXT, st.integers(1, 3))
def test_spans_of_some_terms_are_those_among_all(text: str, step: int) -> None:
    places = list(spans(text, index_terms(text).keys()))
    sought = {term for _, _, term in places[::step]}
    assert list(spans(text, sought)) == [place for place in places if place[2] in sought]


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "a-" * 50_000,
        "-" * 100_000,
        "花" * 100_000,
        "é\u0301" * 50_000,
        "'s" * 50_000,
        "/.#" * 33_000,
    ],
    ids=["one word", "one compound", "dashes", "one run", "marks", "possessives", "symbols"],
)
def test_analysis_is_linear(text: str) -> None:
    """100 KB of anything takes well under a second."""
    start = time.process_time()
    index_terms(text)
    query_terms(text)
    list(spans(text, index_terms(text).keys()))
    assert time.process_time() - start < 3
