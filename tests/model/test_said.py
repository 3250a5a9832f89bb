"""What a file says is what the memory says that it is, however little of the header is read for it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.model import said
from gitmem.model.ids import BlobId
from gitmem.model.reading import read_memory
from gitmem.model.said import Said, said_in
from tests.model.test_plain_header import HEADERS

BLOB = BlobId("0" * 40)
OPENINGS = st.sampled_from(["---\n"] * 6 + ["--- \n", "---\r\n", "\ufeff---\n", "\n---\n", ""])
CLOSINGS = st.sampled_from(["---\n"] * 6 + ["--- \n", "---", "----\n", "---\r\n", "...\n", "\n---\n", ""])
KINDS = st.sampled_from(
    ["type: semantic\n", "type: episodic\n", "type: procedural\n", "type: working\n", 'type: "working"\n',
     "type: Working \n", "type: odd\n", "type:\n", "type: semantic  \n", "type: procedural\nencrypted: k3f9x2ab\n",
     "title: A type: of\ntype: episodic\n", "type: semantic\ntype: working\n"]
)  # fmt: skip
TITLES = st.sampled_from(
    ["", "title: Tea\n", 'title: "Tea: green" \n', "title: 12\n", "title: true\n", "title: 1.50\n", "title: ~\n",
     'title: " "\n', "title:\n  - a\n", "title: 茶\n", "title: a  \n", "Title: x\n", "title: 2026-11-29T15:30:12Z\n"]
)  # fmt: skip
BODIES = st.sampled_from(
    ["Text.\n", "", "\n", "# Head\n\nText", "---\n", "a\0b", "中文。\n", "\n---\nmore\n", "~~~"]
)


def expected(path: str, data: bytes) -> Said:
    memory = read_memory(path, BLOB, data)
    return Said(memory.type, memory.title, memory.body, memory.locked_by is not None)


@settings(max_examples=1500, deadline=None)
@given(
    opening=OPENINGS,
    kind=KINDS,
    title=TITLES,
    rest=HEADERS,
    closing=CLOSINGS,
    body=BODIES,
    is_first=st.booleans(),
)
def test_it_is_what_the_memory_says(
    opening: str, kind: str, title: str, rest: str, closing: str, body: str, is_first: bool
) -> None:
    header = kind + title + rest if is_first else f"{rest}\n{title}{kind}"
    data = (opening + header + closing + body).encode("utf-8", "surrogatepass")
    for path in ("semantic/a.md", "working/b.md", "c.md"):
        assert said_in(path, BLOB, data) == expected(path, data)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"---\n---\n",
        b"---\ntype: semantic\n---\n\xff\xfe",
        b"---\ntype: semantic\ntitle: \xff\n---\nx",
        b"---\ntype: semantic\n" + b"x: y\n" * 500 + b"---\nx",
        b"---\ntype: semantic\ntitle: " + b"x" * 70_000 + b"\n---\nx",
        b"---\nid: a\ntype: semantic\nencrypted: k3f9x2ab\n---\n-----BEGIN AGE ENCRYPTED FILE-----\nx\n",
    ],
)
def test_odd_files_are_read_as_any(data: bytes) -> None:
    assert said_in("semantic/a.md", BLOB, data) == expected("semantic/a.md", data)


def test_of_a_large_file_only_the_beginning_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"---\ntype: semantic\n---\n" + b"line\n" * 100_000
    assert (
        said_in("a.md", BLOB, data, is_start=True).body == read_memory("a.md", BLOB, data, is_start=True).body
    )
    monkeypatch.setattr("gitmem.model.said.MAX_MEMORY_BYTES", 1_000)
    monkeypatch.setattr("gitmem.model.reading.MAX_MEMORY_BYTES", 1_000)
    assert said_in("a.md", BLOB, data) == expected("a.md", data)


def test_a_usual_file_is_not_read_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that gitmem writes: with a list, a quoted title, a date, in two languages."""
    monkeypatch.setattr(said, "read_memory", None)
    header = "id: m7k2q9xw\ntype: {}\ntitle: {}\ncreated: 2026-11-29T15:30:12Z\ntags:\n  - a\n  - b\nimportance: 0.8\n"
    for kind, title in (("semantic", '"Tea: green"'), ("reflective", "测试数据库")):
        data = f"---\n{header.format(kind, title)}---\nText.\n".encode()
        assert said_in("a.md", BLOB, data)[:3] == (kind, title.strip('"'), "Text.\n")
