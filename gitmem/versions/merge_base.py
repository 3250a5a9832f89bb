"""The base of a merge: the common commit, or, after a criss-cross, what its common commits merge to."""

from __future__ import annotations

from collections.abc import Callable

from gitmem.git.ancestry import merge_bases
from gitmem.git.tree_edit import tree_with
from gitmem.model.ids import BlobId
from gitmem.versions.merge_tree import merge_trees
from gitmem.versions.merge_units import halves_of
from gitmem.versions.merge_values import TreeMerge
from gitmem.versions.place import Place

MOST_BASES = 8
DEEPEST = 6


def base_of(place: Place, ours: str, theirs: str, *, depth: int = 0) -> str | None:
    """The commit or tree that both commits came from; None where they share no history.

    Several common commits are merged first, as both sides did or would have done; so what one of them took
    out is out. At most 8 of them, and 6 such merges in one another; beyond that the first stands alone.
    """
    # What is written here is no commit of anybody: what is encrypted stays so.
    place = place.as_stored
    bases = merge_bases(place.repository, ours, theirs)
    if len(bases) < 2 or depth >= DEEPEST:
        return bases[0] if bases else None
    merged = bases[0]
    for other in bases[1:MOST_BASES]:
        older = base_of(place, bases[0], other, depth=depth + 1)
        halves = halves_of(place, older, merged, other)
        found = merge_trees(halves.base, halves.ours, halves.theirs, read=_reader(place), takes_policy=True)
        merged = tree_of(place, merged, found)
    return merged


def tree_of(place: Place, ours: str, merge: TreeMerge) -> str:
    """The merged tree, written."""
    repository = place.repository
    changes: dict[str, str | None] = dict.fromkeys(merge.removals)
    modes: dict[str, int] = {}
    for path, placed in merge.writes.items():
        changes[path] = placed.blob or repository.write_blob(placed.data or b"")
        modes[path] = placed.mode
    return tree_with(repository, ours, changes, modes=modes)


def _reader(place: Place) -> Callable[[BlobId], bytes]:
    return place.repository.read_blob
