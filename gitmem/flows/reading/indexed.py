"""The index as a flow asks it: showing exactly one state of the memories, with edits laid over it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING
from urllib.parse import quote

from gitmem.flows.reading.source import SnapshotSource
from gitmem.flows.work import REFRESH_WANTED, Work
from gitmem.model.ids import BlobId
from gitmem.model.memory import Memory
from gitmem.model.proposal import is_proposal
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.index.branch_index import BranchIndex
    from gitmem.index.view import IndexView

PAST = "@past"
"""Folder of the index that answers for single commits; no branch can have this name."""


@contextmanager
def index_view(
    work: Work, snapshot: Snapshot, edited: Sequence[Memory] = (), gone: Sequence[str] = ()
) -> Iterator[IndexView | None]:
    """The index showing exactly `snapshot`, with `edited` in place of the files at their paths.

    The paths in `gone` are left out. None for the empty snapshot of an unborn branch.
    """
    if snapshot.commit is None:
        yield None
        return
    hiding = None
    if work.place.veil is not None:
        from gitmem.flows.rights.apart import hiding_of

        hiding = hiding_of(work, snapshot.commit)
        work, snapshot = work.whole, work.place.whole.snapshot(snapshot.commit)
    if not work.is_past and (work.place.config.policy.encrypts or work.place.keyring.is_there):
        from gitmem.flows.reading.locked import opened

        # They are in no index on the disk, and added to each answer in memory.
        taken = {memory.path for memory in edited}
        edited = [*edited, *(each for each in opened(work, snapshot) if each.path not in taken)]
    if work.is_past:
        from gitmem.flows.reading.past import past_view

        with past_view(work, snapshot, hiding) as view:
            if view is not None:
                yield view
                return
    else:
        work.kept.let_go_of_changed_past()
    from gitmem.index.source import FileDelta

    indexed, shown, changes = _standing_in(work, snapshot)
    changes |= {memory.path: memory.blob for memory in edited} | dict.fromkeys(gone)
    deltas = [FileDelta(path, shown.blob(path), blob) for path, blob in changes.items()]
    assert shown.commit is not None, "it was looked at above"
    source = SnapshotSource(work.place.as_stored, edited, shown, work.kept.memories)
    with index_of(indexed).view(shown.commit, edits=deltas, edited=source, hiding=hiding) as view:
        if not work.is_past:
            with suppress(OSError):
                (work.place.home / REFRESH_WANTED).unlink()
        yield view


def _standing_in(work: Work, snapshot: Snapshot) -> tuple[Work, Snapshot, dict[str, BlobId | None]]:
    """Whose index shows `snapshot`, what it shows, and by path what the snapshot has in place of that.

    A proposal is main with some changes: it needs no index of its own.
    """
    if not is_proposal(work.branch) or work.is_past or not work.place.tip(work.place.main):
        return work, snapshot, {}
    main = work.on(work.place.main)
    shown = main.snapshot()
    assert shown.commit is not None, "main has a tip"
    return main, shown, {change.path: change.new for change in snapshot.changes_since(shown.commit)}


def index_of(work: Work) -> BranchIndex:
    """The index of the branch; of the past, one for single commits that are on no chain."""
    from gitmem.index.branch_index import BranchIndex

    name = PAST if work.is_past else quote(work.branch, safe="")
    return BranchIndex(
        work.place.home / "index" / name,
        SnapshotSource(work.place.as_stored, hot=work.kept.memories),
        notice=work.notice,
        progress=lambda done, total: work.progress("indexing", done, total),
        pool=work.kept.indexes,
    )
