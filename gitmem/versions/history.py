"""The versions of one memory, newest first, along the first-parent chain and across renames.

Cases at each commit, from the newest backwards:
    same       the parent has the file with the same blob: no version here
    changed    the parent has the file with another blob: a version
    renamed    the parent lacks the file, but this commit removed one that is the same memory:
               a version, and the history goes on under the older name
    born       neither: the oldest version
    cut        the chain ends because the clone is shallow: the file is older than what is here
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gitmem.git.repository import CommitInfo, Repository, TreeEntry
from gitmem.model.ids import BlobId, CommitId, id_key
from gitmem.model.reading import read_memory

SIMILAR = 0.5
"""Share of lines two files must have in common to be one memory that was renamed and edited, as in git."""


@dataclass(frozen=True, slots=True)
class Step:
    """What one commit made of a memory: it stood at `path` with `blob` from then on (None: removed)."""

    commit: CommitInfo
    path: str
    blob: BlobId | None
    renamed_from: str | None = None
    is_cut: bool = False


def steps(repository: Repository, start: CommitId, path: str) -> Iterator[Step]:
    """The steps of the memory at `path` from `start` backwards."""
    chain = repository.first_parents(start)
    current = next(chain, None)
    while current is not None:
        parent = next(chain, None)
        here = repository.entry(current.tree, path)
        before = repository.entry(parent.tree, path) if parent else None
        if here is None:
            return
        if before is None:
            renamed_from = _older_name(repository, parent, current, path, here) if parent else None
            is_cut = parent is None and bool(current.parents)
            yield Step(current, path, BlobId(here.oid), renamed_from, is_cut)
            if renamed_from is None:
                return
            path = renamed_from
        elif before.oid != here.oid:
            yield Step(current, path, BlobId(here.oid))
        current = parent


def last_step(repository: Repository, start: CommitId, path: str) -> Step | None:
    """The newest step of the memory at `path`; None where `start` has no such file."""
    return next(steps(repository, start, path), None)


def _older_name(
    repository: Repository, parent: CommitInfo, current: CommitInfo, path: str, here: TreeEntry
) -> str | None:
    """The path under which the memory stood in `parent`, judged by bytes, then id, then likeness."""
    removed = [
        change.old
        for change in repository.diff_trees(parent.tree, current.tree)
        if change.old is not None and change.new is None and change.path.casefold().endswith(".md")
    ]
    for entry in removed:
        if entry.oid == here.oid:
            return entry.path
    if not removed:
        return None
    data = repository.read_blob(here.oid)
    memory = read_memory(path, BlobId(here.oid), data)
    best, best_share = None, SIMILAR
    for entry in removed:
        old_data = repository.read_blob(entry.oid)
        old = read_memory(entry.path, BlobId(entry.oid), old_data)
        if memory.has_own_id and old.has_own_id:
            if id_key(memory.id) == id_key(old.id):
                return entry.path
            continue
        share = _likeness(old_data, data)
        if share >= best_share:
            best, best_share = entry.path, share
    return best


def _likeness(left: bytes, right: bytes) -> float:
    """The share of lines that two texts have in common, from 0 to 1."""
    a, b = left.splitlines(), right.splitlines()
    if not a or not b:
        return 0.0
    counts: dict[bytes, int] = {}
    for line in a:
        counts[line] = counts.get(line, 0) + 1
    common = 0
    for line in b:
        if counts.get(line, 0) > 0:
            counts[line] -= 1
            common += 1
    return common / max(len(a), len(b))
