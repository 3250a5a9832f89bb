"""Commands about versions: log, diff, blame, revert, undo."""

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
from gitmem.cli.render import log_text
from gitmem.cli.render_sync import since_fork_text
from gitmem.cli.render_writes import blamed_text, compared_text, edited_text, undone_text
from gitmem.cli.shapes import edited_shape, log_shape
from gitmem.cli.shapes_more import blamed_shape, compared_shape, undone_shape
from gitmem.cli.shapes_sync import since_fork_shape
from gitmem.errors import BadInput


def log(
    context: typer.Context,
    reference: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="A memory; the whole store if left out.", show_default=False),
    ] = None,
    limit: Limit = 50,
    since_fork: Annotated[
        bool,
        typer.Option("--since-fork", help="Which memories changed since this was cloned, here and there."),
    ] = False,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Show what happened: to the store, or to one memory across renames and moves.

    Example: gitmem log m7k2q9xw
    """
    door = session_of(context, as_json, folder, branch)
    if since_fork:
        if reference is not None:
            raise BadInput("--since-fork is about the whole store, so name no memory", field="since-fork")
        since = door.store().since_fork()
        door.emit(lambda: since_fork_shape(since), lambda: since_fork_text(since))
        return
    result = door.store().log(reference, limit=limit)
    door.emit(lambda: log_shape(result), lambda: log_text(result))


def diff(
    context: typer.Context,
    reference: Reference,
    old: Annotated[
        str | None,
        typer.Argument(metavar="[V1]", help="A version: v3, a commit, a date.", show_default=False),
    ] = None,
    new: Annotated[
        str | None, typer.Argument(metavar="[V2]", help="The newest if left out.", show_default=False)
    ] = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Show how two versions of a memory differ, by field and by line.

    The newest and the one before it if none is named.

    Example: gitmem diff m7k2q9xw v1 v3
    """
    door = session_of(context, as_json, folder, branch)
    compared = door.store().diff(reference, old, new)
    door.emit(lambda: compared_shape(compared), lambda: compared_text(compared))


def blame(
    context: typer.Context,
    reference: Reference,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Show for every line of a memory which version brought it, when and by whom.

    Example: gitmem blame m7k2q9xw
    """
    door = session_of(context, as_json, folder, branch)
    blamed = door.store().blame(reference)
    door.emit(lambda: blamed_shape(blamed), lambda: blamed_text(blamed))


def revert(
    context: typer.Context,
    reference: Reference,
    to: Annotated[
        str, typer.Option("--to", metavar="VERSION", help="v3, a commit, or a date.", show_default=False)
    ],
    expect: Expect = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Bring an earlier version of a memory back, as a new one.

    Example: gitmem revert m7k2q9xw --to v1 --reason "the correction was wrong"
    """
    door = session_of(context, as_json, folder, branch)
    written = door.store().revert(
        reference, to, expect=expect, origin=origin_of(agent, session, None, reason)
    )
    door.talk_all(written.notices)
    door.emit(lambda: edited_shape(written), lambda: edited_text(written))


def undo(
    context: typer.Context,
    operation: Annotated[
        str | None,
        typer.Argument(metavar="[OPERATION]", help="Which one; your last if left out.", show_default=False),
    ] = None,
    agent: Annotated[str | None, option("--agent", "NAME", "The last one of this agent.")] = None,
    session: SessionName = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Take your last operation back as a whole: a write, a batch, a move.

    Refused with exit code 4 if a later commit touched the same files.

    Example: gitmem undo
    """
    door = session_of(context, as_json, folder, branch)
    undone = door.store().undo(operation, origin=origin_of(agent, session, None, reason))
    door.talk_all(undone.notices)
    door.emit(lambda: undone_shape(undone), lambda: undone_text(undone))


COMMANDS: dict[str, Callable[..., Any]] = {
    "log": log,
    "diff": diff,
    "blame": blame,
    "revert": revert,
    "undo": undo,
}
