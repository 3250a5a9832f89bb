"""Commands that write memories."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import (
    Agent,
    AsJson,
    Branch,
    Folder,
    Reason,
    SessionName,
    Source,
    option,
    origin_of,
    parse_pairs,
)
from gitmem.cli.session import Session, read_in
from gitmem.errors import BadInput

if TYPE_CHECKING:
    from gitmem.model.change import Origin


def remember(
    context: typer.Context,
    text: Annotated[
        str | None,
        typer.Argument(
            metavar="TEXT|-", help="What to remember; - reads standard input.", show_default=False
        ),
    ] = None,
    batch: Annotated[
        str | None, option("--batch", "FILE|-", "Remember every line of a JSONL file, in one commit.")
    ] = None,
    title: Annotated[str | None, option("--title", "TEXT", "Its title; the first line if left out.")] = None,
    type: Annotated[
        str | None,
        option(
            "--type", "TYPE", "working, episodic, semantic, procedural or reflective; semantic if left out."
        ),
    ] = None,
    namespace: Annotated[str | None, option("--in", "NAMESPACE", "Where it belongs: people/alice.")] = None,
    tag: Annotated[list[str] | None, option("--tag", "TAG", "A tag; may be repeated.")] = None,
    entity: Annotated[
        list[str] | None, option("--entity", "ENTITY", "What it is about: person:alice.")
    ] = None,
    field: Annotated[list[str] | None, option("--field", "K=V", "A front matter field of your own.")] = None,
    importance: Annotated[
        float | None,
        typer.Option("--importance", metavar="0..1", help="How much it matters.", show_default=False),
    ] = None,
    confidence: Annotated[
        float | None, typer.Option("--confidence", metavar="0..1", help="How sure it is.", show_default=False)
    ] = None,
    id: Annotated[str | None, option("--id", "ID", "Its id; made up if left out.")] = None,
    path: Annotated[
        str | None, option("--path", "PATH", "Its file; named by type and title if left out.")
    ] = None,
    created: Annotated[
        str | None, option("--created", "DATE", "When it came about; now if left out.")
    ] = None,
    valid_from: Annotated[str | None, option("--valid-from", "DATE", "From when it holds.")] = None,
    valid_until: Annotated[str | None, option("--valid-until", "DATE", "Until when it holds.")] = None,
    supersedes: Annotated[
        list[str] | None, option("--supersedes", "ID", "The memory that it corrects.")
    ] = None,
    anchor: Annotated[
        list[str] | None,
        option("--anchor", "PATH[#SYMBOL]|URL", "What of the code it speaks of; may be repeated."),
    ] = None,
    subject: Annotated[str | None, option("--subject", "PERSON", "Whose data it is: person:alice.")] = None,
    source: Source = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Remember a text: write it as a memory and commit it.

    Prints the id and the path. With --batch, every line is a JSON object with "text" and the
    names of the options; all lines are written in one commit, or none.

    Example: gitmem remember "Alice wants reports by e-mail" --in people/alice --tag preference
    """
    door = session_of(context, as_json, folder, branch)
    origin = origin_of(agent, session, source, reason)
    if batch is not None:
        if text is not None:
            raise BadInput("TEXT and --batch exclude each other", field="batch")
        _remember_batch(door, batch, origin)
        return
    if text is None:
        raise BadInput("TEXT is missing", field="text", hint="give the text, or - to read standard input")
    from gitmem.cli.render import written_text
    from gitmem.cli.shapes import written_shape

    written = door.store().remember(
        read_in("-", what="text") if text == "-" else text,
        title=title,
        type=type,
        namespace=namespace,
        tags=tag or (),
        entities=entity or (),
        fields=dict(parse_pairs(field, "--field")),
        importance=importance,
        confidence=confidence,
        id=id,
        path=path,
        created=created,
        valid_from=valid_from,
        valid_until=valid_until,
        supersedes=supersedes or (),
        anchors=anchor or (),
        subject=subject,
        origin=origin,
    )
    door.talk_all(written.notices)
    door.emit(lambda: written_shape(written), lambda: written_text([written]))


def _remember_batch(door: Session, source: str, origin: Origin) -> None:
    from gitmem.cli.render import written_text
    from gitmem.cli.shapes import batch_shape

    store = door.store()
    name = "standard input" if source == "-" else source
    written = store.remember_jsonl(read_in(source, what="--batch"), name=name, origin=origin)
    door.talk_all(written[0].notices)
    door.emit(lambda: batch_shape(written), lambda: written_text(written))


COMMANDS: dict[str, Callable[..., Any]] = {"remember": remember}
