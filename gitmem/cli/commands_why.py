"""Commands about where memories come from and how they are used: why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import AsJson, Branch, Folder, option
from gitmem.cli.render_why import why_text
from gitmem.cli.shapes_why import why_shape


def why(
    context: typer.Context,
    reference: Annotated[
        str,
        typer.Argument(metavar="ID", help="A memory, or a version of it: ID@v2.", show_default=False),
    ],
    text: Annotated[str | None, option("--text", "PHRASE", "Only the statements that contain this.")] = None,
    line: Annotated[
        int | None,
        typer.Option(
            "--line", metavar="N", help="Only the statement at this line of the file.", show_default=False
        ),
    ] = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Show for every statement of a memory who put it there, when, from what source and why.

    A statement is a paragraph, a list item, a heading, a row, a block of code, or a header field.
    Renames, moves, merges and reverts are followed.

    Example: gitmem why m7k2q9xw --text "by e-mail"
    """
    door = session_of(context, as_json, folder, branch)
    result = door.store().why(reference, text=text, line=line)
    door.emit(lambda: why_shape(result), lambda: why_text(result))


COMMANDS: dict[str, Callable[..., Any]] = {"why": why}
