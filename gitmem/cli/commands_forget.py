"""Commands about what must not stay: forget, heal, tombstones; and suggest, for those who may not remove."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import Agent, AsJson, Folder, SessionName, option, origin_of
from gitmem.cli.session import Session, read_in
from gitmem.cli.terminal import visible
from gitmem.errors import BadInput, Refused
from gitmem.model.visible import one_line
from gitmem.surroundings import in_folder

Remote = Annotated[
    str | None, option("--remote", "NAME", "Push the rewritten history to this remote, with leases.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done, and change nothing.")]


def forget(
    context: typer.Context,
    references: Annotated[
        list[str] | None, typer.Argument(metavar="[ID...]", help="The memories.", show_default=False)
    ] = None,
    subject: Annotated[
        str | None, option("--subject", "WHO", "All memories about somebody: person:alice.")
    ] = None,
    match: Annotated[
        str | None, option("--match", "TEXT", "All memories that hold a text in any version.")
    ] = None,
    mentions: Annotated[
        bool, typer.Option("--mentions", help="Take it out of other memories and files too.")
    ] = False,
    yes: Annotated[
        list[str] | None,
        typer.Option("--yes", metavar="TEXT", help="Repeats what is to be forgotten; asks no more."),
    ] = None,
    dry_run: DryRun = False,
    remote: Remote = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Take memories out of history for good, on every branch, and prove it. For people only.

    Every commit that held them is written anew without them; tags, notes, stashes and logs follow. Asks
    before it begins. Without arguments it goes on with one that was broken off, or with --remote pushes one
    that was done. Exit code 1 if something of it is still found.

    Example: gitmem forget m7k2q9xw --dry-run
    """
    from gitmem.cli.render_forget import plan_text, pushed_text, receipt_text
    from gitmem.cli.shapes_forget import plan_shape, pushed_shape, receipt_shape
    from gitmem.store.forgetting import wish_of

    session = session_of(context, as_json, folder)
    store = session.store()
    ids = tuple(dict.fromkeys(references or ()))
    wish_of(ids, subject, match)
    is_named = bool(ids or subject or match)
    if not is_named and remote is not None and not store.is_forgetting():
        _agree(session, f"push the rewritten history to {remote}", remote, yes)
        pushed = store.push_forgotten(remote)
        session.emit(lambda: pushed_shape(pushed), lambda: pushed_text(pushed))
        if pushed.left:
            raise typer.Exit(1)
        return
    if not is_named and not store.is_forgetting():
        raise BadInput("give one of ID..., --subject, --match; no forget was broken off here", field="id")
    if dry_run or (is_named and yes is None and _is_asking()):
        plan = store.plan_forget(ids, subject=subject, match=match, mentions=mentions)
        if dry_run:
            session.emit(lambda: plan_shape(plan), lambda: plan_text(plan))
            return
        sys.stderr.write(visible(plan_text(plan)))
    if is_named:
        store.require_person("forget")
        answer = " ".join(ids) or subject or match or ""
        is_repeated = bool(ids) and yes is not None and _words(yes) == set(ids)
        _agree(session, "forget this for good", answer, [answer] if is_repeated else yes)
    _stop_helper(session)
    receipt = store.forget(ids, subject=subject, match=match, mentions=mentions, remote=remote)
    session.emit(lambda: receipt_shape(receipt), lambda: receipt_text(receipt))
    if not receipt.proof.holds:
        raise typer.Exit(1)


def _agree(session: Session, what: str, answer: str, yes: Sequence[str] | None) -> None:
    """Raises `Refused` unless the person repeats `answer`."""
    if yes is not None:
        if list(yes) != [answer]:
            raise Refused(f"--yes does not repeat {answer!r}, so nothing was changed")
        return
    if not _is_asking():
        raise Refused(
            f"to {what} has to be agreed to, and nobody can be asked here",
            hint=f"look at --dry-run, then add --yes {answer!r}",
        )
    session.progress.clear()
    sys.stderr.write(f"To {what}, type {one_line(answer)} : ")
    sys.stderr.flush()
    if sys.stdin.readline().strip() != answer:
        raise Refused("that was another text, so nothing was changed")


