"""Commands that move memories: archive, restore, import, export; and doctor."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import Agent, AsJson, Branch, Folder, Reason, SessionName, option, origin_of
from gitmem.cli.render_writes import doctor_text, exported_text, imported_text, moved_text
from gitmem.cli.shapes_more import doctor_shape, exported_shape, imported_shape, moved_shape
from gitmem.errors import BadInput
from gitmem.model.transcripts import AGENTS

References = Annotated[list[str], typer.Argument(metavar="ID...", help="The memories.", show_default=False)]


def archive(
    context: typer.Context,
    references: References,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Take memories off main and put them on the archive branch, with attachments and history.

    recall --archived finds them there, restore brings them back. With --branch proposals/NAME it is proposed.

    Example: gitmem archive m7k2q9xw --reason "the project ended"
    """
    door = session_of(context, as_json, folder, branch)
    moved = door.store().archive(references, origin=origin_of(agent, session, None, reason))
    door.talk_all(moved.notices)
    door.emit(lambda: moved_shape(moved), lambda: moved_text(moved))


def restore(
    context: typer.Context,
    references: References,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Bring archived memories back to main.

    Example: gitmem restore m7k2q9xw
    """
    door = session_of(context, as_json, folder)
    moved = door.store().restore(references, origin=origin_of(agent, session, None, reason))
    door.talk_all(moved.notices)
    door.emit(lambda: moved_shape(moved), lambda: moved_text(moved))


def import_(
    context: typer.Context,
    kind: Annotated[
        str,
        typer.Argument(metavar="KIND", help="folder, jsonl, claude-code or codex.", show_default=False),
    ],
    path: Annotated[
        Path | None,
        typer.Argument(metavar="[PATH]", help="The folder or file; none of an agent.", show_default=False),
    ] = None,
    namespace: Annotated[str | None, option("--in", "FOLDER", "Put a folder's files below this one.")] = None,
    project: Annotated[
        Path | None,
        typer.Option("--project", metavar="DIR", help="The project of an agent; here if left out."),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Of a folder, take in also what is known elsewhere.")
    ] = False,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Take in the Markdown files of a folder, one such file, or what export wrote; without doubles.

    Of claude-code and codex it takes their notes of a project, and one episode for each session.
    Bytes and relative paths are kept. What was changed in the store since the last import stays;
    what was taken out of the store stays out. The source is only read.

    Example: gitmem import folder ~/notes
    """
    door = session_of(context, as_json, folder, branch)
    origin = origin_of(agent, session, None, reason)
    if kind in AGENTS:
        if path is not None or namespace is not None:
            raise BadInput(f"import {kind} takes no PATH and no --in", field="path", hint="--project DIR")
        imported = door.store().import_agent(kind, project, origin=origin)
    elif project is not None:
        raise BadInput(f"--project: only with {' and '.join(AGENTS)}", field="project")
    elif kind not in ("folder", "markdown", "jsonl"):
        raise BadInput(f"KIND: {kind!r} is none of folder, jsonl, {', '.join(AGENTS)}", field="kind")
    elif path is None:
        raise BadInput("PATH is missing", field="path", hint=f"'gitmem import {kind} PATH'")
    elif kind in ("folder", "markdown"):
        imported = door.store().import_folder(path, namespace=namespace, force=force, origin=origin)
    else:
        imported = door.store().import_jsonl(path, origin=origin)
    door.talk_all(imported.notices)
    door.emit(lambda: imported_shape(imported), lambda: imported_text(imported))


def export(
    context: typer.Context,
    target: Annotated[
        Path, typer.Argument(metavar="DIR|FILE.jsonl", help="Where to write.", show_default=False)
    ],
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Write all memories as plain files below a folder, or as JSON lines.

    Example: gitmem export backup.jsonl
    """
    door = session_of(context, as_json, folder, branch)
    exported = door.store().export(target)
    door.emit(lambda: exported_shape(exported), lambda: exported_text(exported))


def doctor(
    context: typer.Context,
    fix: Annotated[bool, typer.Option("--fix", help="Mend what can be mended.")] = False,
    dead: Annotated[
        list[str] | None,
        typer.Option(
            "--dead", metavar="WRITE", help="With --fix: the process of this unfinished write has ended."
        ),
    ] = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Find what an accident left behind in the store, and mend it with --fix.

    Changes nothing without --fix. Exit code 1 if something is left to do. Nothing is deleted that gitmem
    cannot prove to be its own; what was damaged is kept in the git directory, in gitmem/aside.

    Example: gitmem doctor --fix
    """
    door = session_of(context, as_json, folder)
    if dead and not fix:
        raise BadInput("--dead: only together with --fix", field="dead")
    from gitmem.store import Store

    ailments = Store.diagnose(door.start(), fix=fix, dead=dead or ())
    door.emit(lambda: doctor_shape(ailments), lambda: doctor_text(ailments))
    if any(not ailment.is_fixed for ailment in ailments):
        raise typer.Exit(1)


COMMANDS: dict[str, Callable[..., Any]] = {
    "archive": archive,
    "restore": restore,
    "import": import_,
    "export": export,
    "doctor": doctor,
}
