"""Commands about how memories hang together: related, path, graph, entities."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import Agent, AsJson, AsOf, Branch, Folder, InFilter, SessionName, option, origin_of
from gitmem.cli.render_relations import (
    entities_text,
    entity_text,
    graph_written_text,
    path_text,
    related_text,
    suggestions_text,
)
from gitmem.cli.session import write_out
from gitmem.cli.shapes import json_text
from gitmem.cli.shapes_relations import (
    drawn_shape,
    entities_shape,
    entity_shape,
    graph_written_shape,
    path_shape,
    related_shape,
    suggestions_shape,
)
from gitmem.errors import BadInput
from gitmem.surroundings import in_folder

Node = typer.Argument(
    metavar="ID",
    help="An id, a beginning of one, a path, a title, or the name of an entity.",
    show_default=False,
)
FORMATS = ("html", "graphml", "dot", "mermaid", "json")
ENDINGS = {".html": "html", ".htm": "html", ".graphml": "graphml", ".xml": "graphml", ".dot": "dot",
           ".gv": "dot", ".mmd": "mermaid", ".mermaid": "mermaid", ".json": "json"}  # fmt: skip


def related(
    context: typer.Context,
    reference: Annotated[str, Node],
    depth: Annotated[int, typer.Option("--depth", metavar="N", help="How many links away, 1 to 10.")] = 1,
    relation: Annotated[str | None, option("--relation", "NAME", "Follow only links of this name.")] = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Show what a memory is related to, and what links back to it.

    Links are entries of the header (related, supersedes, entities) and [[links]] in the text. A name that
    leads to no memory is named too. An entity is found by each of its names.

    Example: gitmem related m7k2q9xw --depth 2
    """
    door = session_of(context, as_json, folder, branch)
    found = door.store(as_of).related(reference, depth=depth, relation=relation)
    door.talk_all(list(found.notes))
    door.emit(lambda: related_shape(found), lambda: related_text(found))


def path(
    context: typer.Context,
    start: Annotated[str, Node],
    end: Annotated[str, typer.Argument(metavar="ID", help="Another one.", show_default=False)],
    fail_empty: Annotated[bool, typer.Option("--fail-empty", help="Exit with 1 if there is no way.")] = False,
    as_of: AsOf = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Show how two memories hang together: the fewest links from one to the other.

    Links are followed in both directions, also by way of an entity that both are about.

    Example: gitmem path m7k2q9xw "Rate limit of the carrier API"
    """
    door = session_of(context, as_json, folder, branch)
    way = door.store(as_of).path(start, end)
    door.talk_all(list(way.notes))
    door.emit(lambda: path_shape(way), lambda: path_text(way))
    if fail_empty and way.steps is None:
        raise typer.Exit(1)


def graph(
    context: typer.Context,
    format: Annotated[
        str | None, option("--format", "FORMAT", "html, graphml, dot, mermaid or json; by the file's ending.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write to this file.", show_default=False),
    ] = None,
    namespace: InFilter = None,
    around: Annotated[str | None, option("--around", "ID", "Only what is near this memory.")] = None,
    depth: Annotated[
        int, typer.Option("--depth", metavar="N", help="With --around: how many links away, 1 to 10.")
    ] = 2,
    archived: Annotated[bool, typer.Option("--archived", help="All archived memories too.")] = False,
    entities: Annotated[
        bool, typer.Option("--entities/--no-entities", help="Draw what memories are about.")
    ] = True,
    as_of: AsOf = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Draw the memories and their links: a page to look at, or a file for another program.

    The page is one file that needs nothing else. Archived memories that others link to are drawn, marked. A
    file that is there already is replaced only if it is a graph that gitmem wrote.

    Example: gitmem graph -o graph.html --in projects
    """
    form = "json" if as_json and output is None else _format(format, output)
    door = session_of(context, as_json, folder, branch)
    if namespace is not None and around is not None:
        raise BadInput("--in and --around cannot be used together", field="around")
    store = door.store(as_of)
    drawn = store.graph(
        namespace=namespace, around=around, depth=depth, archived=archived, entities=entities,
        snippets=form in ("html", "json"),
    )  # fmt: skip
    door.talk_all(list(drawn.notes))
    text = json_text(drawn_shape(drawn)) if form == "json" else store.graph_text(drawn, form)
    if output is None:
        door.progress.clear()
        write_out(text)
        return
    target = store.write_graph(text, in_folder(output))
    door.emit(
        lambda: graph_written_shape(drawn, target, form), lambda: graph_written_text(drawn, target, form)
    )


def _format(named: str | None, output: Path | None) -> str:
    if named is not None and named not in FORMATS:
        raise BadInput(f"--format: {named!r} is none of {', '.join(FORMATS)}", field="format")
    by_ending = None if output is None else ENDINGS.get(output.suffix.casefold())
    return named or by_ending or "html"


def entities(
    context: typer.Context,
    action: Annotated[
        str, typer.Argument(metavar="[list|show|suggest]", help="What to do.", show_default=False)
    ] = "list",
    name: Annotated[
        str | None, typer.Argument(metavar="[NAME]", help="With show: any of its names.", show_default=False)
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With suggest: show what would be proposed.")
    ] = False,
    limit: Annotated[
        int, typer.Option("--limit", "-n", metavar="N", help="With suggest: at most N proposals, up to 20.")
    ] = 20,
    session: SessionName = None,
    agent: Agent = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """List what memories are about, show one entity, or propose to merge two that may be the same.

    An entity is a memory in the namespace entities, with its other names under aliases in the header, or a
    name that headers give. What suggest finds becomes a proposal each; a person accepts or rejects it.

    Example: gitmem entities show "张三"
    """
    if action not in ("list", "show", "suggest"):
        raise BadInput(f"ACTION: {action!r} is none of list, show, suggest", field="action")
    if (action == "show") != (name is not None):
        wrong = (
            "which entity? 'gitmem entities show NAME'" if action == "show" else f"{name!r}: only with show"
        )
        raise BadInput(f"NAME: {wrong}", field="name")
    door = session_of(context, as_json, folder, branch)
    store = door.store(as_of)
    if action == "list":
        listing = store.entities()
        door.talk_all(list(listing.notes))
        door.emit(lambda: entities_shape(listing), lambda: entities_text(listing))
    elif name is not None:
        shown = store.entity(name)
        door.talk_all(list(shown.notes))
        door.emit(lambda: entity_shape(shown), lambda: entity_text(shown))
    else:
        origin = origin_of(agent, session, None, None)
        suggested = store.suggest_merges(limit=limit, dry_run=dry_run, origin=origin)
        door.talk_all(list(suggested.notes))
        door.emit(lambda: suggestions_shape(suggested), lambda: suggestions_text(suggested))


COMMANDS: dict[str, Callable[..., Any]] = {
    "related": related,
    "path": path,
    "graph": graph,
    "entities": entities,
}
