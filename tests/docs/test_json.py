"""Every key of the JSON that a command prints is documented, and every documented key is printed.

Each how-to page has a section "JSON" with a table of keys, and runs its command with --json at least once.
A key is written as its path: `results[].id` is the key `id` in each item of the list `results`. Below a key
of type `map` the keys are the user's own. A key whose type says `optional` need not be printed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.console import open_terminal, ran_blocks
from tests.docs.pages import DOCS, section, table_rows
from tests.docs.test_commands import COMMANDS

JSON_PAGE = DOCS / "reference/json.md"


@pytest.mark.parametrize("name", COMMANDS)
def test_the_keys_a_command_prints_are_those_of_its_page(
    name: str, sample_store: Path, tmp_path: Path
) -> None:
    """The table of the page and the output agree in both directions."""
    text = (DOCS / "how-to" / f"{name}.md").read_text("utf-8")
    documented = {row[0].strip("`"): row[1] for row in table_rows(section(text, "## JSON"))}
    maps = {key for key, kind in documented.items() if kind.startswith("map")}
    printed: set[str] = set()
    terminal = open_terminal(text, tmp_path / "you", sample_store)
    for _, results in ran_blocks(text, terminal):
        for ran in results:
            if (
                "--json" in ran.step.command
                and f" {name}" in ran.step.command
                and "|" not in ran.step.command
            ):
                printed |= set(_keys(json.loads(ran.output), "", maps))
    assert printed, f"docs/how-to/{name}.md does not run the command with --json"
    assert printed - set(documented) == set(), "keys that are not documented"
    wanted = {key for key, kind in documented.items() if "optional" not in kind}
    assert wanted - printed == set(), "documented keys that are not printed"


def test_the_keys_of_an_error_are_documented(sample_store: Path, tmp_path: Path) -> None:
    """What is printed in place of a result stands in reference/json.md."""
    text = JSON_PAGE.read_text("utf-8")
    documented = {row[0].strip("`") for row in table_rows(section(text, "## Errors"))}
    printed: set[str] = set()
    terminal = open_terminal(text, tmp_path / "you", sample_store)
    for _, results in ran_blocks(text, terminal):
        for ran in results:
            if ran.code:
                out = ran.output[ran.output.index("{") :]
                printed |= set(_keys(json.loads(out), "", set()))
    assert {"error.kind", "error.message", "error.exit_code"} <= printed
    assert printed <= documented


def _keys(value: object, prefix: str, maps: set[str]) -> Iterator[str]:
    if isinstance(value, dict) and prefix not in maps:
        for name, inner in value.items():
            path = f"{prefix}.{name}" if prefix else name
            yield path
            yield from _keys(inner, path, maps)
    elif isinstance(value, list):
        for item in value:
            yield from _keys(item, f"{prefix}[]", maps)
