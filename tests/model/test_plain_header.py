"""A plain header is read without a YAML parser, and as the parser reads it."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitmem.model.front_matter import HANDLER
from gitmem.model.yaml_reading import HeaderError, read_plain_header
from gitmem.model.yaml_writing import header_text

KEYS = st.sampled_from(
    ["id", "type", "title", "tags", "x-y", "no", "1a", "a b", "é", "'q'", "?", "<<", "a:b"]
)
WORDS = st.sampled_from(
    ["a", "1", "-1", "1.5", "0x1", "1e3", "true", "null", "~", "no", "2026-11-29T15:30:12Z", "a b ", "é 中文", "a:b",
     "a: b", "a #b", "a#b", "#", "'a'", '"a"', '"a: #b"', '"a\\n"', '"a', "[a, b]", "{a: b}", "- a", "*a", "&a x",
     "!!str 1", "|", ">", "%a", "@a", "`a", "a,b", "a]", "a\t", "\ta", "a\u00a0", "\u3000", "\u0085", "\u2028a", "\ufeffa",
     "=", "a:", "a: ", "http://x.y/z", "\U0001f600", "_", "٣", "ﬁ", "a\\b", "---", "...", "? a", ":a", "10:30"]
)  # fmt: skip
FIELDS = st.tuples(KEYS, st.sampled_from([": ", ":", ":  ", " : ", ":\t"]), WORDS).map("".join)
ITEMS = st.tuples(st.sampled_from(["- ", "  - ", "    - ", " -  ", "-", " "]), WORDS).map("".join)
LINES = st.one_of(
    FIELDS, KEYS.map(lambda key: key + ":"), ITEMS, st.sampled_from(["", " ", "# c", "...", "---", "a\rb: c"])
)
HEADERS = (
    st.lists(LINES, max_size=6).map("\n".join).flatmap(lambda text: st.sampled_from([text, text + "\n"]))
)


def by_parser(header: str) -> Any:
    try:
        return HANDLER.entries(header)
    except HeaderError as error:
        return error.reason


@settings(max_examples=1000, deadline=None)
@given(header=HEADERS)
def test_what_is_read_plainly_is_what_the_parser_reads(header: str) -> None:
    """Names, values, lines, spans and ends; whatever is not plain is left to the parser."""
    plain = read_plain_header(header)
    if plain is not None:
        assert plain == by_parser(header)


VALUES = st.one_of(
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.booleans(),
    st.integers(),
    st.floats(0, 1),
    st.none(),
)
FIELD_VALUES = st.one_of(VALUES, st.lists(VALUES, max_size=3))


@settings(max_examples=500, deadline=None)
@given(fields=st.dictionaries(st.sampled_from(["id", "title", "tags", "created", "own"]), FIELD_VALUES))
def test_what_gitmem_writes_is_read_alike(fields: dict[str, Any]) -> None:
    header = header_text(fields)[4:-4]
    plain = read_plain_header(header)
    if plain is not None:
        assert plain == by_parser(header)


def test_a_usual_header_is_plain() -> None:
    """One that gitmem writes, with a list, a date, a number and a quoted text."""
    header = (
        "id: m7k2q9xw\ntype: semantic\ntitle: Alice wants reports by e-mail\ncreated: 2026-11-29T15:30:12Z\n"
        'tags:\n  - preference\n  - "no"\nimportance: 0.8\nagent: support-bot\n'
    )
    plain = read_plain_header(header)
    assert plain is not None and plain == by_parser(header)
    assert [entry.value for entry in plain][4:6] == [["preference", "no"], 0.8]


@pytest.mark.parametrize(
    "header", ["", "a:\n", "a: b\na: c", "a: [b]", "a: b # c", "a: |\n  b", "- a", "a: b\n  c"]
)
def test_other_headers_are_left_to_the_parser(header: str) -> None:
    assert read_plain_header(header) is None


@pytest.mark.parametrize("header", ["a: b{}\x01", "a:\n- b{}\x01", 'a: "b"{}\x01', "a: b{}c", "a:{}\x01"])
def test_a_long_run_of_blanks_takes_no_time(header: str) -> None:
    """As long as a header may be, a million times as many steps would take half a minute."""
    before = time.process_time()
    read_plain_header(header.format(" " * 60_000))
    assert time.process_time() - before < 2


def test_a_plain_header_loads_no_parser() -> None:
    """Loading one takes longer than reading a thousand headers."""
    program = (
        "import sys\nfrom gitmem.model.document import parse_document\n"
        "assert parse_document('---\\nid: a\\ntags:\\n  - b\\n---\\nc').fields == {'id': 'a', 'tags': ['b']}\n"
        "assert not {'yaml', 'frontmatter'} & set(sys.modules)\n"
        "assert parse_document('---\\nid: [a]\\n---\\nc').fields == {'id': ['a']}\n"
        "assert {'yaml', 'frontmatter'} <= set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
