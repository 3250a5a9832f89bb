"""Every key of the JSON that a command prints is documented, and every documented key is printed.

Each how-to page has a section "JSON" with a table of keys, and runs its command with --json at least once.
That the two agree is checked where the pages are run, in test_blocks.py, by `key_problems`.

A key is written as its path: `results[].id` is the key `id` in each item of the list `results`. Below a key
of type `map` the keys are the user's own. A key whose type says `optional` need not be printed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from tests.docs.console import Ran
from tests.docs.pages import DOCS, section, table_rows
from tests.docs.test_commands import COMMANDS

JSON_PAGE = DOCS / "reference/json.md"


def key_problems(page: Path, text: str, results: Sequence[Ran]) -> list[str]:
    """Where the JSON that the commands of a page printed and the tables of the page disagree."""
    if page == JSON_PAGE:
        rows = list(table_rows(section(text, "## Errors")))
        outputs = [ran.output[ran.output.index("{") :] for ran in results if ran.code]
    elif page.parent == DOCS / "how-to" and page.stem in COMMANDS:
        rows = list(table_rows(section(text, "## JSON")))
        outputs = [ran.output for ran in results if _prints_json(ran, page.stem)]
    else:
        return []
    documented = {row[0].strip("`"): row[1] for row in rows}
    maps = {key for key, kind in documented.items() if kind.startswith("map")}
    printed = {key for output in outputs for key in _keys(json.loads(output), "", maps)}
    wanted = {key for key, kind in documented.items() if "optional" not in kind}
    found = [] if printed else [f"{page.name} runs no command with --json"]
    found += [f"the key {key} is printed, but not documented" for key in sorted(printed - set(documented))]
    found += [f"the key {key} is documented, but not printed" for key in sorted(wanted - printed)]
    return found


def _prints_json(ran: Ran, name: str) -> bool:
    """Whether the last command of the line is the one of the page, with --json, and did not fail."""
    words = ran.step.command.rpartition("|")[2].split()
    return "gitmem" in words and "--json" in words and name in words and ran.output.startswith("{")


def _keys(value: object, prefix: str, maps: set[str]) -> Iterator[str]:
    if isinstance(value, dict) and prefix not in maps:
        for name, inner in value.items():
            path = f"{prefix}.{name}" if prefix else name
            yield path
            yield from _keys(inner, path, maps)
    elif isinstance(value, list):
        for item in value:
            yield from _keys(item, f"{prefix}[]", maps)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_keys_in_the_reference(name: str) -> None:
    """reference/json.md has a table for each command."""
    assert list(table_rows(section(JSON_PAGE.read_text("utf-8"), f"## {name}")))


def test_keys_are_compared_in_both_directions() -> None:
    """A key of a list is named by its path, and the keys of a map are nobody's business."""
    value = {"a": [{"b": 1}, {"c": None}], "m": {"x": 1}}
    assert set(_keys(value, "", {"m"})) == {"a", "a[].b", "a[].c", "m"}
