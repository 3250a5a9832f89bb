"""Ids that changed hands: an id is one memory for life, wherever it moves.

Cases, for one path or one id between the two ends of a change:
    same            the path has the id that it had, and the text goes on                          fine
    moved           the id stands at another path with a text that goes on                         fine
    replaced        the path has another id, and the old one is nowhere                            error
    adopted         a note without an id was given one that is not the one it was known by         warning
    taken           the id stands at another path, on a text that has nothing to do with its own   error
    overwritten     path and id stayed, and the text has nothing to do with the one before         warning
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gitmem.flows.checks.known import IndexedKnown
from gitmem.index.analysis import query_terms
from gitmem.model.ids import id_key
from gitmem.review.claims import Reading
from gitmem.versions.audit import Finding

LEAST_TERMS = 4
"""Texts of fewer content words say too little to be called unrelated."""
RELATED_SHARE = 0.2
"""The share of the shorter text's words that the other has too, where they go on from each other."""


SAME_SHARE = 0.5
"""The share of the shorter text's words that the other has too, where a note is taken to be renamed."""


def handed_over(
    old: Mapping[str, Reading], new: Mapping[str, Reading], known: IndexedKnown
) -> Iterator[Finding]:
    """The ids that changed hands between the memories `old` and `new` of a change, both by path."""
    owners = {id_key(reading.memory.id): path for path, reading in old.items()}
    for path, reading in new.items():
        memory = reading.memory
        before = old.get(path)
        came_from = owners.get(id_key(memory.id))
        if before is not None and id_key(before.memory.id) == id_key(memory.id):
            if _are_unrelated(before, reading):
                message = f"{memory.id} has another text that has nothing to do with the one before"
                yield Finding("warning", "id-changed", path, message, id=memory.id)
            continue
        if came_from is not None and _are_unrelated(old[came_from], reading):
            message = f"has the id {memory.id} of {came_from}, whose text had nothing to do with it"
            yield Finding("error", "id-changed", path, message, id=memory.id)
        elif before is not None and not _stands(before, new, known):
            was = before.memory
            severity = "error" if was.has_own_id else "warning"
            message = f"was {was.id} and is {memory.id} now; links to {was.id} lead nowhere"
            yield Finding(severity, "id-changed", path, message, id=memory.id)


def _stands(before: Reading, new: Mapping[str, Reading], known: IndexedKnown) -> bool:
    """Whether the memory is somewhere still: in the change, on main, or on another branch."""
    wanted = id_key(before.memory.id)
    return any(id_key(reading.memory.id) == wanted for reading in new.values()) or known.has_id(
        before.memory.id
    )


def is_renamed(before: Reading, old: Mapping[str, Reading], new: Mapping[str, Reading]) -> bool:
    """Whether a note that is known by its path alone goes on at a path that the change brings."""
    return not before.memory.has_own_id and any(
        path not in old and _goes_on(before, reading) for path, reading in new.items()
    )


def _goes_on(one: Reading, other: Reading) -> bool:
    mine, theirs = _words(one), _words(other)
    shared = len(mine & theirs)
    return one.memory.body == other.memory.body or shared > SAME_SHARE * min(len(mine), len(theirs))


def _are_unrelated(one: Reading, other: Reading) -> bool:
    mine, theirs = _words(one), _words(other)
    least = min(len(mine), len(theirs))
    return least >= LEAST_TERMS and len(mine & theirs) < RELATED_SHARE * least


def _words(reading: Reading) -> frozenset[str]:
    return reading.terms | frozenset(query_terms(reading.memory.title))
