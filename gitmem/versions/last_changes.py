"""When each memory of a branch was last changed, all at once."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime

from gitmem.model.ids import CommitId
from gitmem.model.place import owner_of
from gitmem.versions.place import Place
from gitmem.versions.table_files import UnusableTable
from gitmem.versions.tables import table_of


def last_changes(place: Place, branch: str, tip: CommitId, paths: Collection[str]) -> dict[str, datetime]:
    """The committer time of the commit that made each of `paths` what `tip`, the tip of `branch`, has.

    An attachment that changes changes its memory; so does a new path, and an arrival from another branch.
    By the version table of the branch, or where none can be had by walking back through the commits.
    """
    wanted = set(paths)
    found: dict[str, datetime] = {}
    with suppress(UnusableTable), table_of(place, branch, tip) as table:
        if table is not None:
            found = {
                path: datetime.fromtimestamp(seconds, UTC)
                for path, seconds in table.last_changes(tip).items()
                if path in wanted
            }
    return {**_walked(place, tip, wanted - found.keys()), **found}


def _walked(place: Place, tip: CommitId, missing: set[str]) -> dict[str, datetime]:
    found: dict[str, datetime] = {}
    if not missing:
        return found
    repository = place.repository
    for commit in repository.first_parents(tip):
        parent = commit.parents[0] if commit.parents else None
        for change in repository.diff_trees(parent, commit.id):
            path = change.path if change.path in missing else owner_of(change.path)
            if path in missing and path is not None:
                found[path] = commit.committer_time
                missing.discard(path)
        if not missing:
            break
    return found
