"""Statements of a memory file, and lines that one version inherits from another."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.diff import inherited_lines
from gitmem.model.statements import statements_of

TEXT = """---
id: a
tags:
  - x
  - y
importance: 0.8
---
# Title

A paragraph
that goes on.

- one
  goes on
- 二

---

| a | b |
|---|:-:|
| 1 | 2 |

```py
x = 1

- y
```
1. first
"""


def test_a_file_falls_into_its_statements() -> None:
    """Each with its lines; rules and blanks are no statements, and code is one whatever is in it."""
    assert [(one.kind, one.first_line, one.last_line) for one in statements_of(TEXT)] == [
        ("field", 2, 2), ("field", 3, 5), ("field", 6, 6), ("heading", 8, 8), ("paragraph", 10, 11),
        ("item", 13, 14), ("item", 15, 15), ("row", 19, 19), ("row", 21, 21), ("code", 23, 27), ("item", 28, 28),
    ]  # fmt: skip


def test_a_header_that_cannot_be_read_is_one_statement() -> None:
    assert [one.kind for one in statements_of("---\nid: [a\n---\nbody\n")] == ["header", "paragraph"]


@given(st.text(alphabet="-|#`~*_1. ax:\n\r\t\u2028二", max_size=200))
def test_any_text_has_statements_that_cover_it_once(text: str) -> None:
    """No text fails; a line is of one statement at most, and a line with letters of exactly one."""
    covered = [line for one in statements_of(text) for line in range(one.first_line, one.last_line + 1)]
    assert len(covered) == len(set(covered))
    lines = text.splitlines()
    assert all(1 <= line <= len(lines) for line in covered)
    if not text.lstrip().startswith("---"):
        assert {n for n, line in enumerate(lines, 1) if any(c.isalpha() for c in line)} <= set(covered)


LINES = st.lists(st.sampled_from(["a", "b", "c", "", "d d"]), max_size=12)


@given(LINES, LINES)
def test_inherited_lines_are_equal_and_each_used_once(old: list[str], new: list[str]) -> None:
    """A line is new only where the old text has no equal one left."""
    inherited = inherited_lines(old, new)
    pairs = [(position, line) for position, line in zip(inherited, new, strict=True) if position is not None]
    assert all(old[position] == line for position, line in pairs)
    used = [position for position, _ in pairs]
    assert len(used) == len(set(used))
    left = [line for position, line in enumerate(old) if position not in set(used) and line]
    assert not [
        line for position, line in zip(inherited, new, strict=True) if position is None and line in left
    ]


def test_lines_around_a_change_stay_and_a_moved_line_is_found() -> None:
    assert inherited_lines(list("abcd"), list("xbcda")) == [None, 1, 2, 3, 0]
    assert inherited_lines(list("aab"), list("aaab")) == [0, 1, None, 2]
    assert inherited_lines([], ["a"]) == [None]
