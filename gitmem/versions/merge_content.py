"""The content of one file that both sides changed: a memory by meaning, all else by line, or both kept."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from msgspec import Struct

from gitmem.model.document import decode, encode
from gitmem.model.ids import BlobId
from gitmem.model.merge.blocks import Block, Kind
from gitmem.model.merge.file import merge_texts
from gitmem.model.merge.form import lines_of
from gitmem.model.merge.linewise import merged_lines
from gitmem.model.merge.outcome import Merged, Side
from gitmem.model.merge.rules import TextRule
from gitmem.model.merge.threeway import BothChanged, changed_side
from gitmem.versions.merge_values import Placed, Standing

MOST_LINES_BYTES = 4 * 1024 * 1024
"""A file that is no memory is merged by line up to this size; a larger one is kept twice."""
SHORT_BLOB = 10
Read = Callable[[BlobId], bytes]
Moment = Callable[[str], datetime | None]


class Moments(Struct, frozen=True):
    """When each side last changed the file at a path; asked only for working memories."""

    ours: Moment = lambda _path: None
    theirs: Moment = lambda _path: None


def merged_memory(
    read: Read, base: Standing | None, ours: Standing, theirs: Standing, moments: Moments
) -> Merged:
    """The memory that two files make. Raises `CannotMerge`."""
    older = decode(read(base.blob))[0] if base is not None else None
    one, other = (decode(read(each.blob))[0] for each in (ours, theirs))
    is_working = any("working" in text[:4096] for text in (one, other))
    sides = (
        Side(one, moments.ours(ours.path) if is_working else None),
        Side(other, moments.theirs(theirs.path) if is_working else None),
    )
    return merge_texts(older, *sides, path=ours.path)


def merged_file(
    read: Read, base: Standing | None, ours: Standing | None, theirs: Standing | None
) -> tuple[Placed | None, Placed | None]:
    """What stands in the place of a file that is no memory, and the second version where both are kept.

    An edit outlives a removal. Lines that one or both sides put at the end all stand.
    """
    try:
        content = changed_side(*(each.content if each else None for each in (base, ours, theirs)))
        return (Placed(BlobId(content[0]), None, content[1]) if content else None), None
    except BothChanged:
        pass
    if ours is None or theirs is None:
        kept = ours or theirs
        return (as_is(kept) if kept else None), None
    mode = merged_mode(base, ours, theirs)
    if ours.blob == theirs.blob:
        return Placed(ours.blob, None, mode), None
    data = _merged_by_line(read, base.blob if base else None, ours.blob, theirs.blob)
    if data is not None:
        return Placed(None, data, mode), None
    first, second = sorted((ours.blob, theirs.blob))
    return Placed(first, None, mode), Placed(second, None, mode)


def _merged_by_line(read: Read, base: BlobId | None, one: BlobId, other: BlobId) -> bytes | None:
    data = [read(blob) if blob is not None else b"" for blob in (base, *sorted((one, other)))]
    if any(len(each) > MOST_LINES_BYTES or b"\x00" in each for each in data):
        return None
    blocks = [Block(Kind.PARAGRAPH, tuple(lines_of(decode(each)[0]))) for each in data]
    lines = merged_lines(blocks[0], blocks[1], blocks[2], TextRule())
    return encode("".join(lines)) if lines is not None else None


def merged_mode(base: Standing | None, ours: Standing, theirs: Standing) -> int:
    """The mode of the side that changed it; the larger number where both did."""
    try:
        return changed_side(base.mode if base else None, ours.mode, theirs.mode)
    except BothChanged:
        return max(ours.mode, theirs.mode)


def as_is(standing: Standing) -> Placed:
    """A file of one side, unchanged."""
    return Placed(standing.blob, None, standing.mode)


def beside(path: str, blob: BlobId) -> str:
    """The path of a second version: the beginning of its blob stands before the ending."""
    folder, slash, name = path.rpartition("/")
    stem, dot, ending = name.rpartition(".")
    mark = blob[:SHORT_BLOB]
    return folder + slash + (f"{stem}-{mark}{dot}{ending}" if stem else f"{name}-{mark}")
