"""A header edit changes only the lines of its fields."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.document import parse_document
from gitmem.model.header_edit import REMOVED, HeaderCannotChange, edit_header
from gitmem.model.memory import Json
from gitmem.model.yaml_writing import field_lines

KEPT = (
    '---\n# owner: the ops team\ntitle: "Quoted: yes"\nzeta: 1\nalpha: 2   # keep me\n'
    "created: 2024-05-07T23:30:00+09:00\nlong: >-\n  folded text that\n  spans two lines\ntags: [ b, a ]\nid: keep\n---\n"
    "\n\n    indented code first\n\nlast line  \n\n\n"
)


def changed_lines(before: str, after: str) -> tuple[list[str], list[str]]:
    """The lines that went and the lines that came."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    while old and new and old[0] == new[0]:
        old, new = old[1:], new[1:]
    while old and new and old[-1] == new[-1]:
        old, new = old[:-1], new[:-1]
    return old, new


@pytest.mark.parametrize(
    ("changes", "went", "came"),
    [
        ({"tags": ["b", "a", "c"]}, ["tags: [ b, a ]\n"], ["tags: [ b, a, c ]\n"]),
        ({"tags": ["a"]}, ["tags: [ b, a ]\n"], ["tags: [ a ]\n"]),
        ({"tags": ["z"]}, ["tags: [ b, a ]\n"], ["tags:\n", "  - z\n"]),
        ({"alpha": 3}, ["alpha: 2   # keep me\n"], ["alpha: 3   # keep me\n"]),
        ({"title": REMOVED}, ['title: "Quoted: yes"\n'], []),
        ({"long": "x"}, ["long: >-\n", "  folded text that\n", "  spans two lines\n"], ["long: x\n"]),
        ({"new": "11:45"}, [], ['new: "11:45"\n']),
        ({"zeta": 1}, [], []),
    ],
)
def test_only_the_lines_of_the_field_change(
    changes: dict[str, Json], went: list[str], came: list[str]
) -> None:
    assert changed_lines(KEPT, edit_header(KEPT, changes)) == (went, came)


def test_a_crlf_file_keeps_its_line_ends() -> None:
    text = "---\r\nid: x\r\ntags:\r\n  - net\r\n---\r\n\r\nReboot.\r\n"
    edited = edit_header(text, {"tags": ["net", "weekly"], "own": "y"})
    assert edited.count("\n") == edited.count("\r\n")
    assert edited.count("---\r\n") == 2


def test_an_item_taken_out_of_a_block_list_leaves_its_neighbours_and_their_comments() -> None:
    text = "---\ntags:\n- a # one\n- b\n# about c\n- c\nz: 1\n---\n"
    assert edit_header(text, {"tags": ["a", "c"]}) == "---\ntags:\n- a # one\n# about c\n- c\nz: 1\n---\n"


def test_a_text_without_header_gets_one_on_top() -> None:
    text = "---\n\nA rule, not a header.\n\n---\nrest"
    edited = edit_header(text, {"id": "abc"})
    assert edited == "---\nid: abc\n---\n" + text


@pytest.mark.parametrize(
    "text",
    [
        "---\ntitle: Fix: it\n---\nbody",
        "---\n{a: 1, b: 2}\n---\nbody",
        "---\nx: &a [1]\ny: *a\n---\nbody",
    ],
)
def test_a_header_that_cannot_be_changed_line_by_line_is_refused(text: str) -> None:
    with pytest.raises(HeaderCannotChange):
        edit_header(text, {"a": 3, "x": [2]})


keys = st.sampled_from(["id", "title", "tags", "own", "Größe", "with space", "n"])
words = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=12)
values: st.SearchStrategy[Json] = st.one_of(
    words, st.integers(-999, 999), st.booleans(), st.none(), st.lists(words, max_size=4)
)
comments = st.sampled_from(["", "# a comment\n", "\n", "  # indented\n"])
newlines = st.sampled_from(["\n", "\r\n"])


@st.composite
def headers(draw: st.DrawFn) -> tuple[str, dict[str, Json], str]:
    """A header with comments and blank lines between its fields, and the newline it uses."""
    fields: dict[str, Json] = {"anchor": "x", **draw(st.dictionaries(keys, values, max_size=5))}
    newline = draw(newlines)
    lines = [
        draw(comments).replace("\n", newline) + field_lines(key, value, newline=newline)
        for key, value in fields.items()
    ]
    return "".join(lines) + draw(comments).replace("\n", newline), fields, newline


@given(headers(), words, st.dictionaries(keys, st.one_of(values, st.just(REMOVED)), min_size=1, max_size=3))
def test_any_edit_changes_its_fields_and_nothing_else(
    header: tuple[str, dict[str, Json], str], body: str, changes: dict[str, Json]
) -> None:
    """Every line that is not of a changed field stands in the result as it stood, in order."""
    block, fields, newline = header
    text = f"---{newline}{block}---{newline}{body}"
    edited = edit_header(text, changes)
    document = parse_document(edited)
    expected = {**fields, **changes}
    assert document.fields == {key: value for key, value in expected.items() if value is not REMOVED}
    assert document.body == body
    touched = {
        line
        for entry in parse_document(text).entries
        if entry.key in changes
        for line in range(entry.line, entry.end_line)
    }
    kept = [line for number, line in enumerate(block.split("\n")) if number not in touched and line.strip()]
    remaining = iter(edited.split("\n"))
    assert all(line in remaining for line in kept)
