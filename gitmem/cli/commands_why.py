"""Commands about where memories come from and how they are used: why, confirm, usage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import (
    Agent,
    AsJson,
    Branch,
    Expect,
    Folder,
    Limit,
    Reason,
    Reference,
    SessionName,
    option,
    origin_of,
)
from gitmem.cli.render_why import confirmed_text, shared_text, usage_text, why_text
from gitmem.cli.shapes_why import confirmed_shape, shared_shape, usage_shape, why_shape
from gitmem.errors import BadInput


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


def usage(
    context: typer.Context,
    action: Annotated[
        str | None,
        typer.Argument(metavar="[share]", help="Put the counts into refs/gitmem/usage.", show_default=False),
    ] = None,
    remote: Annotated[
        str | None,
        typer.Argument(
            metavar="[REMOTE]", help="With share: fetch from it before, push to it after.", show_default=False
        ),
    ] = None,
    limit: Limit = 20,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Show which memories are recalled and shown most; with share, share that with other clones.

    Counts are kept below the git directory of each clone. Without share they go nowhere.

    Example: gitmem usage share origin
    """
    if action not in (None, "share"):
        raise BadInput(f"{action!r} is not 'share'", field="action")
    door = session_of(context, as_json, folder, branch)
    if action is None:
        used = door.store().usage(limit=limit)
        door.emit(lambda: usage_shape(used), lambda: usage_text(used))
    else:
        shared = door.store().share_usage(remote)
        door.emit(lambda: shared_shape(shared), lambda: shared_text(shared))


def confirm(
    context: typer.Context,
    reference: Reference,
    anchors: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ANCHOR...]", help="Which anchors; all if left out.", show_default=False),
    ] = None,
    expect: Expect = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Say that a memory still holds: its anchors count from the code as it is now.

    A file that has another path now is named by that. Refused with exit code 5 for a file that is gone.

    Example: gitmem confirm m7k2q9xw --reason "read the new code"
    """
    door = session_of(context, as_json, folder, branch)
    confirmed = door.store().confirm(
        reference, anchors or (), expect=expect, origin=origin_of(agent, session, None, reason)
    )
    door.talk_all(confirmed.written.notices)
    door.emit(lambda: confirmed_shape(confirmed), lambda: confirmed_text(confirmed))


COMMANDS: dict[str, Callable[..., Any]] = {"why": why, "confirm": confirm, "usage": usage}
