"""Values in front matter: read as they are spelled, written so that every reader agrees."""

from __future__ import annotations

import contextlib

import pytest
import ruamel.yaml
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.header_reading import read_mapping
from gitmem.model.memory import Json
from gitmem.model.yaml_reading import MAX_DEPTH, HeaderError
from gitmem.model.yaml_writing import field_lines, header_text, scalar_text


def fields(header: str) -> dict[str, Json]:
    entries = read_mapping(header)
    assert entries is not None
    return {entry.key: entry.value for entry in entries}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("11:45", "11:45"),
        ("1.10", "1.10"),
        ("914e0371", "914e0371"),
        ("12e03", "12e03"),
        ("0.8", 0.8),
        ("1.0", 1.0),
        ("42", 42),
        ("-7", -7),
        ("007", "007"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("true", True),
        ("True", "True"),
        (".nan", ".nan"),
        (".inf", ".inf"),
        ("~", None),
        ("", None),
        ("2024-05-07", "2024-05-07"),
        ("2024-02-30", "2024-02-30"),
        ("2024-05-07 10:00:00", "2024-05-07 10:00:00"),
        ("!!float", ""),
        ("!!binary aGVsbG8=", "aGVsbG8="),
        ("!!set {x, y}", ["x", "y"]),
        ("!!python/object/apply:os.system [ls]", ["ls"]),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_a_value_keeps_its_spelling_unless_printing_it_gives_back_the_same_text(
    written: str, read: Json
) -> None:
    assert fields(f"value: {written}\n") == {"value": read}


def test_names_that_yaml_would_turn_into_values_stay_text() -> None:
    assert fields("2024: a\non: true\nnull: b\n") == {"2024": "a", "on": True, "null": "b"}


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ("a: 1\na: 2\n", "twice"),
        ("? [a, b]\n: pair\n", "field name"),
        ("a: &x\n  b: *x\n", "alias"),
        ("a: {{date}}\n", "field name"),
        ("a: `ls`\n", "token"),
        ("title: Fix: it\n", "mapping values"),
        ("a: " + "[" * (MAX_DEPTH + 2), "nested"),
        ("a: " + "[" * 10_000, "nest"),
        ("a: b\n...\nc: d\n", ""),
        ("a: " + "x" * 70_000, "larger"),
    ],
)
def test_a_header_that_cannot_be_trusted_is_refused_with_a_reason(header: str, reason: str) -> None:
    with pytest.raises(HeaderError) as caught:
        read_mapping(header)
    assert reason in caught.value.reason


def test_a_bomb_of_aliases_is_refused_and_a_few_honest_ones_are_read() -> None:
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{name}: &{name} [{','.join(['*' + before] * 9)}]\n"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    )
    with pytest.raises(HeaderError, match="more than"):
        read_mapping(bomb)
    assert fields("base: &b [1, 2]\nsame: *b\nagain: *b\n")["again"] == [1, 2]


plain_text = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
scalars = st.one_of(
    plain_text,
    st.sampled_from(
        ["no", "1.10", "12e03", "11:45", "0o17", "2024-01-01", "=", "<<", "null", "-", "a: b", "x #", "y"]
    ),
)


@given(scalars)
def test_text_reads_back_the_same_in_every_yaml_reader(text: str) -> None:
    """What gitmem writes for a string is that string in YAML 1.1 and 1.2, and for gitmem itself."""
    line = f"value: {scalar_text(text)}\n"
    assert fields(line) == {"value": text}
    assert yaml.safe_load(line) == {"value": text}
    assert ruamel.yaml.YAML(typ="safe", pure=True).load(line) == {"value": text}


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-(10**17), 10**17), plain_text),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(plain_text, inner, max_size=4)),
    max_leaves=12,
)


@given(st.dictionaries(plain_text, json_values, max_size=5))
def test_any_fields_survive_writing_and_reading(values: dict[str, Json]) -> None:
    header = header_text(values).removeprefix("---\n").removesuffix("---\n")
    assert fields(header) == values


def test_lists_take_one_item_a_line() -> None:
    assert field_lines("tags", ["a", "b: c"]) == 'tags:\n  - a\n  - "b: c"\n'


@given(st.text(max_size=200))
def test_any_text_is_read_or_refused_never_anything_else(text: str) -> None:
    with contextlib.suppress(HeaderError):
        read_mapping(text)
