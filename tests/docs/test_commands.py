"""No command is undocumented: every one has a how-to page and stands in the reference."""

from __future__ import annotations

import importlib.util
import re
from types import ModuleType

import pytest

from gitmem.cli.app import app
from tests.docs.pages import DOCS, section


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_reference", DOCS / "generate_reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GENERATOR = _generator()
COMMANDS = GENERATOR.commands(app)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_how_to_page(name: str) -> None:
    """The page shows the command at work, and says with which codes it ends."""
    page = DOCS / "how-to" / f"{name}.md"
    assert page.exists(), f"write {page.relative_to(DOCS.parent)}"
    text = page.read_text("utf-8")
    assert text.startswith(f"# {name}: ")
    assert re.search(rf"^\$ .*\bgitmem\b.* {name}\b", text, re.MULTILINE), "no example runs it"
    assert section(text, "## Exit codes").strip()


def test_every_how_to_page_is_that_of_a_command() -> None:
    """A page of a command that is gone is not left behind; one of a task is listed here."""
    pages = {path.stem for path in (DOCS / "how-to").glob("*.md")}
    assert pages == {*COMMANDS, "check-in-ci"}


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_stands_in_the_reference(name: str) -> None:
    """Command, arguments and options are all in reference/commands.md."""
    text = section((DOCS / "reference/commands.md").read_text("utf-8"), f"## {name}")
    for parameter in COMMANDS[name].params:
        for flag in [*parameter.opts, *parameter.secondary_opts]:
            if flag.startswith("-") and flag not in GENERATOR.IN_EVERY_COMMAND:
                assert f"`{flag}" in text or f", {flag}" in text, flag


@pytest.mark.parametrize("file", GENERATOR.PAGES)
def test_what_is_generated_is_up_to_date(file: str) -> None:
    """`python docs/generate_reference.py` would change nothing."""
    page = DOCS / file
    assert page.read_text("utf-8") == GENERATOR.PAGES[file](), "run: python docs/generate_reference.py"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_print_json(name: str) -> None:
    """--json is an option of every command."""
    assert any("--json" in parameter.opts for parameter in COMMANDS[name].params)
