"""The command that judges memories: check."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import AsJson, Branch, Folder, option
from gitmem.cli.session import Session, write_out
from gitmem.errors import BadInput

if TYPE_CHECKING:
    from gitmem.flows.check import Checked

FORMATS = ("text", "json", "markdown", "sarif")
FAIL_ON = ("error", "warning", "note", "never")


def check(
    context: typer.Context,
    base: Annotated[
        str | None,
        option("--base", "REF", "Judge only what changed since the last common commit with REF."),
    ] = None,
    thorough: Annotated[
        bool,
        typer.Option("--thorough", help="Also compare all memories: near-duplicates, contradictions."),
    ] = False,
    format: Annotated[
        str | None, option("--format", "FORMAT", "text, json, markdown or sarif; text if left out.")
    ] = None,
    fail_on: Annotated[
        str,
        typer.Option(
            "--fail-on", metavar="SEVERITY", help="Exit 1 from error, warning or note on; or never."
        ),
    ] = "error",
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Report what is wrong with the memories, or with a change to them; change nothing.

    With --base, what changed up to the commit that is checked out is judged by the config of REF: broken
    headers and links, ids used twice, deletions, near-duplicates, contradictions, text that gives orders to a
    model, changes to the policy. Only what changed is read, and what the index says is close to it.

    Without, every memory is read. What memories say of each other is compared only with --thorough, as that
    takes longer than the rest; with --base it always is.

    Exit code 1 if something needs mending: a finding as bad as --fail-on says.

    Examples: gitmem check --base origin/main --format markdown
    """
    for value, choices, name in ((format, FORMATS, "format"), (fail_on, FAIL_ON, "fail-on")):
        if value is not None and value not in choices:
            raise BadInput(f"--{name}: {value!r} is none of {', '.join(choices)}", field=name)
    session = session_of(context, as_json, folder, branch)
    if session.as_json and format not in (None, "json"):
        raise BadInput(f"--json and --format {format} contradict each other", field="format")
    session.as_json = session.as_json or format == "json"
    checked = session.store(is_mended=False).check(base, is_thorough=thorough)
    _print(session, checked, format or "text")
    if checked.has_at_least(fail_on):
        raise typer.Exit(1)


def _print(session: Session, checked: Checked, format: str) -> None:
    from gitmem.cli.render_check import checked_markdown, checked_text
    from gitmem.cli.sarif import sarif_shape
    from gitmem.cli.shapes import json_text
    from gitmem.cli.shapes_check import checked_shape

    session.progress.clear()
    if format == "markdown":
        write_out(checked_markdown(checked))
    elif format == "sarif":
        write_out(json_text(sarif_shape(checked)))
    else:
        session.emit(lambda: checked_shape(checked), lambda: checked_text(checked))


COMMANDS: dict[str, Callable[..., Any]] = {"check": check}
