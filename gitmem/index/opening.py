"""The state of an index in use, opened while other processes may be replacing it."""

from __future__ import annotations

import time
from pathlib import Path

from whoosh.index import EmptyIndexError

from gitmem.index.content import IndexContent
from gitmem.index.place import IndexPlace
from gitmem.index.stamp import Stamp, read_stamp
from gitmem.index.storage import DAMAGE, open_index
from gitmem.index.sums import is_proved

_ATTEMPTS = 20
_ATTEMPT_DELAY_SECONDS = 0.01


class DamagedIndex(Exception):
    """The index on disk cannot be opened."""


def opened(place: IndexPlace) -> tuple[IndexContent | None, Stamp | None, Path | None]:
    """The state in use with its stamp; a state that vanishes while being opened is looked for again."""
    seen: object = None
    for _ in range(_ATTEMPTS):
        folder = place.current()
        if folder is None:
            return None, None, None
        state = (folder, place.generation(folder))
        try:
            if state[1] > 0 and not is_proved(folder, state[1]):
                return None, None, folder
            content, stamp = open_state(folder)
        except (FileNotFoundError, EmptyIndexError) as error:
            # The files may have been replaced while they were opened: only what fails twice is damaged.
            if state == seen:
                raise DamagedIndex from error
            seen = state
            time.sleep(_ATTEMPT_DELAY_SECONDS)
        except DAMAGE as error:
            raise DamagedIndex from error
        else:
            return content, stamp, folder
    raise DamagedIndex


def open_state(folder: Path) -> tuple[IndexContent | None, Stamp | None]:
    """The newest generation in `folder` with its stamp; nothing where the stamp is of no use."""
    index = open_index(folder)
    reader = index.reader()
    generation = reader.generation() if reader.doc_count_all() else index.latest_generation()
    stamp = read_stamp(folder, generation)
    if stamp is None:
        reader.close()
        return None, None
    content = IndexContent([reader], stamp.totals)
    if content.counted() != stamp.totals.documents:
        content.close()
        raise EmptyIndexError("the stamp counts other documents")
    return content, stamp


def give_up(writer: object) -> None:
    """Lets go of a writer that did not commit; what it wrote so far is never seen."""
    if getattr(writer, "is_closed", True):
        return
    try:
        writer.cancel()  # type: ignore[attr-defined]
    except DAMAGE:
        lock = getattr(writer, "writelock", None)
        if lock is not None and lock.fd is not None:
            lock.release()
