"""The versions of one memory, newest first, along the first-parent chain, across renames and moves.

Cases at each commit, from the newest backwards:
    same       the parent has the file with the same blob: no step here
    changed    the parent has the file with another blob: a version
    renamed    the parent lacks the file, but this commit removed one that is the same memory:
               a version, and the history goes on under the older name
    moved      the parent lacks the file, and the commit says `Moved-From`: no version if the bytes
               are the same; the history goes on in the commit it came from
    born       none of these: the oldest version
    cut        the chain ends because the clone is shallow: the file is older than what is here
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gitmem.errors import Damaged, NotFound
from gitmem.git.repository import CommitInfo, Repository, TreeEntry
from gitmem.model.change import trailers_of
from gitmem.model.diff import likeness
from gitmem.model.ids import BlobId, CommitId, id_key
from gitmem.model.reading import read_memory
from gitmem.versions.place import Place

SIMILAR = 0.5
"""Share of lines two files must have in common to be one memory that was renamed and edited, as in git."""
MOVED_FROM = "Moved-From"


@dataclass(frozen=True, slots=True)
class Step:
    """What one commit made of a memory: it stood at `path` with `blob` from then on.

    `is_move`: the memory came unchanged from another branch, at commit `moved_from`.
    """

    commit: CommitInfo
    path: str
    blob: BlobId
    renamed_from: str | None = None
    moved_from: CommitId | None = None
    is_move: bool = False
    is_born: bool = False
    is_cut: bool = False


def history(place: Place, start: CommitId, path: str) -> Iterator[Step]:
    """The steps of the memory at `path` from `start` backwards, on whatever branch it stood."""
    seen: set[tuple[str, str]] = set()
    while (start, path) not in seen:
        seen.add((start, path))
        last: Step | None = None
        for step in _on_one_branch(place.repository, start, path):
            if step.is_born:
                last = step
            else:
                yield step
        if last is None:
            return
        origin = _origin(place, last)
        if origin is None:
            is_cut = last.is_cut or (
                MOVED_FROM in trailers_of(last.commit.message) and place.repository.is_shallow()
            )
            yield replace(last, is_cut=is_cut)
            return
        source, older_path, older_blob = origin
        is_move = older_blob == last.blob
        yield Step(last.commit, last.path, last.blob, moved_from=source, is_move=is_move)
        start, path = source, older_path


def last_step(place: Place, start: CommitId, path: str) -> Step | None:
    """The newest version of the memory at `path`; None where `start` has no such file."""
    return next((step for step in history(place, start, path) if not step.is_move), None)


def _on_one_branch(repository: Repository, start: CommitId, path: str) -> Iterator[Step]:
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
            is_cut = parent is None and current.id in repository.shallow_commits()
            is_born = renamed_from is None
            yield Step(current, path, BlobId(here.oid), renamed_from, is_born=is_born, is_cut=is_cut)
            if renamed_from is None:
                return
            path = renamed_from
        elif before.oid != here.oid:
            yield Step(current, path, BlobId(here.oid))
        current = parent


def _origin(place: Place, born: Step) -> tuple[CommitId, str, BlobId] | None:
    """Where a memory came from that a commit brought in by a move: commit, path and blob there."""
    for revision in trailers_of(born.commit.message).get(MOVED_FROM, []):
        try:
            source = place.snapshot(place.commit_named(revision))
        except (NotFound, Damaged):
            continue
        blob = source.blob(born.path)
        if blob is not None and source.commit is not None:
            return source.commit, born.path, blob
        memory = place.snapshot(None).read(born.path, born.blob)
        for older in source.named(memory.id):
            if source.commit is not None:
                return source.commit, older.path, older.blob
    return None


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
        share = likeness(old_data, data)
        if share >= best_share:
            best, best_share = entry.path, share
    return best
