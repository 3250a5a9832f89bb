"""The words that texts are sought by: many texts at once give what each gives by itself."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.evolve.sought import MOST_WORDS, SoughtWords, sought_words
from tests.evolve.measure import HELD_OUT, PAIRS, pairs

PIECES = st.sampled_from(
    ["the", "Lamps", "lamp", "don't", "o'neil's", "'tis", "rock'n'roll", "dogs'", "’s", "it’s", "naïve", "STRASSE",
     "straße", "İ", "ﬁnd", "测试数据库", "监听6543端口", "あ", "한국어", "mix中文mix", "a_b", "x1y2", "1,000", "…", "-", "'", "’",
     "running", "ed", "bus", "é", "\u0301", "\u00a0", "\u3000", "\x85", "\x1c", "\n", "\t", " ", "  ", ".", "٣", "\U0001f600"]
)  # fmt: skip
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=30).map("".join)


@settings(max_examples=800, deadline=None)
@given(texts=st.lists(TEXTS, max_size=4))
def test_many_texts_give_what_each_gives_by_itself(texts: list[str]) -> None:
    sought = SoughtWords()
    for text in (*texts, *texts):
        assert set(sought.of(text)) == set(sought_words(text))


def test_so_do_those_of_the_labelled_pairs() -> None:
    sought = SoughtWords()
    for pair in (*pairs(PAIRS), *pairs(HELD_OUT)):
        for text in (pair.known, pair.new, f"{pair.known}\n{pair.new}"):
            assert set(sought.of(text)) == set(sought_words(text))


@pytest.mark.parametrize(
    "text",
    [
        " ".join(f"w{chr(97 + n % 26)}{chr(97 + n // 26)}" for n in range(500)),
        "".join(chr(0x4E00 + n) for n in range(700)),
        "lamp " * 9_000 + "kestrel",
        "".join(chr(0x4E00 + n % 5_000) for n in range(30_000)),
    ],
    ids=["many words", "many pairs", "long", "one long run"],
)
def test_of_a_long_text_the_first_words_count(text: str) -> None:
    sought = sought_words(text)
    assert set(SoughtWords().of(text)) == set(sought) and len(sought) <= MOST_WORDS


def test_what_is_kept_of_the_texts_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gitmem.evolve.sought._MOST_KEPT", 50)
    sought = SoughtWords()
    for number in range(300):
        text = f"{chr(97 + number % 26) * (2 + number // 26)} heron " + "x" * 100 + "y" * number
        assert set(sought.of(text)) == set(sought_words(text))
        assert len(sought) <= 50
    assert all(len(run) <= 30 for run in sought)
