"""Settings of others in JSON: what was put in is taken out again, and no other byte changes."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.json_splice import NotJson, parsed, put_in, taken_out, value_at

OURS = {"command": "ours", "list": [1, {"deep": "ü"}]}
NAMES = ("a", "b", "hooks", "Start", "End", "mcpServers", "ours", "ü\n", "SessionStart", "PreCompact")
BLANKS = ("", "", "", " ", "\n  ", "\t", " // said\n", "/* so */", "\r\n")
PLAIN = (None, True, 0, -17, 0.5, 1e20, "", "{[,:", "ü", "// no comment", '"', "\\")


class Spelling:
    """Spells values with blanks and comments anywhere, and commas behind the last item."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def settings(self) -> str:
        before = self._random.choice(("", "\ufeff", "\n", "// settings\n"))
        return before + self._container("{", 3) + self._blank()

    def _blank(self) -> str:
        return self._random.choice(BLANKS)

    def _value(self, name: str, depth: int) -> str:
        """A value; of a member that settings know, mostly of the kind that ours can be put into."""
        kinds = {"hooks": "{", "mcpServers": "{", "Start": "[", "End": "["}
        kinds |= {"SessionStart": "[", "PreCompact": "["}
        kind = kinds.get(name) or self._random.choice("{[p")
        if depth and kind != "p":
            return self._container(kind, depth - 1)
        return json.dumps(self._random.choice(PLAIN), ensure_ascii=self._random.random() < 0.5)

    def _container(self, opening: str, depth: int) -> str:
        if opening == "{":
            names = self._random.sample(NAMES, self._random.randrange(4))
            items = [f"{json.dumps(n)}{self._blank()}:{self._blank()}{self._value(n, depth)}" for n in names]
        else:
            items = [self._value("", depth) for _ in range(self._random.randrange(3))]
        text = ",".join(f"{self._blank()}{item}{self._blank()}" for item in items)
        comma = "," if items and self._random.random() < 0.3 else ""
        return opening + text + comma + self._blank() + ("}" if opening == "{" else "]")


@given(st.randoms(use_true_random=False))
def test_what_was_put_in_is_taken_out_without_a_trace(random: Random) -> None:
    """For any settings: nothing else changes its value, and afterwards the bytes are the same."""
    text = Spelling(random).settings()
    before = parsed(text).value
    new = text
    try:
        for event in ("Start", "End"):
            new = put_in(new, ("hooks", event), OURS)
        if value_at(text, ("mcpServers", "mine")) is None:
            new = put_in(new, ("mcpServers",), OURS, key="mine")
    except NotJson:
        # Something else stands on the way: settings that are refused, and stay.
        return
    after = parsed(new).value
    assert after["hooks"]["Start"][-1] == OURS
    assert after["mcpServers"]["mine"] == OURS
    assert {key: after[key] for key in before if key not in ("hooks", "mcpServers")} == {
        key: value for key, value in before.items() if key not in ("hooks", "mcpServers")
    }
    old = taken_out(new, ("mcpServers",), lambda item: item.key == "mine")
    for event in ("End", "Start"):
        old = taken_out(old, ("hooks", event), lambda item: item.value == OURS)
    assert old == text


def test_an_entry_stands_on_lines_of_its_own_in_the_indentation_of_the_file() -> None:
    """The indentation and the line ends of the file are used."""
    text = '{\r\n\t"model": "opus"\r\n}\r\n'
    new = put_in(text, ("hooks", "Start"), {"a": 1})
    assert new.startswith('{\r\n\t"model": "opus",\r\n\t"hooks": {\r\n\t\t"Start": [\r\n\t\t\t{')
    assert "\n" not in new.replace("\r\n", "")


def test_what_others_added_since_stays() -> None:
    """Entries before and behind ours are kept, with what they say."""
    text = put_in('{"hooks": {"Start": [1]}}', ("hooks", "Start"), OURS)
    text = put_in(text, ("hooks", "Start"), 2)
    left = taken_out(text, ("hooks", "Start"), lambda item: item.value == OURS)
    assert json.loads(left) == {"hooks": {"Start": [1, 2]}}
    alone = put_in(put_in("{}", ("hooks", "Start"), OURS), ("hooks", "Start"), 3)
    left = taken_out(alone, ("hooks", "Start"), lambda item: item.value == OURS)
    assert json.loads(left) == {"hooks": {"Start": [3]}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1"),
        ("[]", "not an object"),
        ('{"a": 1', "line 1: a comma or } is missing"),
        ('{\n"a": nan}', "line 2: no value"),
        ('{"a": 1} x', "behind the end"),
        ("{'a': 1}", "no value"),
        ('{"a" 1}', "a name and a colon"),
        ('{"a": ' + "[" * 300, "too deeply"),
    ],
)
def test_what_is_no_json_is_refused_by_its_line(text: str, said: str) -> None:
    """The message says what is wrong and in which line."""
    with pytest.raises(NotJson, match=said):
        parsed(text)


def test_what_stands_on_the_way_is_not_replaced() -> None:
    """A list where an object should be, or a name twice, is refused."""
    for text in ('{"hooks": []}', '{"hooks": {"Start": {}}}', '{"hooks": {}, "hooks": {}}'):
        with pytest.raises(NotJson):
            put_in(text, ("hooks", "Start"), OURS)
