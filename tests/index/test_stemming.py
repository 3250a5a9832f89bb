"""Stems are those of Whoosh's Porter2."""

from __future__ import annotations

import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh.lang import porter2

from gitmem.index.stemming import stem

STARTS = [
    "",
    "y",
    "sk",
    "gener",
    "commun",
    "hop",
    "happ",
    "rel",
    "nati",
    "inn",
    "s",
    "b",
    "ee",
    "'t",
    "control",
    "ay",
]
MIDDLES = ["", "a", "e", "y", "at", "iv", "al", "li", "ous", "ll", "tt", "s", "ion", "iz"]
ENDS = [
    *(ending for ending, _, _ in (*porter2.s2_triples, *porter2.s3_triples)),
    *porter2.s4_delete_list, *porter2.s1b_suffixes, *porter2.doubles,
    "", "s", "'s", "'s'", "'", "sses", "ies", "ied", "us", "ss", "eed", "eedly", "y", "e", "l", "sion", "tion", "ning",
]  # fmt: skip


def test_every_ending_behind_every_start() -> None:
    """Each rule of the algorithm meets words long and short enough for it."""
    words = {"".join(parts) for parts in itertools.product(STARTS, MIDDLES, ENDS)}
    words |= {
        *porter2.exceptional_forms,
        *porter2.exceptional_early_exit_post_1a,
        "inning",
        "innings",
        "proceeds",
    }
    assert len(words) > 10_000
    assert {word: stem(word) for word in words if word} == {
        word: porter2.stem(word) for word in words if word
    }


@settings(max_examples=500)
@given(word=st.text("aeiouylstdnmbgrzc'v", min_size=1, max_size=12))
def test_any_word(word: str) -> None:
    assert stem(word) == porter2.stem(word)
