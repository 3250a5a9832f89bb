"""The command that starts the helper."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import AsJson, Folder

IDLE_SECONDS = 900.0
MAX_MEMORY_MIB = 1024
MODULES_OF_ANSWERS = (
    "gitmem.cli.commands_agents",
    "gitmem.cli.commands_read",
    "gitmem.cli.commands_write",
    "gitmem.cli.render",
    "gitmem.cli.shapes",
    "gitmem.cli.shapes_agents",
    "gitmem.flows.agents.events",
    "gitmem.flows.recall",
    "gitmem.flows.remember",
    "gitmem.flows.upkeep",
    "gitmem.index.branch_index",
    "gitmem.recall.search",
    "gitmem.recall.snippet",
)


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
    stop: Annotated[bool, typer.Option("--stop", help="End the helper that runs for this store.")] = False,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Answer recall, remember and hook for this store, so that they start faster.

    Runs until it is idle, stopped or the store goes away. Only commands of the same user reach it;
    without it they do the same work themselves. 'git config gitmem.serve true' starts one on demand.

    Example: gitmem serve --idle 3600
    """
    from gitmem.helper.server import Helper, stop_helper

    session = session_of(context, as_json, folder)
    store = session.store()
    common_dir = store.place.repository.common_dir
    if stop:
        ended = stop_helper(common_dir)
        said = "the helper has ended" if ended else "no helper runs for this store"
        session.emit(lambda: {"ended": ended}, lambda: f"{said}\n")
        return
    helper = Helper(common_dir, _answer, idle_seconds=idle, max_memory_bytes=max_memory * 2**20)
    _load_what_answers_need()
    helper.serve(lambda: session.talk(f"listening for the store at {common_dir}"))
    shape = {"answered": helper.answered, "declined": helper.declined, "reason": helper.reason}
    session.emit(
        lambda: shape,
        lambda: f"answered {helper.answered}, left {helper.declined} to the commands; {helper.reason}\n",
    )


def _load_what_answers_need() -> None:
    """So that the first answer does not wait for it."""
    for name in MODULES_OF_ANSWERS:
        import_module(name)


def _answer(arguments: list[str]) -> int:
    from gitmem.cli.run import Unusual, run_for_another
    from gitmem.helper.server import Declined

    try:
        return run_for_another(arguments)
    except Unusual as error:
        raise Declined from error


COMMANDS: dict[str, Callable[..., Any]] = {"serve": serve}
