"""Commands between clones: clone, sync."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import Agent, AsJson, Folder, Reason, SessionName, option, origin_of
from gitmem.cli.render_sync import cloned_text, synced_text
from gitmem.cli.shapes_sync import cloned_shape, synced_shape

FINDINGS_EXIT = 1


def clone(
    context: typer.Context,
    url: Annotated[
        str, typer.Argument(metavar="URL", help="The store: an address or a folder.", show_default=False)
    ],
    directory: Annotated[
        Path | None,
        typer.Argument(metavar="[DIR]", help="The new folder; by its name if left out.", show_default=False),
    ] = None,
    active_only: Annotated[
        bool, typer.Option("--active-only", help="Leave archived memories behind, at each sync too.")
    ] = False,
    agent: Annotated[
        str | None, option("--agent", "NAME", "Who new memories here come from, where nobody is named.")
    ] = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Make a store of your own out of another one: clone it, and set the clone up.

    Git clones it, with your credential helpers and SSH keys. Hooks, merge driver and index are set up, and
    where it was forked is noted. A password in the address is used once and kept nowhere.

    Example: gitmem clone git@example.com:team/memory.git --agent scout
    """
    from gitmem.store import Store

    door = session_of(context, as_json, folder)
    cloned = Store.clone(
        url,
        directory,
        below=door.folder or Path(),
        active_only=active_only,
        agent=agent,
        notice=door.talk,
        progress=door.progress,
    )
    door.emit(lambda: cloned_shape(cloned), lambda: cloned_text(cloned))


def sync(
    context: typer.Context,
    remote: Annotated[
        str | None,
        typer.Argument(
            metavar="[REMOTE]", help="A remote, or its address; origin if left out.", show_default=False
        ),
    ] = None,
    no_push: Annotated[bool, typer.Option("--no-push", help="Fetch and merge, send nothing.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Fetch, and show what would come and go.")
    ] = False,
    uses: Annotated[
        bool, typer.Option("--uses", help="Share how often memories are used too, as usage share does.")
    ] = False,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Bring this store and a remote to the same memories: fetch, merge, push, again where others were faster.

    Main, archive and proposals are synced. Nothing is forced, and neither side loses anything; what
    contradicts becomes a dispute. Files below .gitmem/ that changed there are left alone and named, with
    exit code 1.

    Example: gitmem sync
    """
    door = session_of(context, as_json, folder)
    store = door.store()
    synced = store.sync(
        remote, push=not no_push, dry_run=dry_run, origin=origin_of(agent, session, None, reason)
    )
    shared = store.share_usage(synced.remote) if uses and synced.is_pushed else None
    door.talk_all(synced.notices)
    door.talk_all([f"{finding.message}; {finding.hint}" for finding in synced.findings])
    door.emit(lambda: synced_shape(synced, shared), lambda: synced_text(synced, shared))
    if synced.findings:
        raise typer.Exit(FINDINGS_EXIT)


COMMANDS: dict[str, Callable[..., Any]] = {"clone": clone, "sync": sync}
