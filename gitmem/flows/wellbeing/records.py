"""What is known of every memory of a branch, from the index where it shows the commit, else from the files.

The index is not brought up to date for it: `health` tells how far it is behind, and leaves it so.
"""

from __future__ import annotations

from collections.abc import Iterator

from gitmem.errors import Damaged
from gitmem.flows.reading.indexed import index_of, index_view
from gitmem.flows.work import Work
from gitmem.index.record import Record
from gitmem.versions.snapshot import Snapshot


def records_of(work: Work, snapshot: Snapshot, unread: list[str]) -> list[Record]:
    """The memories that `snapshot` has, by path; `unread` is told of those that cannot be read, and why."""
    if index_of(work).stamp() != snapshot.commit:
        return list(_from_files(snapshot, unread))
    with index_view(work, snapshot) as view:
        records = [] if view is None else list(view.records())
    for record in records:
        if record.is_unreadable:
            unread.append(f"{record.path}: could not be read when it was indexed")
    return [record for record in records if not record.is_unreadable]


def _from_files(snapshot: Snapshot, unread: list[str]) -> Iterator[Record]:
    for path, blob in snapshot.files():
        try:
            yield Record.from_memory(snapshot.read(path, blob))
        except Damaged as error:
            unread.append(f"{path}: {error.message}")
