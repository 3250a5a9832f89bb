"""Commands about proposals: propose, proposals, review, accept, reject, amend."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import Agent, AsJson, Folder, Reason, SessionName, option, origin_of
from gitmem.cli.render_review import accepted_text, proposals_text, proposed_text, rejected_text, review_text
from gitmem.cli.render_writes import moved_text
from gitmem.cli.session import read_in
from gitmem.cli.shapes_more import moved_shape
from gitmem.cli.shapes_review import (
    accepted_shape,
    proposals_shape,
    proposed_shape,
    rejected_shape,
    review_shape,
)

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="The proposal, as proposals lists it.", show_default=False)
]
References = Annotated[
    list[str] | None,
    typer.Argument(metavar="ID...", help="Memories with edits that are not committed.", show_default=False),
]
Batch = Annotated[
    str | None, option("--batch", "FILE|-", "New memories, a JSON object a line, as remember takes them.")
]
From = Annotated[str | None, option("--from", "BRANCH", "What this branch has that main has not.")]


def propose(
    context: typer.Context,
    references: References = None,
    batch: Batch = None,
    source: From = None,
    title: Annotated[str | None, option("--title", "TEXT", "What it is about; it names the branch.")] = None,
    body: Annotated[str, option("--body", "TEXT|-", "More about it; - reads standard input.")] = "",
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Put changes on a branch proposals/NAME, where they wait for a person; main stays as it is.

    Edits of the memories named go from the worktree onto the proposal. Pushed, the branch is an ordinary
    pull request.

    Example: gitmem propose m7k2q9xw --title "Reports go out on Friday"
    """
    door = session_of(context, as_json, folder)
    proposed = door.store().propose(
        references or (),
        batch=None if batch is None else read_in(batch, what="--batch"),
        batch_name="standard input" if batch == "-" else batch or "",
        source=source,
        title=title,
        body=read_in("-", what="--body") if body == "-" else body,
        origin=origin_of(agent, session, None, reason),
    )
    door.talk_all(proposed.notices)
    door.emit(lambda: proposed_shape(proposed), lambda: proposed_text(proposed))


def amend(
    context: typer.Context,
    name: Name,
    references: References = None,
    batch: Batch = None,
    source: From = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Put more changes onto an open proposal, given as for propose.

    Example: gitmem amend reports-go-out-on-friday m7k2q9xw
    """
    door = session_of(context, as_json, folder)
    proposed = door.store().amend(
        name,
        references or (),
        batch=None if batch is None else read_in(batch, what="--batch"),
        batch_name="standard input" if batch == "-" else batch or "",
        source=source,
        origin=origin_of(agent, session, None, reason),
    )
    door.talk_all(proposed.notices)
    door.emit(lambda: proposed_shape(proposed), lambda: proposed_text(proposed))


def proposals(
    context: typer.Context,
    settled: Annotated[bool, typer.Option("--all", help="Accepted and rejected ones too.")] = False,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """List the proposals that wait for a person: what they change, by whom, and how far main went on.

    Example: gitmem proposals
    """
    door = session_of(context, as_json, folder)
    found = door.store().proposals(settled=settled)
    door.emit(lambda: proposals_shape(found), lambda: proposals_text(found))


def review(context: typer.Context, name: Name, as_json: AsJson = False, folder: Folder = None) -> None:
    """Show a proposal memory by memory: what changes by field and by sentence, and what main has beside it.

    Example: gitmem review reports-go-out-on-friday
    """
    door = session_of(context, as_json, folder)
    found = door.store().review(name)
    door.emit(lambda: review_shape(found), lambda: review_text(found))


def accept(
    context: typer.Context,
    name: Name,
    only: Annotated[
        list[str] | None, option("--only", "ID", "Take this memory, leave the rest open; may be repeated.")
    ] = None,
    expect: Annotated[
        str | None, option("--expect", "COMMIT", "Only if the proposal still is at this commit.")
    ] = None,
    policy: Annotated[bool, typer.Option("--policy", help="Take in changes below .gitmem/ too.")] = False,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Merge a proposal into main, memory by memory; only a person can.

    What contradicts main is kept as both versions, and listed by conflicts. What the proposal takes off main
    is archived. The commit says who reviewed it.

    Example: gitmem accept reports-go-out-on-friday --only m7k2q9xw
    """
    door = session_of(context, as_json, folder)
    accepted = door.store().accept(
        name,
        only=only or (),
        expect=expect,
        takes_policy=policy,
        origin=origin_of(None, None, None, reason),
    )
    door.talk_all(accepted.notices)
    door.emit(lambda: accepted_shape(accepted), lambda: accepted_text(accepted))


def reject(
    context: typer.Context,
    name: Name,
    reason: Annotated[str, option("--reason", "TEXT", "Why; whoever proposed it can read it.")],
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Decide against a proposal; only a person can. The branch stays, with a last commit that says why.

    Example: gitmem reject reports-go-out-on-friday --reason "Alice says Monday"
    """
    door = session_of(context, as_json, folder)
    rejected = door.store().reject(name, reason)
    door.talk_all(rejected.notices)
    door.emit(lambda: rejected_shape(rejected), lambda: rejected_text(rejected))


def approve(
    context: typer.Context,
    references: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Memories on quarantine.", show_default=False)
    ],
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Bring memories from quarantine to main, where they are recalled; only a person can.

    list --quarantined shows what waits, show ID --branch quarantine one of them.

    Example: gitmem approve m7k2q9xw --reason "checked the page"
    """
    door = session_of(context, as_json, folder)
    moved = door.store().approve(references, origin=origin_of(None, None, None, reason))
    door.talk_all(moved.notices)
    door.emit(lambda: moved_shape(moved), lambda: moved_text(moved))


COMMANDS: dict[str, Callable[..., Any]] = {
    "propose": propose,
    "proposals": proposals,
    "review": review,
    "accept": accept,
    "reject": reject,
    "amend": amend,
    "approve": approve,
}
