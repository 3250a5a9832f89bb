"""The guard of a shared repository: git asks it before a push is taken.

Cases, for main and archive alone:
    deleted     the branch would be gone: refused
    rewritten   commits would be gone from it: refused
    broken      main would have no config, or one that cannot be read: refused
    dropped     a memory would be gone from main, and stands on no archive: refused
    forgotten   a history would come back that was rewritten, as the tombstones here tell: refused
    grown       all else: taken
What is pushed is seen where git has put it aside until then; nothing of it is kept where it is refused.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from gitmem.errors import BadInput, Refused, StoreProblem
from gitmem.flows.forgetting.forgotten import old_commits, tombstones_of
from gitmem.flows.work import Work
from gitmem.git.refs import NOTHING
from gitmem.model.ids import CommitId
from gitmem.versions.config import CONFIG_PATH
from gitmem.versions.memory_changes import What, memory_changes
from gitmem.versions.place import config_at

MOST_NAMED = 3


class Pushed(Struct, frozen=True):
    """One ref that a push would move; None where it was not there, or would not be any more."""

    ref: str
    old: CommitId | None
    new: CommitId | None


def parse_pushed(lines: Iterable[str]) -> list[Pushed]:
    """What git says on the standard input of `pre-receive`. Raises `BadInput`."""
    found = []
    for line in filter(str.strip, lines):
        words = line.split()
        if len(words) != 3:
            raise BadInput(f"{line!r} is not OLD NEW REF", field="standard input")
        old, new = (None if word == NOTHING else CommitId(word) for word in words[:2])
        found.append(Pushed(words[2], old, new))
    return found


def guard(work: Work, pushed: Iterable[Pushed], *, quarantine: Path | None) -> None:
    """Raises `Refused` naming what the push would take away. `quarantine` is where git holds its objects."""
    place = work.place
    if quarantine is not None:
        place.repository.see_objects_in(quarantine)
    names = {f"refs/heads/{name}": name for name in (place.main, place.config.branches["archive"])}
    moves = {names[each.ref]: each for each in pushed if each.ref in names}
    tombstones = tombstones_of(place)
    for name, move in moves.items():
        if move.new is not None and old_commits(place, move.new, tombstones):
            raise Refused(
                f"{name} would bring back what was forgotten",
                hint="'gitmem heal' puts new work onto the history of now",
            )
    for name, move in moves.items():
        _refuse_loss(work, name, move)
    main = moves.get(place.main)
    if main is not None:
        _refuse_broken(work, main)
    if main is not None and main.old is not None:
        archive = place.config.branches["archive"]
        tip = moves[archive].new if archive in moves else place.tip(archive)
        _refuse_dropped(work, main.old, main.new, tip)


def _refuse_loss(work: Work, name: str, move: Pushed) -> None:
    if move.new is None:
        raise Refused(f"{name} may not be deleted here")
    if move.old is not None and not work.place.repository.is_ancestor(move.old, move.new):
        raise Refused(
            f"{name} may only grow here: {move.old[:10]} is not in what was pushed",
            hint="'gitmem sync' brings both together",
        )


def _refuse_broken(work: Work, move: Pushed) -> None:
    """Whatever reads the store afterwards, this guard too, would fail."""
    place = work.place
    try:
        found = config_at(place.repository, move.new, place.main)
    except StoreProblem as error:
        raise Refused(f"the store could not be read any more: {error.message}", hint=error.hint) from error
    if found is None and config_at(place.repository, move.old, place.main) is not None:
        raise Refused(
            f"the store could not be read any more: {CONFIG_PATH} would be gone from {place.main}",
            hint="'git revert' brings it back",
        )


def _refuse_dropped(work: Work, old: CommitId, new: CommitId | None, archive: CommitId | None) -> None:
    changes = memory_changes(work.place, old, new, archives=[archive])
    gone = [change for change in changes if change.what is What.REMOVED]
    if gone:
        shown = ", ".join(change.path for change in gone[:MOST_NAMED])
        more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
        raise Refused(
            f"{shown}{more} would be gone, and not archived",
            hint="'git revert' brings it back there; 'gitmem archive' takes a memory out of the way",
        )
