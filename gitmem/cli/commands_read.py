"""Commands that read: recall, list, show."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import (
    AfterFilter,
    AgentFilter,
    AsJson,
    AsOf,
    BeforeFilter,
    Branch,
    EntityFilter,
    FieldFilter,
    Folder,
    InFilter,
    Limit,
    MinRelevance,
    QuerySyntax,
    Reference,
    SessionFilter,
    SinceFilter,
    StatusFilter,
    TagFilter,
    TypeFilter,
    UntilFilter,
    ValidFilter,
    parse_pairs,
    session_here,
)
from gitmem.cli.session import write_out_bytes

LIST_LIMIT = 50


def recall(
    context: typer.Context,
    query: Annotated[
        list[str], typer.Argument(metavar="QUERY", help="Words or a question.", show_default=False)
    ],
    limit: Limit = 10,
    explain: Annotated[bool, typer.Option("--explain", help="Say why each memory was found.")] = False,
    archived: Annotated[bool, typer.Option("--archived", help="Look among archived memories too.")] = False,
    quarantined: Annotated[
        bool, typer.Option("--quarantined", help="Look among those that wait on quarantine too.")
    ] = False,
    working: Annotated[
        bool, typer.Option("--working", help="Look among the notes of all sessions, not of this one alone.")
    ] = False,
    query_syntax: QuerySyntax = False,
    min_relevance: MinRelevance = None,
    fail_empty: Annotated[
        bool, typer.Option("--fail-empty", help="Exit with 1 if nothing was found.")
    ] = False,
    type: TypeFilter = None,
    namespace: InFilter = None,
    tag: TagFilter = None,
    entity: EntityFilter = None,
    agent: AgentFilter = None,
    session: SessionFilter = None,
    status: StatusFilter = None,
    since: SinceFilter = None,
    until: UntilFilter = None,
    before: BeforeFilter = None,
    after: AfterFilter = None,
    valid_at: ValidFilter = None,
    where: FieldFilter = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Find the memories that answer a question, best first.

    Any text is a query and nothing in it is an operator; quotes lend weight to a phrase. With
    --query-syntax it may have operators. Filters apply before the cut at --limit. A query that
    begins with a dash goes behind --.

    Example: gitmem recall "how does Alice want her reports?" --in people
    """
    from gitmem.cli.render import recollection_text
    from gitmem.cli.shapes import recollection_shape
    from gitmem.store import Store

    door = session_of(context, as_json, folder, branch)
    wanted = Store.where(
        type=type, namespace=namespace, tags=tag or (), entities=entity or (), agent=agent, session=session,
        status=status, since=since, until=until, before=before, after=after, valid_at=valid_at,
        fields=parse_pairs(where, "--where"),
    )  # fmt: skip
    store = door.store(as_of)
    answer = store.recall(
        " ".join(query),
        wanted,
        limit=limit,
        archived=archived,
        quarantined=quarantined,
        syntax=query_syntax,
        min_relevance=min_relevance,
        working=working,
        session=session_here(),
    )
    door.talk_all(list(answer.notes))
    if explain and answer.period is not None:
        door.talk(f"created from {answer.period[0] or 'ever'} to {answer.period[1] or 'now'}")
    if explain and len(answer.legs) > 1:
        door.talk(f"searched by {' and '.join(answer.legs)}")
    now = datetime.now(UTC)
    door.emit(
        lambda: recollection_shape(answer, store.branch),
        lambda: recollection_text(answer, now, explain=explain),
    )
    if fail_empty and not answer.hits:
        raise typer.Exit(1)


def list_(
    context: typer.Context,
    limit: Limit = LIST_LIMIT,
    quarantined: Annotated[
        bool, typer.Option("--quarantined", help="The memories that wait on quarantine instead.")
    ] = False,
    type: TypeFilter = None,
    namespace: InFilter = None,
    tag: TagFilter = None,
    entity: EntityFilter = None,
    agent: AgentFilter = None,
    session: SessionFilter = None,
    status: StatusFilter = None,
    since: SinceFilter = None,
    until: UntilFilter = None,
    before: BeforeFilter = None,
    after: AfterFilter = None,
    valid_at: ValidFilter = None,
    where: FieldFilter = None,
    as_of: AsOf = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """List memories, newest first.

    Example: gitmem list --type episodic --since 2026-11-01
    """
    from gitmem.cli.render import listing_text
    from gitmem.cli.shapes import listing_shape
    from gitmem.store import Store

    door = session_of(context, as_json, folder, branch)
    wanted = Store.where(
        type=type, namespace=namespace, tags=tag or (), entities=entity or (), agent=agent, session=session,
        status=status, since=since, until=until, before=before, after=after, valid_at=valid_at,
        fields=parse_pairs(where, "--where"),
    )  # fmt: skip
    store = door.store(as_of)
    listing = store.list(wanted, limit=limit, quarantined=quarantined, with_strengths=door.as_json)
    door.talk_all(list(listing.notes))
    now = datetime.now(UTC)
    door.emit(lambda: listing_shape(listing, store.branch), lambda: listing_text(listing, now))


def show(
    context: typer.Context,
    reference: Reference,
    raw: Annotated[bool, typer.Option("--raw", help="Print the file as it is, byte for byte.")] = False,
    as_of: AsOf = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Show one memory, whole.

    Example: gitmem show m7k2q9xw
    """
    from gitmem.cli.render import shown_text
    from gitmem.cli.shapes import shown_shape

    door = session_of(context, as_json, folder, branch)
    shown = door.store(as_of).show(reference)
    if raw and not door.as_json:
        write_out_bytes(shown.raw)
        return
    door.emit(lambda: shown_shape(shown), lambda: shown_text(shown))


COMMANDS: dict[str, Callable[..., Any]] = {"recall": recall, "list": list_, "show": show}
