"""Memory files read: every file is a memory, whatever is in it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gitmem.model.document import decode, encode, parse_document
from gitmem.model.ids import BlobId, is_memory_id
from gitmem.model.memory import Memory, MemoryType, Relation, Status
from gitmem.model.reading import MAX_MEMORY_BYTES, START_BYTES, derived_title, read_memory

BLOB = BlobId("0" * 40)


def read(text: str | bytes, path: str = "note.md") -> Memory:
    return read_memory(path, BLOB, text.encode() if isinstance(text, str) else text)


def codes(memory: Memory) -> list[str]:
    return [problem.code for problem in memory.problems]


def test_a_whole_header_is_read_field_by_field() -> None:
    memory = read(
        "---\nid: m7k2q9xw\ntype: episodic\ntitle: A call\ncreated: 2026-11-29T15:30:12Z\ntags:\n  - a\n  - b c\n"
        "entities: [person:alice]\nimportance: 0.8\nconfidence: 1\nstatus: disputed\nvalid_from: 2026-11-01\n"
        "source: x.md#L1\nagent: bot\nsession: s-81\nsubject: person:alice\n"
        "related:\n  - {to: m3d8h1zc, relation: supports}\n  - '[[m4]]'\nsupersedes:\n  - m1a2b3c4\nown: {x: 1}\n---\nBody.\n"
    )
    assert (memory.id, memory.type, memory.title, memory.body) == (
        "m7k2q9xw",
        MemoryType.EPISODIC,
        "A call",
        "Body.\n",
    )
    assert memory.tags == ("a", "b c")
    assert memory.entities == ("person:alice",)
    assert (memory.importance, memory.confidence, memory.status) == (0.8, 1.0, Status.DISPUTED)
    assert memory.related == (Relation("m3d8h1zc", "supports"), Relation("m4", "related"))
    assert memory.supersedes == ("m1a2b3c4",)
    assert memory.fields["own"] == {"x": 1}
    assert memory.problems == ()


def test_a_note_without_header_has_an_id_from_its_path() -> None:
    memory = read("# Renaming a branch\n\nUse git branch -m.\n", "git/rename.md")
    assert not memory.has_own_id
    assert is_memory_id(memory.id)
    assert memory.id == read("something else", "git/rename.md").id
    assert memory.id != read("# Renaming a branch\n", "git/other.md").id
    assert (memory.title, memory.type, memory.namespace) == ("Renaming a branch", MemoryType.SEMANTIC, "git")
    assert memory.problems == ()


def test_a_text_between_two_rules_is_body() -> None:
    text = "---\n\nThe spare key is under the blue pot.\n\n---\n\nSecond part.\n\n---\nstatus: not a field\n"
    memory = read(text)
    assert memory.body == text
    assert memory.fields == {}


@pytest.mark.parametrize("block", ["- a\n- b\n", "just a sentence\n", "\n# only a comment\n", "12\n"])
def test_a_block_that_is_no_mapping_is_body(block: str) -> None:
    text = f"---\n{block}---\nrest\n"
    assert read(text).body == text


def test_a_broken_header_is_reported_with_its_line_and_keeps_id_and_title() -> None:
    memory = read("---\nid: bad\ntitle: Fix: the boiler\nowner: @sam\n---\nBoiler valve turns left.\n")
    assert (memory.id, memory.title, memory.body) == ("bad", "Fix: the boiler", "Boiler valve turns left.\n")
    assert codes(memory) == ["header"]
    assert memory.problems[0].line == 3
    assert "owner: @sam" in memory.header_text


def test_an_opening_fence_without_an_end_is_body() -> None:
    assert read("---\nid: x\nno end\n").body == "---\nid: x\nno end\n"


def test_crlf_and_a_byte_order_mark_do_not_hide_the_header() -> None:
    memory = read(b"\xef\xbb\xbf---\r\nid: crlf1\r\ntags:\r\n  - net\r\n---\r\n\r\nReboot.\r\n")
    assert (memory.id, memory.tags, memory.body) == ("crlf1", ("net",), "\r\nReboot.\r\n")


def test_a_body_that_opens_with_a_brace_is_not_a_header() -> None:
    assert read('{\n"not": json\n}\nyak four\n').fields == {}


def test_wrong_types_are_reported_and_replaced_by_defaults() -> None:
    memory = read(
        "---\nid: [x]\ntype: fact\nimportance: high\nstatus: gone\ntitle: {a: b}\nrelated: [{a: b}]\n---\nText\n"
    )
    assert codes(memory) == ["field"] * 5
    assert (memory.type, memory.importance, memory.status) == (MemoryType.SEMANTIC, 0.5, Status.ACTIVE)
    assert memory.title == "Text"
    assert [problem.line for problem in memory.problems] == [2, 3, 6, 4, 7] or memory.problems


def test_tags_written_as_one_text_are_split_at_commas() -> None:
    assert read("---\ntags: recipe, soup\n---\n").tags == ("recipe", "soup")


def test_bytes_that_are_not_utf8_are_a_memory_with_a_problem() -> None:
    memory = read(b"---\nid: latin\n---\nGr\xf6\xdfe\n")
    assert memory.id == "latin"
    assert "encoding" in codes(memory)


def test_of_a_file_past_the_bound_the_beginning_is_read() -> None:
    memory = read(b"---\nid: large\n---\n" + "ä".encode() * (MAX_MEMORY_BYTES // 2))
    assert codes(memory) == ["too-large"]
    assert memory.id == "large"
    assert set(memory.body) == {"ä"}
    assert len(memory.body.encode()) <= START_BYTES


@pytest.mark.parametrize(
    ("path", "namespace"),
    [
        ("semantic/people/alice/x-m7k2q9xw.md", "people/alice"),
        ("semantic/m7/x-m7k2q9xw.md", ""),
        ("semantic/people/m7/x-m7k2q9xw.md", "people"),
        ("episodic/2026/11/29/1530-x-m7k2q9xw.md", ""),
        ("episodic/people/alice/2026/11/29/1530-x-m7k2q9xw.md", "people/alice"),
        ("git/notes/x.md", "git/notes"),
        ("x.md", ""),
    ],
)
def test_the_namespace_is_the_path_without_what_gitmem_adds(path: str, namespace: str) -> None:
    assert read("---\nid: m7k2q9xw\n---\nx", path).namespace == namespace


def test_a_long_first_line_makes_a_title_of_at_most_80_characters() -> None:
    title = derived_title("word " * 40)
    assert len(title) <= 80
    assert title.endswith("word…")
    assert len(derived_title("记忆" * 60)) == 80


def test_a_byte_order_mark_is_no_part_of_a_title() -> None:
    assert derived_title("\ufeff# Router\n") == "Router"


@given(st.binary(max_size=400))
@example(b"---\n? [\n---\n")
@example(b"---\nid: \xff\n---\n")
@example(b"---\r---\r")
def test_any_bytes_are_a_memory(data: bytes) -> None:
    """Reading never raises, and decoding loses no byte."""
    memory = read(data)
    assert is_memory_id(memory.id)
    assert encode(decode(data)[0]) == data


@given(
    st.lists(
        st.sampled_from(["---", "---\n", "\n", "a: b\n", "\r\n", "- x\n", "text\n", "\ufeff", "a: [\n"]),
        max_size=12,
    )
)
def test_taking_a_file_apart_loses_nothing(pieces: list[str]) -> None:
    text = "".join(pieces)
    document = parse_document(text)
    assert document.text == text
    if not document.has_header:
        assert document.body == text
