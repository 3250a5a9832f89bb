"""Whether two memories say the contrary; by rules that rather miss one than cry wolf."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from gitmem.evolve.claims import Claim, Reading
from gitmem.evolve.statement import values_of_one_thing
from gitmem.index.moments import span_of
from gitmem.model.ids import id_key
from gitmem.model.lazily import Lazy
from gitmem.model.memory import Memory, MemoryType, Status

LEAST_CONTAINED = 8
LEAST_CLAIM_TERMS = 3
LEAST_REPLACED_TERMS = 4
MOST_OTHER_TERMS = 1
"""How many words may differ, on each side, between two sentences of eight words about the same thing."""
REPLACES = re.compile(
    r"\b(?:no longer|not any ?more|instead of|replaces?|replaced|formerly|switched|changed from|moved from|"
    r"as of now|anymore)\b|不再|改为|改成|取代|代替|换成|而不是",
    re.IGNORECASE,
)

_NUMBERED = Lazy(
    r"\b(?:room|ticket|rack|issue|case|line|track|step|phase|chapter|gate|platform|floor|building|table|seat|unit|"
    r"node|server|host|shard|release|sprint|level|page|row|section|bus|tram|invoice|order|bug|pr|"
    r"pull request|request|job|batch|lot|locker|desk|bay|dock|warehouse|shelf|box|zone|stage|round|week|day|"
    r"part|volume|item|question|exercise|task|story|milestone) #?v?\d|#\d|第[\d零一二两三四五六七八九十]|"
    r"[\d一二三四五六七八九十]+号(?!开|起|前|后|之)|(?:工单|房间|会议室|单号|机柜|订单|发票|任务|步骤)[\d一二三四五六七八九十]",
    re.IGNORECASE,
)
"""A number that is the name of a thing."""
_OVER = Lazy(
    r"\b(?:was|were|had|did|began|went|came|took|broke|fell|sent|made|met|\w{3,}ed)\b|"
    r"^\s*(?:in |on )?(?:19|20)\d\d|了",
    re.IGNORECASE,
)
"""That something happened, at a time that the sentence gives."""


class Kind(StrEnum):
    """How two sentences differ that do not go together."""

    VALUE = "value"
    """The same of one thing, with another number, date, time, or value of a relation that it has once."""
    NEGATION = "negation"
    """The same, denied, or with a word of the contrary meaning."""
    REPLACEMENT = "replacement"
    """One says itself that something took the place of what the other says."""


class Contradiction(Struct, frozen=True):
    """Two sentences that do not go together, and why, with `{other}` for the memory of the other one.

    `severity` is `warning`, or `note` for a replacement.
    """

    claim: Claim
    other: Claim
    reason: str
    severity: str = "warning"
    kind: Kind = Kind.VALUE


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
        if any(_agrees(claim, there) for there in other.claims):
            continue
        found = next(filter(None, (_contradiction(claim, there) for there in other.claims)), None)
        if found is not None:
            yield found


def _agrees(claim: Claim, there: Claim) -> bool:
    return (
        claim.terms == there.terms
        and claim.values == there.values
        and claim.is_negated == there.is_negated
        and claim.opposites == there.opposites
    )


def _contradiction(claim: Claim, there: Claim) -> Contradiction | None:
    values = values_of_one_thing(claim, there)
    if values is not None:
        reason = "{other} says " + f"{values[1]} where this says {values[0]}"
        return Contradiction(claim, there, reason, kind=Kind.VALUE)
    shared = len(claim.terms & there.terms)
    if shared < LEAST_CLAIM_TERMS:
        return None
    if (
        REPLACES.search(claim.text)
        and shared >= max(LEAST_REPLACED_TERMS, len(there.terms) - 1)
        and not REPLACES.search(there.text)
    ):
        return Contradiction(claim, there, "seems to replace what {other} says", "note", Kind.REPLACEMENT)
    extra, missing = len(claim.terms - there.terms), len(there.terms - claim.terms)
    most = MOST_OTHER_TERMS if shared >= LEAST_CONTAINED else 0
    if extra > most or missing > most or claim.names != there.names:
        return None
    if claim.is_negated != there.is_negated:
        is_same = claim.values == there.values and claim.opposites == there.opposites
        return (
            Contradiction(claim, there, "{other} says the contrary", kind=Kind.NEGATION) if is_same else None
        )
    if _are_opposite(claim, there):
        return Contradiction(claim, there, "{other} says the contrary", kind=Kind.NEGATION)
    differing = [
        kind for kind in claim.values.keys() & there.values.keys() if claim.values[kind] != there.values[kind]
    ]
    if claim.values.keys() != there.values.keys() or len(differing) != 1:
        return None
    mine, theirs = claim.values[differing[0]], there.values[differing[0]]
    if len(mine) != len(theirs) or _tells_apart(differing[0], claim, there):
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


def _tells_apart(kind: str, claim: Claim, there: Claim) -> bool:
    """Whether the value that differs says which thing, or which time, the sentence is about.

    `Room 12`, `工单4711`, `3号机柜`; a date of what is over, which may have happened at another one too.
    """
    if kind in ("number", "version"):
        return bool(_NUMBERED.search(claim.text) and _NUMBERED.search(there.text))
    return any(bool(_OVER.search(each.text)) for each in (claim, there))


def _only(values: tuple[str, ...], others: tuple[str, ...]) -> str:
    rest = list(values)
    for other in others:
        if other in rest:
            rest.remove(other)
    return ", ".join(rest)
