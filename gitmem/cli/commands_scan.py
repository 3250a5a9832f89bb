"""The command that looks for secrets and personal data: scan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import AsJson, Folder


def scan(
    context: typer.Context,
    history: Annotated[
        bool, typer.Option("--history", help="Also look at every past version and every commit message.")
    ] = False,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Look for secrets and personal data that are in the store already; change nothing.

    Every branch is looked at: memories with their headers, and what is attached to them. What is found is
    named by kind and place, never by its value. Kinds that the policy allows are not looked for.

    Exit code 1 if something was found, or could not be looked at.

    Example: gitmem scan --history
    """
    session = session_of(context, as_json, folder)
    scanned = session.store(is_mended=False).scan(with_history=history)
    from gitmem.cli.render_check import scanned_text
    from gitmem.cli.shapes_check import scanned_shape

    session.progress.clear()
    session.emit(lambda: scanned_shape(scanned), lambda: scanned_text(scanned))
    if not scanned.is_clean:
        raise typer.Exit(1)


COMMANDS: dict[str, Callable[..., Any]] = {"scan": scan}
