"""The commands and their help. Each command lives in the module of its kind."""

from __future__ import annotations

from typing import Annotated

import typer

from gitmem import __version__
from gitmem.cli.lazy import group_of
from gitmem.cli.options import AsJson, Folder
from gitmem.cli.session import Session, write_out
from gitmem.helper import BY_HELPER

MODULES = {
    "commands_store": "init uninit status reindex embed hook",
    "commands_check": "check",
    "commands_health": "health report",
    "commands_scan": "scan",
    "commands_write": "remember reflect consult",
    "commands_read": "recall list show",
    "commands_context": "context brief",
    "commands_working": "note session",
    "commands_relations": "related path graph entities",
    "commands_edit": "update append tag rename link attach commit",
    "commands_history": "log diff blame revert undo",
    "commands_why": "why confirm usage",
    "commands_merge": "merge conflicts resolve merge-driver",
    "commands_review": "propose proposals review accept reject amend approve",
    "commands_sync": "clone sync",
    "commands_forget": "forget heal tombstones suggest",
    "commands_serve": "serve",
    "commands_agents": "install uninstall hook-agent",
    "commands_mcp": "mcp",
    "commands_keys": "keys",
    "commands_tend": "tend pin unpin",
    "commands_move": "archive restore import export doctor",
}
"""The commands of each module, in the order of the help. A module is loaded when one is called."""

app = typer.Typer(
    cls=group_of({name: module for module, names in MODULES.items() for name in names.split()}),
    name="gitmem",
    help="Git-backed, versioned memory for LLM agents: every memory a Markdown file, every change a commit.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=True,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        write_out(f"gitmem {__version__}\n")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    folder: Folder = None,
    as_json: AsJson = False,
    _version: Annotated[
        bool, typer.Option("--version", help="Print the version.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Git-backed, versioned memory for LLM agents: every memory a Markdown file, every change a commit.

    The store is the one that -C, GITMEM_STORE or the current folder lies in, or names by git config
    gitmem.store.

    Exit codes: 0 done (also when nothing was found), 1 a check failed, 2 wrong use, 3 not found,
    4 conflict, 5 refused, 6 busy, 7 store problem, 8 outside failure, 70 bug, 130 interrupted.
    """
    session = context.obj = Session(as_json=as_json, folder=folder)
    if context.invoked_subcommand in BY_HELPER:
        context.call_on_close(session.close)
    if context.invoked_subcommand is None:
        from gitmem.cli.commands_store import welcome

        welcome(context.obj)
