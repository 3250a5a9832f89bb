"""Commands that change a memory: update, append, tag, rename, link, attach, commit."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

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
    Source,
    option,
    origin_of,
    parse_pairs,
)
from gitmem.cli.render_writes import committed_text, edited_text
from gitmem.cli.session import Session, read_in
from gitmem.cli.shapes import edited_shape
from gitmem.cli.shapes_more import committed_shape
from gitmem.errors import BadInput

if TYPE_CHECKING:
    from gitmem.flows.remember import Written


def _done(door: Session, written: Written) -> None:
    door.talk_all(written.notices)
    door.emit(lambda: edited_shape(written), lambda: edited_text(written))


def update(
    context: typer.Context,
    reference: Reference,
    text: Annotated[
        str | None,
        typer.Argument(metavar="[TEXT|-]", help="The new text; - reads standard input.", show_default=False),
    ] = None,
    title: Annotated[str | None, option("--title", "TEXT", "A new title.")] = None,
    field: Annotated[list[str] | None, option("--field", "K=V", "Set a front matter field.")] = None,
    unset: Annotated[list[str] | None, option("--unset", "FIELD", "Take a front matter field out.")] = None,
    importance: Annotated[
        float | None,
        typer.Option("--importance", metavar="0..1", help="How much it matters.", show_default=False),
    ] = None,
    confidence: Annotated[
        float | None, typer.Option("--confidence", metavar="0..1", help="How sure it is.", show_default=False)
    ] = None,
    status: Annotated[
        str | None, option("--status", "STATUS", "active, superseded, disputed or expired.")
    ] = None,
    valid_from: Annotated[str | None, option("--valid-from", "DATE", "From when it holds.")] = None,
    valid_until: Annotated[str | None, option("--valid-until", "DATE", "Until when it holds.")] = None,
    anchor: Annotated[
        list[str] | None,
        option("--anchor", "PATH[#SYMBOL]|URL", "What of the code it speaks of, in place of what it did."),
    ] = None,
    expect: Expect = None,
    source: Source = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Replace the text of a memory, or set fields, as a new version.

    Only the lines of the fields named change. With --expect, a memory that changed meanwhile is
    left alone: exit code 4, both texts shown.

    Example: gitmem update m7k2q9xw "Alice wants reports on paper" --reason "she called"
    """
    from gitmem.model.header_edit import REMOVED

    door = session_of(context, as_json, folder, branch)
    fields: dict[str, object] = dict.fromkeys(unset or (), REMOVED)
    fields.update(parse_pairs(field, "--field"))
    typed = {
        "title": title, "importance": importance, "confidence": confidence, "status": status,
        "valid_from": valid_from, "valid_until": valid_until,
    }  # fmt: skip
    fields.update({name: value for name, value in typed.items() if value is not None})
    written = door.store().update(
        reference,
        read_in("-", what="text") if text == "-" else text,
        fields=fields,
        anchors=anchor or (),
        expect=expect,
        origin=origin_of(agent, session, source, reason),
    )
    _done(door, written)


def append(
    context: typer.Context,
    reference: Reference,
    text: Annotated[str, typer.Argument(metavar="TEXT|-", help="What to add.", show_default=False)],
    expect: Expect = None,
    source: Source = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Add lines at the end of a memory.

    Example: gitmem append m7k2q9xw "2026-11-30: she confirmed it"
    """
    door = session_of(context, as_json, folder, branch)
    written = door.store().append(
        reference,
        read_in("-", what="text") if text == "-" else text,
        expect=expect,
        origin=origin_of(agent, session, source, reason),
    )
    _done(door, written)


def tag(
    context: typer.Context,
    reference: Reference,
    add: Annotated[list[str] | None, option("--add", "TAG", "A tag to add; may be repeated.")] = None,
    remove: Annotated[list[str] | None, option("--remove", "TAG", "A tag to take out.")] = None,
    expect: Expect = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Add and remove tags.

    Example: gitmem tag m7k2q9xw --add weekly --remove draft
    """
    door = session_of(context, as_json, folder, branch)
    written = door.store().tag(
        reference,
        add=add or (),
        remove=remove or (),
        expect=expect,
        origin=origin_of(agent, session, None, reason),
    )
    _done(door, written)


def rename(
    context: typer.Context,
    reference: Reference,
    title: Annotated[
        str | None, typer.Argument(metavar="[TITLE]", help="The new title.", show_default=False)
    ] = None,
    namespace: Annotated[str | None, option("--in", "NAMESPACE", "Move it to this namespace.")] = None,
    path: Annotated[str | None, option("--path", "PATH", "Move its file to exactly this path.")] = None,
    expect: Expect = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Give a memory another title, namespace or path; id, attachments and history stay.

    Example: gitmem rename m7k2q9xw "How Alice wants reports" --in people/alice
    """
    door = session_of(context, as_json, folder, branch)
    written = door.store().rename(
        reference,
        title,
        namespace=namespace,
        path=path,
        expect=expect,
        origin=origin_of(agent, session, None, reason),
    )
    _done(door, written)


def link(
    context: typer.Context,
    reference: Reference,
    to: Annotated[str, typer.Argument(metavar="TO", help="The memory it refers to.", show_default=False)],
    relation: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="RELATION",
            help="How: supports, contradicts, explains …; related if left out.",
        ),
    ] = None,
    remove: Annotated[
        bool, typer.Option("--remove", help="Take the link out: that one, or without --as all to TO.")
    ] = False,
    expect: Expect = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Record that one memory stands in a relation to another, or that it does not any more.

    Example: gitmem link m7k2q9xw m3d8h1zc --as supports
    """
    door = session_of(context, as_json, folder, branch)
    store, origin = door.store(), origin_of(agent, session, None, reason)
    if remove:
        written = store.unlink(reference, to, relation=relation, expect=expect, origin=origin)
    else:
        written = store.link(reference, to, relation=relation or "related", expect=expect, origin=origin)
    _done(door, written)


def attach(
    context: typer.Context,
    reference: Reference,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Files to copy.", show_default=False)
    ],
    replace: Annotated[
        bool, typer.Option("--replace", help="Overwrite attachments of the same name.")
    ] = False,
    expect: Expect = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Copy files beside a memory; they are moved and archived with it, and searched where they are text.

    Example: gitmem attach m7k2q9xw turns.jsonl
    """
    door = session_of(context, as_json, folder, branch)
    written = door.store().attach(
        reference, files, replace=replace, expect=expect, origin=origin_of(agent, session, None, reason)
    )
    _done(door, written)


def commit(
    context: typer.Context,
    references: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID...]", help="Whose edits; all if left out.", show_default=False),
    ] = None,
    source: Source = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Take your edits of memory files in as versions, with who and why.

    Plain git commit does as well. Files that are no memories, and edits not named, stay as they are.

    Example: gitmem commit m7k2q9xw --reason "corrected the date"
    """
    door = session_of(context, as_json, folder)
    if references and any(not reference.strip() for reference in references):
        raise BadInput("the id is empty", field="id")
    committed = door.store().commit_edits(references or (), origin=origin_of(agent, session, source, reason))
    door.talk_all(committed.notices)
    door.emit(lambda: committed_shape(committed), lambda: committed_text(committed))


COMMANDS: dict[str, Callable[..., Any]] = {
    "update": update,
    "append": append,
    "tag": tag,
    "rename": rename,
    "link": link,
    "attach": attach,
    "commit": commit,
}
