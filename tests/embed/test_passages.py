"""Passages: what of a memory is embedded."""

from __future__ import annotations

from gitmem.embed.passages import MOST_CHARACTERS, MOST_PASSAGES, passages_of
from gitmem.model.ids import BlobId
from gitmem.model.reading import read_memory


def passages(text: str, path: str = "semantic/a.md") -> list[str]:
    return passages_of(read_memory(path, BlobId("0" * 40), text.encode()))


def test_each_sentence_is_a_passage() -> None:
    text = 'Alice called. "Is it paid?" she asked!\n\n- by e-mail\n- v1.2.3 is out\n用户住在杭州市。他对花生过敏！'
    assert passages(text) == [
        "Alice called.",
        '"Is it paid?"',
        "she asked!",
        "- by e-mail",
        "- v1.2.3 is out",
        "用户住在杭州市。",
        "他对花生过敏！",
    ]


def test_a_header_field_that_is_a_text_is_embedded_and_a_name_or_date_is_not() -> None:
    header = "id: m1\ncaption: a photo of a red kite\nspeaker: Anna Maria of Delft\nmood: glad\ncreated: 2026-11-01"
    assert passages(f"---\n{header}\n---\nText.\n") == ["Text.", "a photo of a red kite"]


def test_passages_depend_on_the_blob_alone() -> None:
    """Vectors are kept by blob: the same file elsewhere has the same ones."""
    assert passages("no heading\n", "semantic/one.md") == passages("no heading\n", "notes/another-title.md")


def test_a_long_memory_has_no_more_than_so_many_passages_and_loses_no_sentence() -> None:
    made = passages(" ".join(f"Sentence number {number}." for number in range(1_000)))
    assert len(made) <= MOST_PASSAGES
    assert [word for text in made for word in text.split() if word.rstrip(".").isdigit()] == [
        f"{number}." for number in range(1_000)
    ]


def test_a_passage_is_cut_where_it_is_long() -> None:
    assert [len(text) for text in passages("a" * 5_000)] == [MOST_CHARACTERS]


def test_what_says_nothing_is_no_passage() -> None:
    assert passages("---\nid: m1\n---\n\n***\n\n---\n") == []
