"""Commands for coding agents: install, uninstall, and hook-agent, which the agents call."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import AsJson, Folder
from gitmem.cli.session import Session, read_in, write_out
from gitmem.errors import BadInput, GitmemError, NotAStore

if TYPE_CHECKING:
    from gitmem.flows.agents.events import EventAnswer
    from gitmem.flows.install import Installed
    from gitmem.store import Store

MOST_MEMORIES = 5
AgentName = Annotated[str, typer.Argument(metavar="AGENT", help="claude-code or codex.", show_default=False)]
ForProject = Annotated[
    bool, typer.Option("--project", help="The settings of the project that this folder lies in; the default.")
]
ForUser = Annotated[bool, typer.Option("--user", help="The settings of the user, for all projects.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and do nothing.")]


def install(
    context: typer.Context,
    agent: AgentName,
    project: ForProject = False,
    user: ForUser = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Let a coding agent use the store by itself: hooks, the MCP server and a skill in its settings.

    What stands in the settings stays byte for byte. Only a person may do it. May be repeated.

    Example: gitmem install claude-code
    """
    from gitmem.store import Store

    _set_up(context, Store.install, agent, (project, user, dry_run), as_json, folder)


def uninstall(
    context: typer.Context,
    agent: AgentName,
    project: ForProject = False,
    user: ForUser = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Take out of the settings of a coding agent what install put there, and nothing else.

    The store and its memories stay. Only a person may do it.

    Example: gitmem uninstall claude-code
    """
    from gitmem.store import Store

    _set_up(context, Store.uninstall, agent, (project, user, dry_run), as_json, folder)


def _set_up(
    context: typer.Context,
    verb: Callable[..., Installed],
    agent: str,
    how: tuple[bool, bool, bool],
    as_json: bool,
    folder: Path | None,
) -> None:
    from gitmem.cli.render_agents import installed_text
    from gitmem.cli.shapes_agents import installed_shape

    project, user, dry_run = how
    session = session_of(context, as_json, folder)
    if project and user:
        raise BadInput("--project and --user exclude each other", field="user")
    done = verb(agent, session.folder or Path(), for_user=user, is_dry_run=dry_run)
    session.talk_all(list(done.notices))
    session.emit(lambda: installed_shape(done), lambda: installed_text(done))


def hook_agent(
    context: typer.Context,
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The agent: claude-code or codex.", show_default=False)
    ],
    event: Annotated[
        str,
        typer.Argument(
            metavar="EVENT",
            help="session-start, prompt-submit, pre-compact or session-end.",
            show_default=False,
        ),
    ],
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=0, metavar="N", help="Give at most N memories for a prompt.")
    ] = MOST_MEMORIES,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Answer an event of a coding agent, which is read from standard input; called by its hooks.

    Gives the brief at the start of a session, the relevant memories for a prompt, and saves the session
    before it is compacted and when it ends, with what it noted. Never fails, and takes two seconds at most.

    Example: gitmem hook-agent claude-code session-start < event.json
    """
    session = session_of(context, as_json, folder)
    try:
        answer = _answer(session, name, event, _payload(), limit)
    except GitmemError as error:
        session.talk(error.message)
        return
    if answer.saved is not None and answer.saved.reason is not None:
        session.talk(f"the session is not saved: {answer.saved.reason}")
    if answer.unsettled is not None:
        session.talk(f"the notes of the session: {answer.unsettled}")
    _print(session, answer)


def _payload() -> dict[str, Any]:
    text = read_in("-", what="event")
    try:
        payload = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the event on standard input is not JSON: {error}", field="event") from error
    if not isinstance(payload, dict):
        raise BadInput("the event on standard input is not a JSON object", field="event")
    return payload


def _answer(session: Session, name: str, event: str, payload: dict[str, Any], limit: int) -> EventAnswer:
    return _store(session, payload).as_agent(name).answer_event(name, event, payload, most=limit)


def _store(session: Session, payload: dict[str, Any]) -> Store:
    """The store of the folder that the hook runs in, else of the one that the event names."""
    try:
        return session.store()
    except NotAStore:
        named = payload.get("cwd")
        if session.folder is not None or not isinstance(named, str) or not Path(named).is_dir():
            raise
    session.folder = Path(named)
    return session.store()


def _print(session: Session, answer: EventAnswer) -> None:
    """What the agents document: an object that carries the text, and nothing where there is none."""
    from gitmem.cli.shapes import json_text
    from gitmem.cli.shapes_agents import event_shape, hook_output

    shape = event_shape(answer) if session.as_json else hook_output(answer)
    if shape:
        write_out(json_text(shape))


COMMANDS: dict[str, Callable[..., Any]] = {
    "install": install,
    "uninstall": uninstall,
    "hook-agent": hook_agent,
}
