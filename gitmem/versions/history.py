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

A chain is walked commit by commit, or looked up in the version table of its branch, with the same
answers; `walk` and `table_steps` do the one and the other. Where there is no table, git is asked after some
hundred commits which of the others to look at (`git_steps`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from gitmem.errors import Damaged, NotFound
from gitmem.model.change import trailers_of
from gitmem.model.ids import BlobId, CommitId
from gitmem.versions.git_steps import WALKED_BEFORE, steps_by_git
from gitmem.versions.place import Place
from gitmem.versions.table_steps import steps_by_table
from gitmem.versions.tables import table_holding
from gitmem.versions.veil import VeiledRepository
from gitmem.versions.walk import Step, Walk

__all__ = ["Step", "history", "last_step"]

MOVED_FROM = "Moved-From"
WALKED_COMMITS = 16
"""So many commits are walked before the version table is opened: what is young needs no table."""
_COMMIT = re.compile("[0-9a-f]{40}")


def history(place: Place, start: CommitId, path: str) -> Iterator[Step]:
    """The steps of the memory at `path` from `start` backwards, on whatever branch it stood.

    They end where whoever acts may not read what came before.
    """
    steps = _history(place.whole, start, path)
    return steps if place.veil is None else _seen(place.veil, steps)


def _seen(veil: VeiledRepository, steps: Iterator[Step]) -> Iterator[Step]:
    for step in steps:
        if veil.hides(step.path, step.blob, at=step.commit.id):
            return
        shown = replace(step, commit=veil.commit(step.commit.id))
        parent = next(iter(shown.commit.parents), None)
        older = step.renamed_from
        if older is not None and parent is not None and veil.entry(parent, older) is None:
            yield replace(shown, renamed_from=None)
            return
        yield shown


def _history(place: Place, start: CommitId, path: str) -> Iterator[Step]:
    seen: set[tuple[str, str]] = set()
    while (start, path) not in seen:
        seen.add((start, path))
        last: Step | None = None
        for step in _on_one_branch(place, start, path):
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


def _on_one_branch(place: Place, start: CommitId, path: str) -> Iterator[Step]:
    """The steps along one chain: the newest by walking, the others by the version table, or git's word."""
    walk = Walk(place.repository, start, path)
    yield from walk.steps(most_commits=WALKED_COMMITS)
    if walk.commit is None:
        return
    with table_holding(place, CommitId(walk.commit.id)) as table:
        if table is not None:
            yield from steps_by_table(table, walk)
    yield from walk.steps(most_commits=WALKED_BEFORE)
    yield from steps_by_git(walk)
    yield from walk.steps()


def _origin(place: Place, born: Step) -> tuple[CommitId, str, BlobId] | None:
    """Where a memory came from that a commit brought in by a move: commit, path and blob there."""
    for revision in trailers_of(born.commit.message).get(MOVED_FROM, []):
        if not _COMMIT.fullmatch(revision):
            # A message can say anything; a revision such as `:/text` would search the whole history.
            continue
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
