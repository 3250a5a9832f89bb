"""Anchors as they are written in a header."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.errors import BadInput
from gitmem.model.anchors import Anchor, anchor_texts, parse_anchor
from gitmem.model.ids import BlobId
from gitmem.model.reading import read_memory

COMMIT = "3f9a1c77d2e4"


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("src/app.py", Anchor("src/app.py")),
        ("src/app.py#main", Anchor("src/app.py", "main")),
        (f"src/app.py@{COMMIT}", Anchor("src/app.py", None, COMMIT)),
        (f"src/app.py#A.run@{COMMIT}", Anchor("src/app.py", "A.run", COMMIT)),
        ("https://example.com/a#b@c", Anchor("", url="https://example.com/a#b@c")),
        ("img/icon@2x.png", Anchor("img/icon@2x.png")),
        ("node_modules/@types/x.d.ts", Anchor("node_modules/@types/x.d.ts")),
        ("C#/Program.cs#Main", Anchor("C#/Program.cs", "Main")),
        (".github/workflows/ci.yml", Anchor(".github/workflows/ci.yml")),
        ("README.md#How to install", Anchor("README.md", "How to install")),
        ("src/文档.py#函数", Anchor("src/文档.py", "函数")),
        ("src/", Anchor("src")),
    ],
)
def test_an_anchor_is_read_and_written_back(text: str, anchor: Anchor) -> None:
    """A path, a symbol behind the last `#`, a commit behind the last `@`; or a page."""
    assert parse_anchor(text) == anchor
    assert parse_anchor(str(anchor)) == anchor


@pytest.mark.parametrize(
    "text",
    ["", " ", "/etc/passwd", "~/x", "C:\\x", "C:/x", "../code/a.py", "a/../b", "a//b", "./a", ".git/config",
     "a/.GIT/x", "a\nb", "#main", "@3f9a1c77", "a" * 1100],
)  # fmt: skip
def test_what_leads_out_of_the_repository_is_no_anchor(text: str) -> None:
    with pytest.raises(BadInput):
        parse_anchor(text)


@given(st.text(max_size=60))
def test_any_text_is_an_anchor_or_refused(text: str) -> None:
    try:
        anchor = parse_anchor(text)
    except BadInput:
        return
    assert parse_anchor(str(anchor)) == anchor
    assert ".." not in anchor.path.split("/")


def test_a_header_holds_a_list_or_one_text_under_either_name() -> None:
    """As people write it: a list in lines, in brackets, one text, several with commas."""
    assert anchor_texts({"anchors": ["a.py", " b.py#f ", 3, "a.py"]}) == ["a.py", "b.py#f"]
    assert anchor_texts({"anchor": "a.py"}) == ["a.py"]
    assert anchor_texts({"anchor": "a,b.py, c.py"}) == ["a,b.py", "c.py"]
    assert anchor_texts({"anchors": ["a.py"], "anchor": "b.py"}) == ["a.py", "b.py"]
    assert anchor_texts({"anchors": None, "anchor": {"path": "a"}}) == []


def test_an_anchor_that_cannot_be_read_is_a_problem_of_the_memory() -> None:
    data = b"---\nid: a\nanchors:\n  - ../secret\n  - [x]\n  - ok.py\n---\nx\n"
    memory = read_memory("semantic/a.md", BlobId("0" * 40), data)
    assert memory.anchors == ("../secret", "ok.py")
    assert [problem.code for problem in memory.problems] == ["field", "field"]
    assert any("'..'" in problem.message and problem.line == 3 for problem in memory.problems)
