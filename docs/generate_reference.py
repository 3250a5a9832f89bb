"""Write reference/commands.md from the commands, and reference/json.md and the index from the how-to pages.

usage: python docs/generate_reference.py
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
sys.path.insert(0, str(DOCS.parent))

_WIDE = 100
IN_EVERY_COMMAND = frozenset({"--json", "-C", "--help", "-h"})
"""Options that every command has; they stand at the top of the page once."""
LIST_START = "<!-- how-to pages: generated from their first lines -->"
LIST_END = "<!-- end of the how-to pages -->"
MARK = "<!-- what follows is generated from the how-to pages -->"


def commands(app: Any) -> dict[str, Any]:
    """The commands of a typer app by name, in the order of its help; hidden ones are left out."""
    import typer

    group: Any = typer.main.get_command(app)
    return {name: command for name, command in group.commands.items() if not command.hidden}


def commands_page() -> str:
    """The text of reference/commands.md."""
    from gitmem.cli.app import app

    parts = [
        "# Commands",
        "This page is generated from the commands. `gitmem COMMAND --help` says the same in the terminal.",
        "Options of every command; they may stand before or behind its name:",
        _table(
            ("option", "meaning"),
            [
                ("`-C DIR`", "Work on the store that DIR lies in. Without it: `GITMEM_STORE`, else here."),
                ("`--json`", "Print JSON instead of text: see [json.md](json.md)."),
                ("`-h`, `--help`", "Show the help of the command."),
            ],
        ),
        "Exit codes: see [exit-codes.md](exit-codes.md).",
    ]
    for name, command in commands(app).items():
        parts += _command(name, command)
    return "\n\n".join(parts) + "\n"


def _command(name: str, command: Any) -> list[str]:
    arguments = [each for each in command.params if each.param_type_name == "argument"]
    options = [each for each in command.params if each.param_type_name == "option"]
    own = [each for each in options if not IN_EVERY_COMMAND.intersection(each.opts)]
    usage = " ".join(["gitmem", name, *(["[OPTIONS]"] if own else []), *map(_argument, arguments)])
    parts = [f"## {name}", f"```text\n{usage}\n```", _help(command.help or "")]
    if arguments:
        rows = [(f"`{_cell(_argument(each))}`", _cell(each.help or "")) for each in arguments]
        parts.append(_table(("argument", "meaning"), rows))
    if own:
        parts.append(_table(("option", "meaning"), [(_flags(each), _meaning(each)) for each in own]))
    parts.append(f"How to use it: [{name}](../how-to/{name}.md).")
    return parts


def _argument(parameter: Any) -> str:
    name = str(parameter.metavar or parameter.name.upper())
    repeated = "..." if parameter.nargs == -1 else ""
    return name + repeated


def _flags(parameter: Any) -> str:
    value = "" if getattr(parameter, "is_flag", False) else f" {parameter.metavar or 'VALUE'}"
    flags = (*parameter.opts, *parameter.secondary_opts)
    return ", ".join(f"`{flag}{value}`" for flag in flags).replace("|", "\\|")


def _meaning(parameter: Any) -> str:
    text = _cell(parameter.help or "")
    default = parameter.default
    if getattr(parameter, "is_flag", False) or default is None or callable(default) or default == []:
        return text
    return f"{text} Default: {default}."


def _help(text: str) -> str:
    """The help of a command: an example becomes code, paragraphs stay."""
    paragraphs = [" ".join(each.split()) for each in text.split("\n\n") if each.strip()]
    return "\n\n".join(
        re.sub(r"^Examples?: (.+)$", r"Example: `\1`", paragraph) for paragraph in map(_cell, paragraphs)
    )


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def json_page() -> str:
    """The text of reference/json.md: its beginning as it is, then the tables of the how-to pages."""
    from gitmem.cli.app import app

    page = DOCS / "reference/json.md"
    beginning = page.read_text("utf-8").partition(MARK)[0]
    parts = [beginning + MARK]
    for name in commands(app):
        how_to = DOCS / "how-to" / f"{name}.md"
        section = _json_section(how_to.read_text("utf-8")) if how_to.exists() else ""
        parts += [f"## {name}", section or "Not documented.", f"Example: [{name}](../how-to/{name}.md#json)."]
    return "\n\n".join(parts) + "\n"


def _json_section(text: str) -> str:
    """What a how-to page says under "JSON", without its examples."""
    match = re.search(r"^## JSON\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    kept = re.sub(r"^```.*?^```\n", "", match[1], flags=re.MULTILINE | re.DOTALL) if match else ""
    kept = re.sub(r"\]\((?!\.\./|https?:|#)", "](../how-to/", kept)
    return re.sub(r"\n{3,}", "\n\n", kept).strip()


def index_page() -> str:
    """The text of README.md: as it is, with the list of how-to pages in the order of the commands."""
    from gitmem.cli.app import app

    before, start, rest = (DOCS / "README.md").read_text("utf-8").partition(LIST_START)
    _, end, after = rest.partition(LIST_END)
    lines = []
    for name in commands(app):
        page = DOCS / "how-to" / f"{name}.md"
        if page.exists():
            title = page.read_text("utf-8").partition("\n")[0].partition(": ")[2]
            lines.append(f"- [{name}](how-to/{name}.md): {title}.")
    return before + start + "\n\n" + "\n".join(lines) + "\n\n" + end + after


PAGES: dict[str, Callable[[], str]] = {
    "reference/commands.md": commands_page,
    "reference/json.md": json_page,
    "README.md": index_page,
}


def main() -> None:
    """Writes the pages that changed."""
    for name, text_of in PAGES.items():
        page = DOCS / name
        text = text_of()
        if not page.exists() or page.read_text("utf-8") != text:
            page.write_text(text, encoding="utf-8")
            print(f"wrote docs/{name}")


if __name__ == "__main__":
    main()
