"""Entities: what memories are about, under all names, and which two of them may be one.

An entity is a memory in the namespace `entities`, or a name that headers give and that no memory is of. Two
may be one where they share a name, or where names are near: the same but for blanks and signs (`John-Zhang`,
`johnzhang`), the same words in another order (`Zhang John`), or one letter more, less or other in a name of
six or more. Numbers in them must agree, and so must the kinds that headers give: `person:` is no `project:`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct, field

from gitmem.index.names import called, without_kind

SHORTEST_FOR_TYPOS = 6
LONGEST_FOR_TYPOS = 40
MOST_WITH_ONE_NAME = 20
"""A name that more have is no reason: it is a common one."""


class Known(Struct, frozen=True):
    """An entity: the id of its memory, or None; its names, the first to show; and how many memories name it.

    `kinds` are those that headers give it: `person` of `person:alice`.
    """

    key: str
    id: str | None
    names: Sequence[str]
    mentions: int = 0
    kinds: frozenset[str] = field(default_factory=frozenset)

    @property
    def title(self) -> str:
        return self.names[0]


class Merge(Struct, frozen=True):
    """That `other` may be the same as `kept`, and why."""

    kept: Known
    other: Known
    reason: str


def kind_of(name: str) -> str | None:
    """`person` of `person:alice`; None of a name without one."""
    return None if without_kind(name) == name else name.partition(":")[0].strip().casefold()


def merges(entities: Iterable[Known]) -> list[Merge]:
    """The pairs of entities that may be one, each once, at least one of them a memory.

    What is kept is a memory rather than a name, then what more memories name, then the first by key.
    """
    ordered = sorted(entities, key=_rank)
    found: dict[tuple[str, str], Merge] = {}
    for say, group in _groups(ordered):
        for kept, other in _pairs(group):
            if kept.id is not None and _may_be_one(kept, other) and (kept.key, other.key) not in found:
                reason = say(kept, other)
                if reason is not None:
                    found[kept.key, other.key] = Merge(kept, other, reason)
    return list(found.values())


def _rank(known: Known) -> tuple[bool, int, str]:
    return (known.id is None, -known.mentions, known.key)


def _pairs(group: Sequence[Known]) -> Iterator[tuple[Known, Known]]:
    for place, kept in enumerate(group):
        for other in group[place + 1 :]:
            yield kept, other


def _may_be_one(kept: Known, other: Known) -> bool:
    return kept.key != other.key and (not kept.kinds or not other.kinds or bool(kept.kinds & other.kinds))


def _groups(ordered: Sequence[Known]) -> Iterator[tuple[_Say, list[Known]]]:
    """Those that look alike in one way, in order, with what says it of a pair."""
    for say, forms in ((_same, _whole), (_squeezed_alike, _squeezed), (_turned, _words), (_typo, _shortened)):
        groups: dict[str, dict[str, Known]] = defaultdict(dict)
        for known in ordered:
            for name in known.names:
                for form in forms(_plain(name)):
                    groups[form].setdefault(known.key, known)
        for group in groups.values():
            if 1 < len(group) <= MOST_WITH_ONE_NAME:
                yield say, list(group.values())


class _Say(Struct, frozen=True):
    """Says of two entities why they may be one; None where they only look so."""

    text: str
    is_so: Callable[[str, str], bool]

    def __call__(self, kept: Known, other: Known) -> str | None:
        for one in kept.names:
            for two in other.names:
                if self.is_so(_plain(one), _plain(two)):
                    return self.text.format(one, two)
        return None


def _plain(name: str) -> str:
    return called(without_kind(name))


def _whole(name: str) -> Iterable[str]:
    return (name,) if name else ()


def _squeezed(name: str) -> Iterable[str]:
    squeezed = "".join(character for character in name if character.isalnum())
    return (squeezed,) if len(squeezed) > 2 else ()


def _words(name: str) -> Iterable[str]:
    words = name.split()
    return (" ".join(sorted(words)),) if len(words) > 1 else ()


def _shortened(name: str) -> Iterable[str]:
    """The name, and it without each of its letters: two that are one letter apart share one of these."""
    if not SHORTEST_FOR_TYPOS <= len(name) <= LONGEST_FOR_TYPOS:
        return ()
    return {name, *(name[:place] + name[place + 1 :] for place in range(len(name)))}


def _digits(name: str) -> str:
    return "".join(character if character.isdigit() else " " for character in name).strip()


def is_one_letter_apart(one: str, two: str) -> bool:
    """Whether one letter was put in, left out or changed, or two beside each other have changed places."""
    if one == two or abs(len(one) - len(two)) > 1 or min(len(one), len(two)) < SHORTEST_FOR_TYPOS:
        return False
    if _digits(one) != _digits(two):
        return False
    start = next(
        (n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two))
    )
    rest_one, rest_two = one[start:], two[start:]
    swapped = rest_one[1:2] + rest_one[:1] + rest_one[2:]
    return rest_two in (swapped, rest_one[1:]) or rest_one == rest_two[1:] or rest_one[1:] == rest_two[1:]


_same = _Say("both are called {1!r}", lambda one, two: one == two)
_squeezed_alike = _Say(
    "{0!r} and {1!r} differ by blanks and signs alone",
    lambda one, two: _squeezed(one) == _squeezed(two) != (),
)
_turned = _Say(
    "{0!r} and {1!r} have the same words", lambda one, two: _words(one) == _words(two) != () and one != two
)
_typo = _Say("{0!r} and {1!r} are one letter apart", is_one_letter_apart)