def _words(yes: Sequence[str]) -> set[str]:
    return {word for each in yes for word in each.split()}


def _is_asking() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _stop_helper(session: Session) -> None:
    """What the helper keeps in memory goes with it."""
    from gitmem.helper.server import stop_helper

    if session.opened is not None:
        stop_helper(session.opened.place.repository.common_dir)


def heal(
    context: typer.Context,
    remote: Annotated[
        str | None, typer.Argument(metavar="[REMOTE]", help="Whose history counts; origin if left out.")
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Bring new work onto a history that was rewritten, and let go of the old one. For people only.

    For a clone in which sync says that it holds what was forgotten. Its own commits are put on top of the
    remote's history; what they say of forgotten memories is left out. Exit code 1 if some of it is left.

    Example: gitmem heal
    """
    from gitmem.cli.render_forget import healed_text
    from gitmem.cli.shapes_forget import healed_shape

    session = session_of(context, as_json, folder)
    store = session.store()
    if not dry_run:
        _stop_helper(session)
    healed = store.heal(remote, dry_run=dry_run)
    session.emit(lambda: healed_shape(healed), lambda: healed_text(healed))
    if healed.proof is not None and not healed.proof.holds:
        raise typer.Exit(1)


def tombstones(
    context: typer.Context,
    action: Annotated[
        str | None, typer.Argument(metavar="[ACTION]", help="export-key or import-key.", show_default=False)
    ] = None,
    file: Annotated[
        Path | None, typer.Argument(metavar="[FILE]", help="The key's file.", show_default=False)
    ] = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Show what is kept out because it was forgotten, and share the key that tells.

    Without the key only forgotten history is refused, not a text that somebody writes again. The key is in
    no history: export-key writes it to FILE, import-key takes it in.

    Example: gitmem tombstones export-key alice.key
    """
    from gitmem.cli.render_forget import tombstones_text
    from gitmem.cli.shapes_forget import tombstones_shape

    session = session_of(context, as_json, folder)
    store = session.store()
    if action == "export-key" and file is not None:
        store.export_tombstone_key(in_folder(file))
    elif action == "import-key" and file is not None:
        store.import_tombstone_key(read_in(str(file), what="file"))
    elif action is not None:
        raise BadInput(f"ACTION: {action!r} wants export-key FILE or import-key FILE", field="action")
    result = store.tombstones()
    session.emit(lambda: tombstones_shape(result), lambda: tombstones_text(result))


def suggest(
    context: typer.Context,
    action: Annotated[str, typer.Argument(metavar="ACTION", help="archive.", show_default=False)],
    references: Annotated[
        list[str], typer.Argument(metavar="ID...", help="The memories.", show_default=False)
    ],
    reason: Annotated[str | None, option("--reason", "TEXT", "Why; a person reads it.")] = None,
    session: SessionName = None,
    agent: Agent = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Propose that memories are taken out of the way; a person decides.

    They become a proposal that archives them. Nothing on main changes until it is accepted.

    Example: gitmem suggest archive m7k2q9xw --reason "the project ended"
    """
    from gitmem.cli.render_review import proposed_text
    from gitmem.cli.shapes_review import proposed_shape

    door = session_of(context, as_json, folder)
    if action != "archive":
        raise BadInput(f"ACTION: {action!r} is none of archive", field="action")
    origin = origin_of(agent, session, None, reason)
    proposed = door.store().propose_archive(references, body=reason or "", origin=origin)
    door.talk_all(proposed.notices)
    door.emit(lambda: proposed_shape(proposed), lambda: proposed_text(proposed))


COMMANDS: dict[str, Callable[..., Any]] = {
    "forget": forget,
    "heal": heal,
    "tombstones": tombstones,
    "suggest": suggest,
}
