"""Commands about the store itself: init, uninit, status, reindex, embed, hook."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from gitmem.cli.options import AsJson, Branch, Folder, option
from gitmem.cli.session import Session, read_in, write_out
from gitmem.errors import BadInput, GitmemError, NotAStore
from gitmem.model.visible import one_line

GUARD = "pre-receive"
QUARANTINE_VARIABLE = "GIT_QUARANTINE_PATH"
"""Where git says, to its hooks, that it holds the objects of a push."""


def session_of(
    context: typer.Context, as_json: bool, folder: Path | None, branch: str | None = None
) -> Session:
    """The session of a command: what stands before the command name, overridden by what stands behind it."""
    session: Session = context.obj
    session.as_json = session.as_json or as_json
    session.folder = folder if folder is not None else session.folder
    session.branch = branch
    return session


def welcome(session: Session) -> None:
    """Says where `gitmem` stands and what to try next."""
    from gitmem.cli.render import status_text
    from gitmem.cli.shapes_store import status_shape

    try:
        status = session.store().status()
    except NotAStore as error:
        if session.as_json:
            raise
        write_out(
            f"{one_line(error.message)}\n\n"
            "Try:  gitmem init notes            make a store in the folder notes\n"
            "      gitmem -C notes remember 'Alice wants reports by e-mail'\n"
            "      gitmem -C notes recall 'how does Alice want reports?'\n"
            "      gitmem --help                all commands\n"
        )
        return
    tries = (
        "gitmem remember 'Alice wants reports by e-mail'"
        if not status.memories
        else "gitmem recall 'a question'"
    )
    session.emit(
        lambda: status_shape(status),
        lambda: f"{status_text(status)}\nTry: {tries} · gitmem list · gitmem --help\n",
    )


def init(
    context: typer.Context,
    directory: Annotated[
        Path | None, typer.Argument(metavar="[DIR]", help="The folder; here if left out.", show_default=False)
    ] = None,
    bare: Annotated[bool, typer.Option("--bare", help="Make a bare repository, for a server.")] = False,
    guard: Annotated[
        bool, typer.Option("--guard", help="Refuse pushes into it that rewrite main or lose memories.")
    ] = False,
    ci: Annotated[
        str | None, option("--ci", "KIND", "Also write a file that checks every change: github or generic.")
    ] = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Make a folder a store: a new repository, or the one that is there.

    An existing repository gets one commit that adds only .gitmem/. May be repeated; hooks are
    installed beside those that are there. A file for a build server is not committed, and never overwritten.

    Example: gitmem init notes
    """
    from gitmem.cli.render import founded_text
    from gitmem.cli.shapes import init_shape
    from gitmem.store import Store

    session = session_of(context, as_json, folder)
    base = session.folder or Path()
    founded = Store.found(base / directory if directory else base, bare=bare, guard=guard, ci=ci)
    session.emit(lambda: init_shape(founded), lambda: founded_text(founded))


def uninit(context: typer.Context, as_json: AsJson = False, folder: Folder = None) -> None:
    """Take back what init did; memories stay as plain files.

    Removes the hooks, the index and, in one commit, .gitmem/.

    Example: gitmem uninit
    """
    from gitmem.cli.render import removed_text
    from gitmem.cli.shapes import founded_shape

    session = session_of(context, as_json, folder)
    founded = session.store().uninit()
    session.emit(lambda: founded_shape(founded), lambda: removed_text(founded))


def status(
    context: typer.Context, as_json: AsJson = False, folder: Folder = None, branch: Branch = None
) -> None:
    """Show where the store is, how much is in it and whether all is well.

    Example: gitmem status --json
    """
    from gitmem.cli.render import status_text
    from gitmem.cli.shapes_store import status_shape

    session = session_of(context, as_json, folder, branch)
    result = session.store().status()
    session.emit(lambda: status_shape(result), lambda: status_text(result))


def reindex(
    context: typer.Context, as_json: AsJson = False, folder: Folder = None, branch: Branch = None
) -> None:
    """Build the search index anew.

    Never needed for right answers: every read brings the index up to date by itself.

    Example: gitmem reindex
    """
    from gitmem.cli.render import indexed_text
    from gitmem.cli.shapes import indexed_shape

    session = session_of(context, as_json, folder, branch)
    indexed = session.store().reindex()
    session.talk_all([f"{line} (header not readable, indexed by its text)" for line in indexed.unreadable])
    session.emit(lambda: indexed_shape(indexed), lambda: indexed_text(indexed))


def embed(
    context: typer.Context, as_json: AsJson = False, folder: Folder = None, branch: Branch = None
) -> None:
    """Make the vectors that recall by meaning is missing.

    Goes on where it ended. Recall makes a few by itself, and has many made in the background. Wants
    git config gitmem.embeddings to be local or endpoint.

    Example: gitmem embed
    """
    from gitmem.cli.render import embedded_text
    from gitmem.cli.shapes_more import embedded_shape

    session = session_of(context, as_json, folder, branch)
    embedded = session.store().embed()
    session.emit(lambda: embedded_shape(embedded), lambda: embedded_text(embedded))


def hook(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="The git hook that calls.", show_default=False)],
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Bring the index up to date; called by the git hooks, which never fail because of it.

    As pre-receive it checks a push instead, and fails with exit code 5 where memories would be lost.

    Example: gitmem hook post-commit
    """
    from gitmem.cli.render import indexed_text
    from gitmem.cli.shapes import indexed_shape

    session = session_of(context, as_json, folder)
    if name == GUARD:
        lines = read_in("-", what="updates").splitlines()
        session.store(is_mended=False).guard(lines, quarantine=os.environ.get(QUARANTINE_VARIABLE))
        return
    try:
        indexed = session.store().hook(name)
    except BadInput:
        raise
    except GitmemError as error:
        session.talk(error.message)
        return
    session.emit(lambda: indexed_shape(indexed), lambda: indexed_text(indexed))


COMMANDS: dict[str, Callable[..., Any]] = {
    "init": init,
    "uninit": uninit,
    "status": status,
    "reindex": reindex,
    "embed": embed,
    "hook": hook,
}
