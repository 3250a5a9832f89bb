"""How a version table is had that shows what is asked for.

Nothing depends on a table: where none can be had, the caller walks through git and says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from gitmem.model.ids import CommitId
from gitmem.platform import FileLock, make_private_directory
from gitmem.versions.place import Place
from gitmem.versions.table_files import DamagedTable, UnusableTable, remove_table, table_file

if TYPE_CHECKING:
    from gitmem.versions.following import Progress
    from gitmem.versions.table import VersionTable

CHEAP_COMMITS = 2_000
"""So many commits are followed in passing, by whoever could do without: about half a second."""
_CHEAP_WAIT_SECONDS = 1.0
_LONG_WAIT_SECONDS = 60.0


@contextmanager
def table_of(
    place: Place,
    branch: str,
    tip: CommitId,
    *,
    most_commits: int | None = None,
    progress: Progress | None = None,
) -> Iterator[VersionTable | None]:
    """The table of `branch`, showing `tip`; None where that cannot be had.

    With `most_commits`, also where more commits than that would have to be read.
    """
    table: VersionTable | None = None
    with suppress(UnusableTable):
        table = _brought_up(place.as_stored, branch, tip, most_commits, progress)
    try:
        yield table
    finally:
        if table is not None:
            table.close()


@contextmanager
def table_holding(place: Place, commit: CommitId) -> Iterator[VersionTable | None]:
    """The table of the branch whose chain has `commit`; None where there is none, or only at a price."""
    table = _found(place.as_stored, commit)
    try:
        yield table
    finally:
        if table is not None:
            table.close()


def table_tip(place: Place, branch: str) -> CommitId | None:
    """The commit that the table of `branch` shows; None where there is none. Changes nothing."""
    with suppress(UnusableTable, OSError):
        table = _opened(place.as_stored, branch)
        if table is not None:
            try:
                found = table.tip()
                return None if found is None else found[1]
            finally:
                table.close()
    return None


def _found(place: Place, commit: CommitId) -> VersionTable | None:
    """The table that has `commit`: one that lies there, else one that is behind by a little."""
    behind = []
    for branch in (place.main, *place.config.branches.values()):
        try:
            table = _if(_opened(place, branch), lambda each: _is_adapted(each, place) and _has(each, commit))
        except DamagedTable:
            table = None
        except UnusableTable:
            continue
        if table is not None:
            return table
        behind.append(branch)
    for branch in behind:
        tip = place.tip(branch)
        if tip is not None:
            with suppress(UnusableTable):
                table = _if(
                    _brought_up(place, branch, tip, CHEAP_COMMITS, None), lambda each: _has(each, commit)
                )
                if table is not None:
                    return table
    return None


def _if(table: VersionTable | None, condition: Callable[[VersionTable], bool]) -> VersionTable | None:
    """`table` if it fulfils `condition`; else it is closed."""
    if table is None:
        return None
    is_fulfilled = False
    try:
        is_fulfilled = condition(table)
    finally:
        if not is_fulfilled:
            table.close()
    return table if is_fulfilled else None


def _has(table: VersionTable, commit: CommitId) -> bool:
    return table.ordinal_of(commit) is not None


def _is_adapted(table: VersionTable, place: Place) -> bool:
    from gitmem.versions.following import is_adapted

    return is_adapted(table, place.repository, place.config)


def _shows(table: VersionTable, place: Place, tip: CommitId) -> bool:
    found = table.tip()
    return found is not None and found[1] == tip and _is_adapted(table, place)


def _opened(place: Place, branch: str, *, create: bool = False) -> VersionTable | None:
    """The table as it lies there; None where there is none yet. Raises `UnusableTable`."""
    file = table_file(place, branch)
    try:
        if not create and not file.exists():
            return None
    except OSError as error:
        # The private folder of another user.
        raise UnusableTable(str(error)) from error
    try:
        from gitmem.versions.table import VersionTable
    except ImportError as error:
        raise UnusableTable("this Python comes without SQLite") from error
    return VersionTable(file, create=create)


def _brought_up(
    place: Place, branch: str, tip: CommitId, most_commits: int | None, progress: Progress | None
) -> VersionTable | None:
    """The table showing `tip`; None where that is more than `most_commits` away. Raises `UnusableTable`."""
    with suppress(DamagedTable):
        table = _if(_opened(place, branch), lambda each: _shows(each, place, tip))
        if table is not None:
            return table
    file = table_file(place, branch)
    wait = _LONG_WAIT_SECONDS if most_commits is None else _CHEAP_WAIT_SECONDS
    try:
        make_private_directory(place.home)
        make_private_directory(file.parent)
        lock = FileLock(file.with_suffix(".guard"), timeout_seconds=wait)
        if not lock.acquire():
            raise UnusableTable("another process is following the branch")
    except OSError as error:
        raise UnusableTable(str(error)) from error
    try:
        with suppress(DamagedTable):
            return _followed(place, branch, tip, most_commits, progress)
        remove_table(file)
        return _followed(place, branch, tip, most_commits, progress)
    except OSError as error:
        raise UnusableTable(str(error)) from error
    finally:
        lock.release()


def _followed(
    place: Place, branch: str, tip: CommitId, most_commits: int | None, progress: Progress | None
) -> VersionTable | None:
    from gitmem.versions.following import follow

    return _if(
        _opened(place, branch, create=True),
        lambda table: follow(
            table, place.repository, place.config, tip, most_commits=most_commits, progress=progress
        ),
    )
