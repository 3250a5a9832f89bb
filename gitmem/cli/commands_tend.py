"""Commands for old memories: tend, pin, unpin."""

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
    Reason,
    Reference,
    SessionName,
    origin_of,
)
from gitmem.cli.render_tend import tended_text
from gitmem.cli.render_writes import edited_text
from gitmem.cli.shapes import edited_shape
from gitmem.cli.shapes_tend import tended_shape


def tend(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan, change nothing.")] = False,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Do what the policies of the store say of old memories; nothing is deleted.

    Each memory has its reason. What is pinned, and what others depend on, stays. One undo takes all of it
    back. For an agent the moves become a proposal, and a person decides.

    Example: gitmem tend --dry-run
    """
    door = session_of(context, as_json, folder)
    tended = door.store().tend(dry_run=dry_run, origin=origin_of(agent, session, None, reason))
    door.talk_all([*tended.plan.notes, *tended.notices])
    door.emit(lambda: tended_shape(tended), lambda: tended_text(tended))


def pin(
    context: typer.Context,
    reference: Reference,
    expect: Expect = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Keep a memory where it is, however long nobody asks for it.

    Policies leave it alone, and its strength stays 1.

    Example: gitmem pin m7k2q9xw --reason "the contract refers to it"
    """
    door = session_of(context, as_json, folder, branch)
    written = door.store().pin(reference, expect=expect, origin=origin_of(agent, session, None, reason))
    door.talk_all(written.notices)
    door.emit(lambda: edited_shape(written), lambda: edited_text(written))


def unpin(
    context: typer.Context,
    reference: Reference,
    expect: Expect = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Leave a memory to the policies again.

    Example: gitmem unpin m7k2q9xw
    """
    door = session_of(context, as_json, folder, branch)
    written = door.store().unpin(reference, expect=expect, origin=origin_of(agent, session, None, reason))
    door.talk_all(written.notices)
    door.emit(lambda: edited_shape(written), lambda: edited_text(written))


COMMANDS: dict[str, Callable[..., Any]] = {"tend": tend, "pin": pin, "unpin": unpin}
