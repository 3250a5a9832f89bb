"""Commands of working memory: note, session."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import (
    Agent,
    AsJson,
    Folder,
    Reason,
    SessionName,
    Source,
    option,
    origin_of,
    session_here,
)
from gitmem.cli.session import Session, read_in
from gitmem.errors import BadInput

if TYPE_CHECKING:
    from gitmem.model.change import Origin

ACTIONS = ("start", "end", "list")


def note(
    context: typer.Context,
    text: Annotated[
        str,
        typer.Argument(metavar="TEXT|-", help="What to note; - reads standard input.", show_default=False),
    ],
    title: Annotated[str | None, option("--title", "TEXT", "Its title; the first line if left out.")] = None,
    namespace: Annotated[str | None, option("--in", "NAMESPACE", "Where it belongs: people/alice.")] = None,
    tag: Annotated[list[str] | None, option("--tag", "TAG", "A tag; may be repeated.")] = None,
    importance: Annotated[
        float | None,
        typer.Option("--importance", metavar="0..1", help="How much it matters.", show_default=False),
    ] = None,
    subject: Annotated[str | None, option("--subject", "PERSON", "Whose data it is: person:alice.")] = None,
    source: Source = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Note what matters while a session goes on: a working memory, which main never gets by itself.

    The session is that of --session or GITMEM_SESSION; without one the note belongs to the session unnamed.
    Where the notes of a session take more tokens than the config allows, the oldest become a summary.

    Example: gitmem note "the parser fails on empty input" --session s-m7k2q9xw
    """
    from gitmem.cli.render_remember import remembered_text
    from gitmem.cli.shapes import written_shape

    door = session_of(context, as_json, folder)
    written = door.store().note(
        read_in("-", what="text") if text == "-" else text,
        title=title,
        namespace=namespace,
        tags=tag or (),
        importance=importance,
        subject=subject,
        origin=origin_of(agent, session, source, reason),
    )
    door.talk_all(written.notices)
    door.emit(lambda: written_shape(written), lambda: remembered_text(written, explain=False))


def session(
    context: typer.Context,
    action: Annotated[str, typer.Argument(metavar="ACTION", help="start, end or list.", show_default=False)],
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="The session. start makes one up; end takes GITMEM_SESSION.",
            show_default=False,
        ),
    ] = None,
    then: Annotated[
        str | None,
        option("--then", "FATE", "With end: keep, promote, archive or summary, for all notes."),
    ] = None,
    promote: Annotated[
        list[str] | None,
        option("--promote", "ID", "With end: this note goes to main; may be repeated."),
    ] = None,
    becomes: Annotated[
        str | None, option("--as", "TYPE", "With end: the type that promoted notes get.")
    ] = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Begin a session, end it, or list all that have notes.

    start prints a line that names the session to a shell: eval "$(gitmem session start)".
    end keeps, promotes, archives or sums up each note, by the rules of the config unless it is told, in one
    commit on each branch; undo takes all of it back. A session that nobody ends counts as ended after a day
    without notes.

    Example: gitmem session end s-m7k2q9xw --then summary
    """
    if action not in ACTIONS:
        raise BadInput(f"ACTION: {action!r} is none of {', '.join(ACTIONS)}", field="action")
    if action != "end" and (then is not None or promote or becomes is not None):
        raise BadInput("--then, --promote and --as: only with end", field="then")
    door = session_of(context, as_json, folder)
    origin = origin_of(agent, None, None, reason)
    if action == "start":
        _start(door, name, origin)
    elif action == "end":
        _end(door, name or session_here(), then, promote or [], becomes, origin)
    elif name is not None:
        raise BadInput(f"{name!r} is one argument too many", field="name")
    else:
        _list(door)


def _start(door: Session, name: str | None, origin: Origin) -> None:
    from gitmem.cli.render_working import started_text
    from gitmem.cli.shapes_working import started_shape

    started = door.store().start_session(name, origin=origin)
    door.talk_all(started.notices)
    door.emit(lambda: started_shape(started), lambda: started_text(started))
    if sys.stdout.isatty():
        door.talk(
            'this line names the session to a shell: eval "$(gitmem session start)"; --session NAME does, too'
        )


def _end(
    door: Session,
    name: str | None,
    then: str | None,
    promote: list[str],
    becomes: str | None,
    origin: Origin,
) -> None:
    from gitmem.cli.render_working import ended_text
    from gitmem.cli.shapes_working import ended_shape

    if name is None:
        raise BadInput(
            "NAME is missing, and GITMEM_SESSION names no session",
            field="name",
            hint="'gitmem session list' shows them",
        )
    ended = door.store().end_session(name, then=then, promote=promote, becomes=becomes, origin=origin)
    door.talk_all(ended.notices)
    door.emit(lambda: ended_shape(ended), lambda: ended_text(ended))


def _list(door: Session) -> None:
    from gitmem.cli.render_working import sessions_text
    from gitmem.cli.shapes_working import sessions_shape

    found = door.store().sessions()
    door.talk_all(list(found.notes))
    door.emit(lambda: sessions_shape(found), lambda: sessions_text(found))


COMMANDS: dict[str, Callable[..., Any]] = {"note": note, "session": session}
