"""What differs between two trees."""

from __future__ import annotations

import pygit2
from msgspec import Struct

from gitmem.git.modes import TREE_MODE
from gitmem.git.names import MAX_DEPTH, MAX_PATH_BYTES, are_suspicious, why_refused
from gitmem.git.trees import Entry, TreeCache, TreeEntry, Visits, decode_path


class PathChange(Struct, frozen=True):
    """A path that differs between two trees; None on the side where nothing is."""

    path: str
    old: TreeEntry | None
    new: TreeEntry | None


def diff_trees(
    repo: pygit2.Repository,
    old: str | None,
    new: str | None,
    cache: TreeCache | None = None,
    *,
    without_added: bool = False,
) -> list[PathChange]:
    """The files that differ between two commits or trees, sorted by path; equal folders are not read.

    Files that only `new` has are left out where that is asked for, and folders that only it has are not read.
    """
    opened = cache or TreeCache(repo)
    sides = [None if side is None else opened.root_of(side) for side in (old, new)]
    found: list[tuple[bytes, Entry | None, Entry | None]] = []
    visits = Visits()
    stack: list[tuple[bytes, str | None, str | None]] = [(b"", sides[0], sides[1])]
    while stack:
        folder, left_id, right_id = stack.pop()
        if left_id == right_id or folder.count(b"/") > MAX_DEPTH or len(folder) > MAX_PATH_BYTES:
            continue
        left, right = ({} if side is None else opened.entries(side) for side in (left_id, right_id))
        for side in (left_id, right_id):
            if side is not None:
                visits.add(side)
        differing = {name for name, _ in left.items() ^ right.items()}
        if are_suspicious(list(differing)):
            differing = {name for name in differing if why_refused(name) is None}
        for name in differing:
            before, after = left.get(name), right.get(name)
            old_tree = before[1] if before is not None and before[0] == TREE_MODE else None
            new_tree = after[1] if after is not None and after[0] == TREE_MODE else None
            if old_tree != new_tree and not (without_added and old_tree is None):
                stack.append((folder + name + b"/", old_tree, new_tree))
            old_file, new_file = (None if old_tree else before), (None if new_tree else after)
            if old_file != new_file and not (without_added and old_file is None):
                found.append((folder + name, old_file, new_file))
    found.sort(key=lambda change: change[0])
    return [_path_change(path, old, new) for path, old, new in found]


def _path_change(raw: bytes, old: Entry | None, new: Entry | None) -> PathChange:
    path = decode_path(raw)
    return PathChange(
        path,
        None if old is None else TreeEntry(path, old[1], old[0]),
        None if new is None else TreeEntry(path, new[1], new[0]),
    )
