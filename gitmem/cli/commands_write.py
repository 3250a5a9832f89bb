"""Commands by which a store learns: remember, reflect, consult."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import (
    Agent,
    AsJson,
    AsOf,
    Branch,
    Folder,
    InFilter,
    Limit,
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


Force = Annotated[
    bool, typer.Option("--force", help="Write it also where it is known already; nothing is compared.")
]


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
    force: Force = False,
    judge: Annotated[
        bool | None,
        typer.Option(
            "--judge/--no-judge",
            help="Mark what it contradicts as superseded or disputed, or only tell; by policy if left out.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be written, and do nothing.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say why it matters so much, and what it is against.")
    ] = False,
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
    names of the options; all lines are written in one commit, or none. A text that is known already
    confirms the memory that says it; where one says it in other words, nothing is written (exit 4).

    Example: gitmem remember "Alice wants reports by e-mail" --in people/alice --tag preference
    """
    door = session_of(context, as_json, folder, branch)
    origin = origin_of(agent, session, source, reason)
    if batch is not None:
        if text is not None:
            raise BadInput("TEXT and --batch exclude each other", field="batch")
        _remember_batch(door, batch, origin, force=force, dry_run=dry_run)
        return
    if text is None:
        raise BadInput("TEXT is missing", field="text", hint="give the text, or - to read standard input")
    said = {
        "title": title,
        "type": type,
        "namespace": namespace,
        "tags": tag or (),
        "entities": entity or (),
        "fields": dict(parse_pairs(field, "--field")),
        "importance": importance,
        "confidence": confidence,
        "id": id,
        "path": path,
        "created": created,
        "valid_from": valid_from,
        "valid_until": valid_until,
        "supersedes": supersedes or (),
        "anchors": anchor or (),
        "subject": subject,
        "force": force,
        "judge": judge,
        "origin": origin,
    }
    told = read_in("-", what="text") if text == "-" else text
    _remember_one(door, told, said, dry_run=dry_run, explain=explain)


def _remember_one(door: Session, text: str, said: dict[str, Any], *, dry_run: bool, explain: bool) -> None:
    from gitmem.cli.render_remember import foreseen_text, remembered_text
    from gitmem.cli.shapes_write import foreseen_shape, remembered_shape

    if dry_run:
        foreseen = [door.store().foresee(text, **said)]
        door.emit(lambda: foreseen_shape(foreseen), lambda: foreseen_text(foreseen))
        return
    written = door.store().remember(text, **said)
    door.talk_all(written.notices)
    door.emit(lambda: remembered_shape(written), lambda: remembered_text(written, explain=explain))


def _remember_batch(door: Session, source: str, origin: Origin, *, force: bool, dry_run: bool) -> None:
    from gitmem.cli.render_remember import batch_text, foreseen_text, remembered_text
    from gitmem.cli.shapes import batch_shape
    from gitmem.cli.shapes_write import foreseen_shape

    store = door.store()
    name = "standard input" if source == "-" else source
    text = read_in(source, what="--batch")
    if dry_run:
        foreseen = store.foresee_jsonl(text, name=name, force=force, origin=origin)
        door.emit(lambda: foreseen_shape(foreseen), lambda: foreseen_text(foreseen))
        return
    written = store.remember_jsonl(text, name=name, force=force, origin=origin)
    door.talk_all(written[0].notices)
    door.emit(
        lambda: batch_shape(written),
        lambda: remembered_text(written[0], explain=False) if len(written) == 1 else batch_text(written),
    )


def reflect(
    context: typer.Context,
    situation: Annotated[str, option("--situation", "TEXT", "When this applies.")],
    mistake: Annotated[str, option("--mistake", "TEXT", "What went wrong.")],
    better: Annotated[str, option("--better", "TEXT", "What to do instead.")],
    title: Annotated[
        str | None, option("--title", "TEXT", "Its title; the beginning of the situation if left out.")
    ] = None,
    namespace: Annotated[str | None, option("--in", "NAMESPACE", "Where it belongs: projects/beta.")] = None,
    tag: Annotated[list[str] | None, option("--tag", "TAG", "A tag; may be repeated.")] = None,
    confidence: Annotated[
        float | None, typer.Option("--confidence", metavar="0..1", help="How sure it is.", show_default=False)
    ] = None,
    force: Force = False,
    source: Source = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Keep a lesson of something that went wrong, so that it is a warning next time.

    It is a reflective memory: consult and context give it where it applies. A lesson that is known already
    is confirmed; where one says it in other words, nothing is written (exit 4).

    Example: gitmem reflect --situation "A migration on a large table" --mistake "Ran it by day, the table was
    locked for 20 minutes" --better "Run it in the window at night, in batches"
    """
    from gitmem.cli.render_remember import remembered_text
    from gitmem.cli.shapes_write import remembered_shape

    door = session_of(context, as_json, folder, branch)
    written = door.store().reflect(
        situation,
        mistake,
        better,
        title=title,
        confidence=confidence,
        namespace=namespace,
        tags=tag or (),
        force=force,
        origin=origin_of(agent, session, source, reason),
    )
    door.talk_all(written.notices)
    door.emit(lambda: remembered_shape(written), lambda: remembered_text(written, explain=False))


def consult(
    context: typer.Context,
    task: Annotated[
        list[str], typer.Argument(metavar="TASK", help="What is to be done, in words.", show_default=False)
    ],
    namespace: InFilter = None,
    limit: Limit = 5,
    as_of: AsOf = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Find the lessons and procedures that apply to a task, before it is begun.

    Reflective memories are warnings, procedural ones say how it is done. Below the cut-off nothing is given.

    Example: gitmem consult "migrate the orders table"
    """
    from gitmem.cli.render_remember import consulted_text
    from gitmem.cli.shapes_write import consulted_shape
    from gitmem.clock import SystemClock

    door = session_of(context, as_json, folder, branch)
    store = door.store(as_of)
    found = store.consult(" ".join(task), namespace=namespace, limit=limit)
    door.talk_all(list(found.notes))
    door.emit(
        lambda: consulted_shape(found, store.branch), lambda: consulted_text(found, SystemClock().now())
    )


COMMANDS: dict[str, Callable[..., Any]] = {"remember": remember, "reflect": reflect, "consult": consult}
