"""The command for the keys of encrypted memories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import AsJson, Folder
from gitmem.errors import BadInput

if TYPE_CHECKING:
    from gitmem.cli.shapes import Shape
    from gitmem.flows.keys import HeldKey, Keys
    from gitmem.store import Store

ACTIONS = ("export", "import", "rewrap", "delete")


def keys(
    context: typer.Context,
    action: Annotated[
        str | None,
        typer.Argument(metavar="[ACTION]", help="export, import, rewrap or delete.", show_default=False),
    ] = None,
    named: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE|KEY...]", help="The file; with delete, keys or subjects.", show_default=False
        ),
    ] = None,
    yes: Annotated[
        list[str] | None,
        typer.Option("--yes", metavar="KEY", help="With delete: repeats what is deleted."),
    ] = None,
    as_json: AsJson = False,
    folder: Folder = None,
) -> None:
    """Show the keys of encrypted memories that are here; take them elsewhere, or delete them.

    Keys are in no commit. export writes them to a file, import takes them in, both as they are: wrapped for
    the recipients of the partition. rewrap does that anew after the recipients changed. What was encrypted
    with a key that is deleted cannot be read any more, in any version, by anybody who has no copy of it.

    Example: gitmem keys export keys.jsonl
    """
    if action is not None and action not in ACTIONS:
        raise BadInput(f"{action!r} is none of {', '.join(ACTIONS)}", field="action")
    door = session_of(context, as_json, folder)
    done = _done(door.store(), action, list(named or ()), list(yes or ()))
    door.emit(lambda: _shape(done), lambda: _text(done))


def _done(store: Store, action: str | None, named: list[str], yes: list[str]) -> Keys:
    if action in ("export", "import"):
        if len(named) != 1:
            raise BadInput(f"name the file: gitmem keys {action} FILE", field="file")
        return store.export_keys(Path(named[0])) if action == "export" else store.import_keys(Path(named[0]))
    if action == "delete":
        return store.delete_keys(named, confirmed=yes)
    if named:
        raise BadInput(f"{named[0]!r} is one argument too many", field="file")
    return store.rewrap_keys() if action == "rewrap" else store.keys()


def _shape(done: Keys) -> Shape:
    return {
        "done": done.done,
        "file": None if done.file is None else str(done.file),
        "keys": [_key_shape(key) for key in done.keys],
        "left": [_key_shape(key) for key in done.left],
    }


def _key_shape(key: HeldKey) -> Shape:
    return {"name": key.name, "subject": key.subject, "partition": key.partition, "opens": key.can_open}


def _text(done: Keys) -> str:
    if not done.keys and not done.left:
        return "no keys are here\n"
    lines = [f"{key.name}  {_use(key, done)}  {key.partition}  {key.subject}" for key in done.keys]
    lines += [f"{key.name}  left    {key.partition}  {key.subject}" for key in done.left]
    return "\n".join(lines) + "\n"


def _use(key: HeldKey, done: Keys) -> str:
    if done.done == "deleted":
        return "deleted"
    return "opens " if key.can_open else "locked"


COMMANDS: dict[str, Callable[..., Any]] = {"keys": keys}
