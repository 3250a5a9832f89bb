"""Commands about several hands: merge, conflicts, resolve, merge-driver."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.driver import MARKER_SIZE, Task, merge_files
from gitmem.cli.options import (
    Agent,
    AsJson,
    Branch,
    Expect,
    Folder,
    Reason,
    Reference,
    SessionName,
    option,
    origin_of,
)
from gitmem.cli.render_merge import conflicts_text, merging_text, resolved_text
from gitmem.cli.session import Session, read_in
from gitmem.cli.shapes_merge import conflicts_shape, merging_shape, resolved_shape
from gitmem.errors import BadInput, GitmemError, OutsideFailure


def merge(
    context: typer.Context,
    revision: Annotated[
        str, typer.Argument(metavar="REF", help="A branch, remote branch or commit.", show_default=False)
    ],
    commit: Annotated[
        bool, typer.Option("--commit", help="Make a commit also where a fast-forward would do.")
    ] = False,
    policy: Annotated[bool, typer.Option("--policy", help="Take in changes below .gitmem/ too.")] = False,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Bring another line of work into main, memory by memory, as one commit.

    What contradicts is kept as both versions in one file, and listed by conflicts; it stops nothing. Works
    in bare repositories too. undo takes the merge back.

    Example: gitmem merge origin/main
    """
    door = session_of(context, as_json, folder, branch)
    merging = door.store().merge(
        revision,
        policy="take" if policy else "refuse",
        is_commit_wanted=commit,
        origin=origin_of(agent, session, None, reason),
    )
    door.talk_all(merging.notices)
    door.emit(lambda: merging_shape(merging), lambda: merging_text(merging))


def conflicts(
    context: typer.Context, as_json: AsJson = False, folder: Folder = None, branch: Branch = None
) -> None:
    """List the memories of which a merge kept several versions, with who wrote each.

    Example: gitmem conflicts
    """
    door = session_of(context, as_json, folder, branch)
    found = door.store().conflicts()
    door.emit(lambda: conflicts_shape(found), lambda: conflicts_text(found))


def resolve(
    context: typer.Context,
    reference: Reference,
    ours: Annotated[bool, typer.Option("--ours", help="The version that this clone wrote.")] = False,
    theirs: Annotated[bool, typer.Option("--theirs", help="The version that it did not write.")] = False,
    first: Annotated[bool, typer.Option("--first", help="The first version in the file.")] = False,
    second: Annotated[bool, typer.Option("--second", help="The second version in the file.")] = False,
    version: Annotated[
        str | None, option("--version", "NAME", "The version of this name; the rest stays disputed.")
    ] = None,
    text: Annotated[str | None, option("--text", "TEXT|-", "A new text; - reads standard input.")] = None,
    edit: Annotated[bool, typer.Option("--edit", help="Open the file in git's editor.")] = False,
    expect: Expect = None,
    session: SessionName = None,
    agent: Agent = None,
    reason: Reason = None,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Settle a disputed memory: one version stands, or a new text.

    Ours is the version of the agent named with --agent, else the one whose commit was made in this clone,
    else the one by the person that git names here; where that tells nothing, use --version.

    Example: gitmem resolve m7k2q9xw --ours --reason "she confirmed it"
    """
    flags = {"ours": ours, "theirs": theirs, "first": first, "second": second}
    chosen = [name for name, is_set in flags.items() if is_set] + ([version] if version is not None else [])
    if len(chosen) + (text is not None) + edit != 1:
        names = "--ours, --theirs, --first, --second, --version, --text, --edit"
        raise BadInput(f"give exactly one of {names}", field="version")
    door = session_of(context, as_json, folder, branch)
    if edit:
        resolved = _edited(door, reference, expect, origin_of(agent, session, None, reason))
    else:
        resolved = door.store().resolve(
            reference,
            chosen[0] if chosen else None,
            text=read_in(text, what="text") if text == "-" else text,
            expect=expect,
            origin=origin_of(agent, session, None, reason),
        )
    door.talk_all(resolved.written.notices)
    door.emit(lambda: resolved_shape(resolved), lambda: resolved_text(resolved))


def _edited(door: Session, reference: str, expect: str | None, origin: Any) -> Any:
    """What `resolve` makes of the file as the editor left it; a file that is refused is kept, and named."""
    store = door.store()
    found = store.disputed(reference)
    editor = store.editor()
    if editor is None:
        raise OutsideFailure("git knows no editor", hint="set GIT_EDITOR, or use --text")
    with tempfile.NamedTemporaryFile("wb", prefix=f"gitmem-{found.id}-", suffix=".md", delete=False) as file:
        file.write(found.text.encode("utf-8", "surrogateescape"))
    path = Path(file.name)
    if subprocess.run(f"{editor} {shlex.quote(str(path))}", shell=True, check=False).returncode:
        raise OutsideFailure(f"the editor failed; the text is in {path}")
    try:
        text = path.read_bytes().decode("utf-8", "surrogateescape")
        resolved = store.resolve(reference, file=text, expect=expect or found.version, origin=origin)
    except (GitmemError, OSError):
        door.talk(f"what you wrote is in {path}")
        raise
    path.unlink(missing_ok=True)
    return resolved


def merge_driver(
    base: Annotated[Path, typer.Argument(metavar="%O", help="The common version.", show_default=False)],
    ours: Annotated[
        Path, typer.Argument(metavar="%A", help="Our version; gets the result.", show_default=False)
    ],
    theirs: Annotated[Path, typer.Argument(metavar="%B", help="Their version.", show_default=False)],
    path: Annotated[
        str, typer.Argument(metavar="%P", help="The path in the repository.", show_default=False)
    ],
    marker_size: Annotated[
        int, typer.Argument(metavar="[%L]", help="The size of git's markers.", show_default=False)
    ] = MARKER_SIZE,
    as_json: AsJson = False,
) -> None:
    """Merge one memory file by meaning; called by git, which init tells to.

    Exit code 0 also where the memory is disputed; 1 leaves git's own conflict.

    Example: git config merge.gitmem.driver "gitmem merge-driver %O %A %B %P"
    """
    code = merge_files(Task(base, ours, theirs, path, marker_size), as_json=as_json)
    if code:
        raise typer.Exit(code)


COMMANDS: dict[str, Callable[..., Any]] = {
    "merge": merge,
    "conflicts": conflicts,
    "resolve": resolve,
    "merge-driver": merge_driver,
}
