"""What became of memories between two commits, one line for each, wherever its file went.

added      it was not there before
changed    its text, its path or an attachment is another
archived   it is gone, and stands on the archive
removed    it is gone, and does not
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from gitmem.errors import Damaged
from gitmem.model.ids import BlobId, CommitId, MemoryId, id_key
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot


class What(StrEnum):
    """What happened to a memory."""

    ADDED = "added"
    CHANGED = "changed"
    ARCHIVED = "archived"
    REMOVED = "removed"


class MemoryChange(Struct, frozen=True):
    """One memory that differs; `path` and `title` are the newer ones, `blob` is None where it is gone."""

    id: MemoryId
    path: str
    title: str
    what: What
    blob: BlobId | None = None


class _Side(Struct, frozen=True):
    id: MemoryId
    path: str
    title: str
    blob: BlobId


def memory_changes(
    place: Place, old: CommitId | None, new: CommitId | None, *, archives: Iterable[CommitId | None] = ()
) -> list[MemoryChange]:
    """The memories that differ between two commits (None: nothing there), by path.

    What is gone counts as archived where it stands on one of `archives`.
    """
    if old == new:
        return []
    before, after = place.snapshot(old), place.snapshot(new)
    kept = [place.snapshot(commit) for commit in archives if commit is not None]
    gone: dict[str, _Side] = {}
    there: dict[str, _Side] = {}
    for change in after.changes_since(old):
        for sides, snapshot, blob in ((gone, before, change.old), (there, after, change.new)):
            if blob is not None:
                side = _side(snapshot, change.path, blob)
                # A second file of the same id counts as another memory.
                key = id_key(side.id)
                sides[key if key not in sides else f"{key}\0{change.path}"] = side
    found = [_change(key, side, gone) for key, side in there.items()]
    found += [_gone(side, kept) for key, side in gone.items() if key not in there]
    return sorted(found, key=lambda change: change.path)


def _change(key: str, side: _Side, gone: dict[str, _Side]) -> MemoryChange:
    what = What.CHANGED if key in gone else What.ADDED
    return MemoryChange(side.id, side.path, side.title, what, side.blob)


def _gone(side: _Side, archives: list[Snapshot]) -> MemoryChange:
    is_kept = any(archive.blob(side.path) or archive.names_ending_in(id_key(side.id)) for archive in archives)
    return MemoryChange(side.id, side.path, side.title, What.ARCHIVED if is_kept else What.REMOVED)


def _side(snapshot: Snapshot, path: str, blob: BlobId) -> _Side:
    try:
        memory = snapshot.read(path, blob)
    except Damaged:
        # One that cannot be read counts all the same.
        return _Side(MemoryId(path), path, path, blob)
    return _Side(memory.id, path, memory.title, blob)
