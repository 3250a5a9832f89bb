"""A pattern that is left out because no sign of it stands in a text would not have matched."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.evolve import statement
from gitmem.evolve.importance import ASKED, CORRECTIONS, DECISIONS, OUTCOMES, _pattern, find_phrase
from gitmem.evolve.statement import statement_of
from gitmem.model.injected import _GIVEN, _is_given
from gitmem.privacy.normal import _HAN, WORDS_PER_HAN, normal, words_in
from tests.evolve.measure import HELD_OUT, PAIRS, pairs

PIECES = st.sampled_from(
    ["The ", "port", "owner", "Bob ", "is", " is ", "IS\t", " are\n", "=", " = ", "lives in", " works for ", "now ",
     "runs on port", "6543", "Berlin", "负责人", "是", "住在", "张三", " since ", "and ", ".", "’s ", "ı", "ſ", " "]
)  # fmt: skip
GIVEN = st.sampled_from(
    ["[", "]", "m7k2q9xw", "M7K2Q9XW", " @0123456789", "@uncommitted", " 2026-11-30", "  ", "\t\u3000", "\n", "3m",
     "٣m", "x", "> ", "- ", "`", "\xa0", " "]
)  # fmt: skip


def texts(pieces: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.lists(pieces, max_size=12).map("".join)


@settings(max_examples=1500, deadline=None)
@given(text=texts(PIECES))
def test_a_statement_is_found_as_by_all_patterns(text: str) -> None:
    even = " ".join(text.split())
    matching = [each for each in (*statement._ENGLISH, *statement._CHINESE) if each.match(even)]
    assert [each for each in statement._patterns_for(even) if each.match(even)] == matching


def test_so_it_is_in_the_labelled_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [text for pair in (*pairs(PAIRS), *pairs(HELD_OUT)) for text in (pair.known, pair.new)]
    found = [statement_of.__wrapped__(text) for text in said]
    assert sum(each is not None for each in found) > 50
    monkeypatch.setattr(statement, "_patterns_for", lambda _: (*statement._ENGLISH, *statement._CHINESE))
    assert [statement_of.__wrapped__(text) for text in said] == found


@settings(max_examples=1500, deadline=None)
@given(text=texts(GIVEN))
def test_what_was_given_is_known_as_by_its_pattern(text: str) -> None:
    assert _is_given(text) is bool(_GIVEN.search(text))


@settings(max_examples=500, deadline=None)
@given(text=texts(st.one_of(PIECES, st.sampled_from(["remember ", "this", "已完成", "root  cause", "K"]))))
def test_words_and_phrases_are_those_of_the_patterns(text: str) -> None:
    even = normal(text)
    han = len(_HAN.findall(even))
    assert words_in(text) == len(_HAN.sub(" ", even).split()) + han * WORDS_PER_HAN
    for phrases in (ASKED, CORRECTIONS, DECISIONS, OUTCOMES):
        found = _pattern(phrases).search(text.replace("’", "'"))
        assert find_phrase(text, phrases) == (found[0] if found else None)
