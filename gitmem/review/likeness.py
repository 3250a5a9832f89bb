"""Whether two memories say the same, or the contrary; by rules that rather miss one than cry wolf."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gitmem.index.moments import span_of
from gitmem.model.ids import id_key
from gitmem.model.memory import Memory, MemoryType, Status
from gitmem.review.claims import Claim, Reading

LEAST_TERMS = 4
"""Memories of fewer content words are not called the same."""
SAME_SHARE = 0.85
"""The share of all their words that two memories have in common that say the same."""
CONTAINED_SHARE = 0.95
"""The share of its words that a shorter memory has in a longer one that says it too."""
LEAST_CONTAINED = 8
LEAST_CLAIM_TERMS = 3
LEAST_REPLACED_TERMS = 4
MOST_OTHER_TERMS = 1
"""How many words may differ, on each side, between two sentences of eight words about the same thing."""
_REPLACES = re.compile(
    r"\b(?:no longer|not any ?more|instead of|replaces?|replaced|formerly|switched|changed from|moved from|"
    r"as of now|anymore)\b|不再|改为|改成|取代|代替|换成|而不是",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two sentences that do not go together, and why, with `{other}` for the memory of the other one.

    `severity` is `warning`, or `note` for a replacement.
    """

    claim: Claim
    other: Claim
    reason: str
    severity: str = "warning"


def says_the_same(one: Reading, other: Reading) -> bool:
    """Whether the two say the same in nearly the same words, with equal numbers, names and negations."""
    small, large = sorted((one, other), key=lambda each: len(each.terms))
    if len(small.terms) < LEAST_TERMS:
        return False
    shared = len(small.terms & large.terms)
    if shared >= SAME_SHARE * len(small.terms | large.terms):
        return (small.values, small.names, small.stance) == (large.values, large.names, large.stance)
    is_part = len(small.terms) >= LEAST_CONTAINED and shared >= CONTAINED_SHARE * len(small.terms)
    if not is_part or not small.values <= large.values or not small.names <= large.names:
        return False
    return all(
        any(_is_repeated(claim, there) for there in large.claims) for claim in small.claims if claim.terms
    )


def _is_repeated(claim: Claim, there: Claim) -> bool:
    return (
        len(claim.terms & there.terms) >= SAME_SHARE * len(claim.terms)
        and claim.is_negated == there.is_negated
        and claim.opposites == there.opposites
        and all(set(values) <= set(there.values.get(kind, ())) for kind, values in claim.values.items())
    )


def may_contradict(one: Memory, other: Memory) -> bool:
    """Whether the two are meant to hold at the same time, and neither says that it corrects the other."""
    if id_key(one.id) == id_key(other.id) or not _names_neither(one, other) or not _names_neither(other, one):
        return False
    for memory in (one, other):
        if memory.type in (MemoryType.EPISODIC, MemoryType.WORKING) or memory.status != Status.ACTIVE:
            return False
    if (one.valid_until is None) != (other.valid_until is None):
        return False  # The one speaks of a time that ends, the other of now.
    return _may_overlap(one, other) and _may_overlap(other, one)


def _names_neither(one: Memory, other: Memory) -> bool:
    named = {id_key(name) for name in one.supersedes} | {id_key(relation.to) for relation in one.related}
    return id_key(other.id) not in named


def _may_overlap(one: Memory, other: Memory) -> bool:
    ends, begins = span_of(one.valid_until), span_of(other.valid_from)
    return ends is None or begins is None or ends[1] >= begins[0]


def contradictions(one: Reading, other: Reading) -> Iterator[Contradiction]:
    """The sentences of `one` that do not go together with one of `other`."""
    if not may_contradict(one.memory, other.memory):
        return
    for claim in one.claims:
        if len(claim.terms) < LEAST_CLAIM_TERMS:
            continue
        if any(_agrees(claim, there) for there in other.claims):
            continue
        for there in other.claims:
            found = _contradiction(claim, there)
            if found is not None:
                yield found
                break


def _agrees(claim: Claim, there: Claim) -> bool:
    return (
        claim.terms == there.terms
        and claim.values == there.values
        and claim.is_negated == there.is_negated
        and claim.opposites == there.opposites
    )


def _contradiction(claim: Claim, there: Claim) -> Contradiction | None:
    shared = len(claim.terms & there.terms)
    if shared < LEAST_CLAIM_TERMS:
        return None
    if (
        _REPLACES.search(claim.text)
        and shared >= max(LEAST_REPLACED_TERMS, len(there.terms) - 1)
        and not _REPLACES.search(there.text)
    ):
        return Contradiction(claim, there, "seems to replace what {other} says", "note")
    extra, missing = len(claim.terms - there.terms), len(there.terms - claim.terms)
    most = MOST_OTHER_TERMS if shared >= LEAST_CONTAINED else 0
    if extra > most or missing > most or claim.names != there.names:
        return None
    if claim.is_negated != there.is_negated:
        is_same = claim.values == there.values and claim.opposites == there.opposites
        return Contradiction(claim, there, "{other} says the contrary") if is_same else None
    if _are_opposite(claim, there):
        return Contradiction(claim, there, "{other} says the contrary")
    differing = [
        kind for kind in claim.values.keys() & there.values.keys() if claim.values[kind] != there.values[kind]
    ]
    if claim.values.keys() != there.values.keys() or len(differing) != 1:
        return None
    mine, theirs = claim.values[differing[0]], there.values[differing[0]]
    if len(mine) != len(theirs):
        return None
    return Contradiction(
        claim, there, "{other} says " + f"{_only(theirs, mine)} where this says {_only(mine, theirs)}"
    )


def _are_opposite(claim: Claim, there: Claim) -> bool:
    mine, theirs = claim.opposites - there.opposites, there.opposites - claim.opposites
    return (
        len(mine) == 1
        and {(pair, 1 - side) for pair, side in mine} == theirs
        and claim.values == there.values
    )


def _only(values: tuple[str, ...], others: tuple[str, ...]) -> str:
    rest = list(values)
    for other in others:
        if other in rest:
            rest.remove(other)
    return ", ".join(rest)
