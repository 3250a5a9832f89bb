"""Walks from memory to memory: what is near one, and the shortest way between two."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from gitmem.evolve.relations import Link

Around = Callable[[str], Iterable[Link]]
"""The links of a node in both directions."""


class Near(Struct, frozen=True):
    """A node that is `depth` links away; `link` is the last of them, and `via` where that comes from."""

    key: str
    depth: int
    link: Link
    via: str

    @property
    def is_backlink(self) -> bool:
        """Whether the node itself says it, and not the one before it."""
        return self.link.source == self.key


def nearby(
    start: str,
    around: Around,
    *,
    depth: int,
    relation: str | None = None,
    passes: Callable[[str], bool] = lambda _: True,
) -> list[Near]:
    """The nodes within `depth` links of `start`, nearest first; what a node says before what is said of it.

    A node that stands in several relations to the one before it is there once for each. With `relation`
    only links of that name are followed, case apart. Nothing behind a node is seen that does not `passes`.
    """
    wanted = None if relation is None else relation.casefold()
    depths = {start: 0}
    found: list[Near] = []
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        if depths[here] >= depth or (here != start and not passes(here)):
            continue
        for link in _in_order(here, around(here)):
            if wanted is not None and link.relation.casefold() != wanted:
                continue
            other = link.other(here)
            if other not in depths:
                depths[other] = depths[here] + 1
                waiting.append(other)
            if depths[other] == depths[here] + 1:
                found.append(Near(other, depths[other], link, here))
    return found


def shortest_path(start: str, end: str, around: Around) -> list[Link] | None:
    """The links of the shortest way, in order; of several the first by keys. None where there is no way.

    A link may be gone against its direction. Empty where both are one.
    """
    if start == end:
        return []
    came_by: dict[str, tuple[str, Link] | None] = {start: None}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for link in _in_order(here, around(here)):
            other = link.other(here)
            if other in came_by:
                continue
            came_by[other] = (here, link)
            if other == end:
                return _way(end, came_by)
            waiting.append(other)
    return None


def _way(end: str, came_by: dict[str, tuple[str, Link] | None]) -> list[Link]:
    links: list[Link] = []
    step = came_by[end]
    while step is not None:
        links.append(step[1])
        step = came_by[step[0]]
    return links[::-1]


def _in_order(here: str, links: Iterable[Link]) -> Sequence[Link]:
    return sorted(set(links), key=lambda link: (link.source != here, link))
