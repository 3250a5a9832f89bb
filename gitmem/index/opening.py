"""The state of an index in use, opened while other processes may be replacing it."""

from __future__ import annotations

import time
from pathlib import Path

from gitmem.index.content import IndexContent
from gitmem.index.damage import DAMAGE, NoIndex
from gitmem.index.leaf import Segment
from gitmem.index.place import IndexPlace, newest_generation
from gitmem.index.segment_file import SegmentFile
from gitmem.index.stamp import Stamp, Totals, read_stamp
from gitmem.index.sums import Listed, is_proved, listed_segments

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
            content, stamp = open_state(folder, place.rules)
        except (FileNotFoundError, NoIndex) as error:
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


def open_state(folder: Path, rules: str) -> tuple[IndexContent | None, Stamp | None]:
    """The newest generation in `folder` with its stamp; nothing where the stamp is of no use."""
    generation = newest_generation(folder)
    if generation < 0:
        raise NoIndex(f"{folder} has no index")
    stamp = read_stamp(folder, generation, rules)
    if stamp is None:
        return None, None
    content = open_generation(folder, generation, stamp.totals)
    if content.counted() != stamp.totals.documents:
        content.close()
        raise NoIndex("the stamp counts other documents")
    return content, stamp


def open_generation(folder: Path, generation: int, totals: Totals) -> IndexContent:
    """The segments of a generation, with the `totals` of what is live in them."""
    segments: list[Segment] = []
    try:
        for name, deleted in _listed(folder, generation):
            segments.append(Segment(SegmentFile.open(folder / name), frozenset(deleted)))
    except BaseException:
        for segment in segments:
            segment.file.close()
        raise
    return IndexContent(segments, totals)


def _listed(folder: Path, generation: int) -> Listed:
    noted = listed_segments(folder, generation)
    if noted is not None:
        return noted
    # The writer has only just published it, or died before it noted it: Whoosh's table says the same.
    from gitmem.index import storage

    return storage.listed_segments(folder, generation)


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
