"""The commands that give a model what it should know: for a task, and at the beginning of a session."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import AgentFilter, AsJson, AsOf, Branch, Folder, InFilter, option, session_here

MAX_TOKENS = 2_000


def context(
    context: typer.Context,
    task: Annotated[
        list[str], typer.Argument(metavar="TASK", help="What is to be done, in words.", show_default=False)
    ],
    max_tokens: Annotated[
        int, typer.Option("--max-tokens", metavar="N", help="How many tokens the text may take.")
    ] = MAX_TOKENS,
    agent: AgentFilter = None,
    namespace: InFilter = None,
    session: Annotated[
        str | None,
        option("--session", "NAME", "Give the working memories of this session; GITMEM_SESSION if left out."),
    ] = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Give what is worth knowing for a task, as one text for a language model, within a budget of tokens.

    Prints nothing where nothing in the store is relevant. The text is made by .gitmem/context.md of the
    store, where it has one. Tokens are estimated, rather too many than too few; by tiktoken where it is
    installed with its vocabulary.

    Example: gitmem context "send Alice the monthly report" --max-tokens 1500
    """
    from gitmem.cli.shapes_context import context_shape

    door = session_of(context, as_json, folder, branch)
    found = door.store(as_of).context(
        " ".join(task),
        max_tokens=max_tokens,
        agent=agent,
        namespace=namespace,
        session=session or session_here(),
    )
    door.talk_all(list(found.notes))
    door.emit(lambda: context_shape(found), lambda: found.text)


def brief(
    context: typer.Context,
    write: Annotated[
        bool, typer.Option("--write", help="Keep it as MEMORY.md in the worktree, where git ignores it.")
    ] = False,
    as_of: AsOf = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Print an overview of the store for the beginning of a session: at most 200 lines and 25,000 bytes.

    With --write it is kept as MEMORY.md, untracked, and brought up to date by the git hooks. A MEMORY.md
    that gitmem did not write is left as it is, and the command refuses.

    Example: gitmem brief --write
    """
    from gitmem.cli.shapes_context import brief_shape
    from gitmem.errors import BadInput

    door = session_of(context, as_json, folder, branch)
    if not write:
        found = door.store(as_of).brief()
        door.emit(lambda: brief_shape(found, None), lambda: found.text)
        return
    if as_of is not None or branch is not None:
        raise BadInput("--write keeps the brief of main as it is now", field="write")
    written, file = door.store().write_brief()
    door.emit(lambda: brief_shape(written, file), lambda: f"{file} is written, and git ignores it\n")


COMMANDS: dict[str, Callable[..., Any]] = {"context": context, "brief": brief}
