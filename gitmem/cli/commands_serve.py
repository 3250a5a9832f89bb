"""The command that starts the helper."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import AsJson, Folder

IDLE_SECONDS = 900.0
MAX_MEMORY_MIB = 1024


def serve(
    context: typer.Context,
    idle: Annotated[
        float,
        typer.Option(
            "--idle", min=0, metavar="SECONDS", help="End after so long without a request; 0 never."
        ),
    ] = IDLE_SECONDS,
    max_memory: Annotated[
        int,
        typer.Option("--max-memory", min=1, metavar="MIB", help="End when it holds more memory than this."),
    ] = MAX_MEMORY_MIB,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Answer recall, remember and hook for this store, so that they start faster.

    Runs until it is idle, stopped or the store goes away. Only commands of the same user reach it;
    without it they do the same work themselves. 'git config gitmem.serve true' starts one on demand.

    Example: gitmem serve --idle 3600
    """
    from gitmem.helper.server import Helper

    session = session_of(context, as_json, folder)
    store = session.store()
    common_dir = store.place.repository.common_dir
    helper = Helper(common_dir, _answer, idle_seconds=idle, max_memory_bytes=max_memory * 2**20)
    helper.serve(lambda: session.talk(f"listening for the store at {common_dir}"))


def _answer(arguments: list[str]) -> int:
    from gitmem.cli.run import Unusual, run_for_another
    from gitmem.helper.server import Declined

    try:
        return run_for_another(arguments)
    except Unusual as error:
        raise Declined from error


COMMANDS: dict[str, Callable[..., Any]] = {"serve": serve}
