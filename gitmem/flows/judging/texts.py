"""The texts of a branch, found by what they say: a table beside git, so that a write need not search.

<common git directory>/gitmem/texts/<branch, percent-quoted>.sqlite

It says which commit it shows. It is derived and may be deleted at any time: what is missing, damaged, or of a
commit that is gone is made anew. Encrypted memories are not in it. Whoever asks it reads the memory that is
found from git, as they may see it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import TypeVar
from urllib.parse import quote

from gitmem.errors import Damaged, NotFound, OutsideFailure
from gitmem.evolve.exact import text_key
from gitmem.flows.judging.text_file import in_memory, opened
from gitmem.flows.judging.text_table import Texts
from gitmem.flows.work import Progress, Work
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.proposal import is_proposal
from gitmem.platform import make_private_directory
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

T = TypeVar("T")
FOLDER = "texts"
_GUARD = "texts.guard"
_TURN_SECONDS = 60.0
_ATTEMPTS = 3


def asked_of_texts(
    place: Place, snapshot: Snapshot, branch: str, question: Callable[[Texts], T], progress: Progress
) -> T:
    """The answer to `question` about the texts of `snapshot`, which is of `branch`.

    They are kept on the disk where that can be; else they are read once more: that never makes an answer
    shorter.
    """
    stored = place.as_stored.snapshot(snapshot.commit)
    shows = _shown_by(place, stored)
    for _ in range(_ATTEMPTS):
        try:
            with _opened(place, branch, progress) as texts:
                _bring_up(texts, place, stored)
                with texts.at_one_moment():
                    # Another process may have brought it to another commit.
                    if texts.shown() == shows:
                        return question(texts)
        except _Refused:
            break
        except _Busy:
            _wait_for_others(place)
    with closing(Texts(in_memory(), progress)) as made:
        _fill(made, place, stored)
        return question(made)


def texts_between(place: Place, snapshot: Snapshot, old: CommitId) -> Texts:
    """The texts of `snapshot` that differ from commit `old`, in memory, to be closed. Raises `NotFound`."""
    texts = Texts(in_memory())
    stored = place.as_stored.snapshot(snapshot.commit)
    texts.follow(stored, _differing(stored, old), "", since=None)
    return texts


def keep_texts_up(work: Work, *, is_anew: bool = False) -> None:
    """Brings the table to the head of the branch, in the background, so that no write has to wait for that.

    What fails is left to the next write.
    """
    place = work.place
    branch = place.main if is_proposal(work.branch) else work.branch
    stored = place.as_stored.snapshot_of(branch)
    if stored.commit is None:
        return
    with suppress(_Refused, _Busy, Damaged), _opened(place, branch, work.progress) as texts:
        if is_anew:
            _fill(texts, place, stored)
        else:
            _bring_up(texts, place, stored)


class _Refused(Exception):
    """The disk does not take the table."""


class _Busy(Exception):
    """Somebody else writes the table, or it was damaged, and is gone now."""


@contextmanager
def _opened(place: Place, branch: str, progress: Progress) -> Iterator[Texts]:
    """The table of the branch as it lies there, or a new one. Raises `_Refused`, `_Busy`, from within too."""
    file = place.home / FOLDER / f"{quote(branch, safe='')}.sqlite"
    try:
        make_private_directory(place.home)
        make_private_directory(file.parent)
        with closing(opened(file)) as connection:
            yield Texts(connection, progress)
    except sqlite3.OperationalError as error:
        raise (_Busy if "locked" in str(error) else _Refused)(str(error)) from error
    except sqlite3.DatabaseError as error:
        _remove(file)
        raise _Busy(str(error)) from error
    except OSError as error:
        raise _Refused(str(error)) from error


def _bring_up(texts: Texts, place: Place, stored: Snapshot) -> None:
    """Makes the table show the commit, by what differs, or anew."""
    if _follows(texts, place, stored):
        return
    with _turn(place):
        # Somebody else may just have made it.
        if not _follows(texts, place, stored):
            _fill(texts, place, stored)


def _fill(texts: Texts, place: Place, stored: Snapshot) -> None:
    texts.fill(stored, list(stored.files()), _shown_by(place, stored))


def _follows(texts: Texts, place: Place, stored: Snapshot) -> bool:
    """Whether the table shows the commit now, by what differs from the one that it showed."""
    shows = _shown_by(place, stored)
    for _ in range(_ATTEMPTS):
        shown = texts.shown()
        if shown == shows:
            _read_again(texts, place, stored, shows)
            return True
        old, _, rules = (shown or "").partition(" ")
        if rules != shows.partition(" ")[2] or texts.is_worn:
            return False
        try:
            files = _differing(stored, CommitId(old))
        except (NotFound, Damaged):
            return False
        if texts.follow(stored, files, shows, since=shown):
            return True
    return False


def _read_again(texts: Texts, place: Place, stored: Snapshot, shows: str) -> None:
    """Takes in what could not be read before, where its object is here by now."""
    back = [(path, blob) for path, blob in texts.unread().items() if place.repository.has_object(blob)]
    if back:
        texts.follow(stored, back, shows, since=shows)


def _shown_by(place: Place, stored: Snapshot) -> str:
    """What a table of the texts of `stored` says of itself: the commit, and what decides what is a memory."""
    rules = "\0".join(place.config.exclude)
    return f"{stored.commit} {text_key(rules):x}"


def _differing(stored: Snapshot, old: CommitId) -> list[tuple[str, BlobId | None]]:
    return [(each.path, each.new) for each in stored.changes_since(old)]


@contextmanager
def _turn(place: Place) -> Iterator[None]:
    """Lets one process at a time fill a table: the others find it filled."""
    with ExitStack() as stack:
        with suppress(OutsideFailure):
            stack.enter_context(place.turn(_GUARD, timeout_seconds=_TURN_SECONDS))
        yield


def _wait_for_others(place: Place) -> None:
    with _turn(place):
        pass


def _remove(file: Path) -> None:
    for each in (file, file.with_name(file.name + "-journal")):
        with suppress(OSError):
            each.unlink(missing_ok=True)
