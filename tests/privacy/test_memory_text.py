"""One memory file: what is new in it is judged, and its header stays a header."""

from __future__ import annotations

import pytest

from gitmem.model.document import parse_document
from gitmem.model.sensitive import Action, PrivacyRules
from gitmem.privacy.judge import Judge
from gitmem.privacy.memory_text import Examined, examine
from tests.timing import cpu_seconds

MEMORY = """\
---
id: m7k2q9xw
type: semantic
title: Call mara@example.com
source: mara@example.com   # told by li@example.cn
tags: [a, 'mara@example.com', "b"]
phones:
  - 020 7946 0958
contact: {mail: mara@example.com, more: {n: 13800138000}}
number: 13800138000
created: 2026-11-29T15:30:12Z
---
Body with mara@example.com
"""


def look(text: str, *before: str) -> Examined:
    return examine(
        Judge(PrivacyRules()), text, before, lambda kind, value: f"[{kind.upper()}:{len(value):04x}]"
    )


def test_values_of_every_shape_are_replaced_and_the_header_stays_valid() -> None:
    """Lists, maps, numbers, comments and own fields; what is none of it stays as it was."""
    examined = look(MEMORY)
    for value in ("mara@", "li@", "020 7946", "13800138000"):
        assert value not in examined.text
    fields = parse_document(examined.text).fields
    assert fields["title"] == "Call [EMAIL:0010]"
    assert fields["tags"] == ["a", "[EMAIL:0010]", "b"]
    assert fields["phones"] == ["[PHONE:000d]"]
    assert fields["contact"] == {"mail": "[EMAIL:0010]", "more": {"n": "[PHONE:000b]"}}
    assert fields["number"] == "[PHONE:000b]"
    assert fields["created"] == "2026-11-29T15:30:12Z"
    assert "# told by [EMAIL:000d]" in examined.text


def test_what_was_redacted_is_left_alone_afterwards() -> None:
    """Once is enough: nothing is found in the result, and not a byte of it changes."""
    once = look(MEMORY)
    twice = look(once.text)
    assert twice.sightings == [] and twice.text == once.text


def test_only_what_is_new_is_judged() -> None:
    """A memory that holds an address from before can be tagged and appended to."""
    tagged = MEMORY.replace("[a, ", "[new, a, ") + "call 13800138001\n"
    examined = look(tagged, MEMORY)
    assert [(each.kind, each.place, each.line) for each in examined.sightings] == [("phone", "line 14", 14)]
    assert examined.text == tagged.replace("13800138001", "[PHONE:000b]")


def test_an_id_or_the_name_of_a_field_is_refused_where_it_would_be_redacted() -> None:
    """Links go by the id, and readers by the name."""
    text = "---\nid: mara@example.com\nli@example.cn: 1\ntype: semantic\n---\nx\n"
    sightings = look(text).sightings
    assert {each.action for each in sightings} == {Action.BLOCK}
    assert {each.place for each in sightings} == {"the field id", "the name of a field"}


def test_a_broken_header_is_judged_as_text() -> None:
    """It is a memory all the same."""
    text = "---\nid: m7k2q9xw\ntags: [draft\nmail: mara@example.com\n---\nbody\n"
    assert "mail: [EMAIL:0010]\n" in look(text).text


def test_line_ends_and_bytes_that_are_no_text_stay() -> None:
    """A file with carriage returns keeps them, and its lines are counted as they are."""
    text = "---\r\nid: a\r\ntype: semantic\r\n---\r\nfirst\r\nmail mara@example.com \udcff\r\n"
    examined = look(text)
    assert examined.text == text.replace("mara@example.com", "[EMAIL:0010]")
    assert [each.line for each in examined.sightings] == [6]


def test_a_value_is_never_shown() -> None:
    """Not even where a sighting is printed by mistake."""
    assert "mara" not in repr(look(MEMORY).sightings)


@pytest.mark.parametrize("between", ["\n", " "])
def test_time_grows_with_the_number_of_values(between: str) -> None:
    """A long file of addresses, on lines of their own or all on one, takes its time once."""
    short, long = (
        between.join(f"a{each}@example.com" for each in range(number)) for number in (1_000, 4_000)
    )
    assert len(look(long).sightings) == 4_000
    assert cpu_seconds(lambda: look(long)) < 12 * cpu_seconds(lambda: look(short))
