"""The index of the past: the versions of a branch, answered for one commit of its chain."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec.structs import replace

from gitmem.flows.reading.source import SnapshotSource
from gitmem.flows.work import Work
from gitmem.git.trees import decode_path
from gitmem.index.version_source import Live, VersionsChanged, VersionsUnknown
from gitmem.model.ids import CommitId
from gitmem.model.memory import Memory
from gitmem.versions.snapshot import Snapshot
from gitmem.versions.table_files import UnusableTable, remove_table, table_file
from gitmem.versions.tables import table_of

if TYPE_CHECKING:
    from gitmem.index.hiding import Hiding
    from gitmem.index.version_index import VersionIndex
    from gitmem.index.view import IndexView
    from gitmem.index.writing import Progress
    from gitmem.versions.table import VersionTable

PAST_OF = "@past-"
"""What the folders of these indexes begin with; no branch has a folder named so."""


@contextmanager
def past_view(work: Work, snapshot: Snapshot, hiding: Hiding | None = None) -> Iterator[IndexView | None]:
    """The index showing exactly `snapshot`, of the whole place as it is stored, without what `hiding` tells.

    None where its commit is not on the chain of the branch, or where no version table can be had.
    """
    work = replace(work, place=work.place.as_stored)
    shown = work.place.snapshot(snapshot.commit)
    tip = work.place.tip(work.branch)
    if tip is None or snapshot.commit is None:
        yield None
        return
    with table_of(work.place, work.branch, tip, progress=_history_progress(work)) as table:
        source = TableSource(work, table) if table is not None else None
        live = source.live(shown) if source is not None else None
        if source is None or live is None:
            yield None
            return
        documents = SnapshotSource(work.place, snapshot=shown)
        try:
            opened = version_index(work, source).view(live, documents, hiding)
        except VersionsUnknown:
            opened = None
        with nullcontext(None) if opened is None else opened as view:
            yield view


def version_index(work: Work, source: TableSource) -> VersionIndex:
    """The index of the versions of the branch."""
    from gitmem.index.version_index import VersionIndex

    return VersionIndex(
        past_folder(work),
        source,
        notice=work.notice,
        progress=lambda done, total: work.progress("indexing the past", done, total),
        pool=work.kept.past_indexes,
    )


def catch_up_past(work: Work) -> None:
    """Brings the version table to the tip of the branch, and the index of the past where one was begun."""
    work = replace(work, place=work.place.as_stored)
    tip = work.place.tip(work.branch)
    if tip is None:
        return
    with table_of(work.place, work.branch, tip, progress=_history_progress(work)) as table:
        if table is None:
            return
        if past_folder(work).is_dir() and (index := version_index(work, TableSource(work, table))).exists():
            index.catch_up()


class TableSource:
    """Feeds the index of versions from the version table."""

    def __init__(self, work: Work, table: VersionTable) -> None:
        self._work = work
        self._table = table

    def live(self, snapshot: Snapshot) -> Live | None:
        """The memories of `snapshot`; None where the table does not know its commit."""
        commit = snapshot.commit
        assert commit is not None
        try:
            with self._table.reading():
                if self._table.ordinal_of(commit) is None:
                    return None
                ground = self._table.ground()
        except UnusableTable:
            return None
        return Live((commit, ground), lambda: self._keys_at(commit, ground))

    def _keys_at(self, commit: CommitId, ground: object) -> Collection[int]:
        """The keys of the memories of `commit`, if the table is still made of the same."""
        with suppress(UnusableTable), self._table.reading():
            ordinal = self._table.ordinal_of(commit)
            if ordinal is not None and self._table.ground() == ground:
                return self._work.kept.lifetimes.of(self._table).live(ordinal)
        raise VersionsUnknown(f"{self._work.branch} was rewritten while its past was read", hint="ask again")

    def keys(self) -> set[int]:
        try:
            return self._table.keys()
        except UnusableTable as error:
            raise _changed(self._work) from error

    def memories(self, keys: Collection[int]) -> Iterator[tuple[int, Memory]]:
        try:
            documents = self._table.documents(keys)
        except UnusableTable as error:
            raise _changed(self._work) from error
        if len(documents) != len(keys):
            raise _changed(self._work)
        place = self._work.place
        for document in documents:
            snapshot = place.snapshot(document.commit)
            source = SnapshotSource(place, snapshot=snapshot)
            path = decode_path(document.path)
            yield document.key, source.read(path, document.blob, has_attachments=document.has_attachments)


def _changed(work: Work) -> VersionsChanged:
    return VersionsChanged(f"{work.branch} was rewritten while its past was read", hint="ask again")


def _history_progress(work: Work) -> Progress:
    return lambda done, total: work.progress("reading history", done, total)


def forget_past(work: Work) -> None:
    """Takes table and index of the branch's past away; the next question about it builds them anew."""
    with suppress(OSError):
        remove_table(table_file(work.place, work.branch))
    with suppress(OSError):
        shutil.rmtree(past_folder(work))


def past_folder(work: Work) -> Path:
    """Where the index of the versions of the branch lies."""
    return work.place.home / "index" / f"{PAST_OF}{quote(work.branch, safe='')}"
