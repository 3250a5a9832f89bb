"""Which documents are in which session, looked up where it is asked: no question is about all sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set
from itertools import chain, compress
from operator import not_

from gitmem.index.columns import GROUP, NO_GROUP
from gitmem.index.content import IndexContent

_COUNTED_AS_FAST_AS_LOOKED_UP = 50
"""So many documents are counted by session in the time that it takes to look one session up."""
_MANY_DEAD = 0.01
"""From this share of dead documents on, counting all sessions is quicker than looking up theirs."""


class Grouping:
    """The live documents of one content by session."""

    def __init__(self, content: IndexContent) -> None:
        self._group_of = content.numbers(GROUP)
        self._leaves = [(leaf, leaf.file.groups()) for leaf in content.leaves]
        self._live = content.counted()
        self._known: dict[int, list[int]] = {}
        self._sizes: dict[int, int] = {}
        self._has_all_sizes = False

    def members(self, group: int) -> list[int]:
        """The live documents of a session, in the order of their numbers."""
        found = self._known.get(group)
        if found is None:
            found = self._known[group] = []
            for leaf, groups in self._leaves:
                base, living = leaf.base, leaf.living
                found += [base + own for own in groups.members(group) if living is None or living[own]]
        return found

    def sizes(self, groups: Set[int]) -> Mapping[int, int]:
        """How many live documents each of `groups` has; others may be there too."""
        if not self._has_all_sizes:
            missing = groups - self._sizes.keys()
            if len(missing) * _COUNTED_AS_FAST_AS_LOOKED_UP > self._live:
                self._count_all()
            else:
                self._sizes.update((group, len(self.members(group))) for group in missing)
        return self._sizes

    def counted(self) -> tuple[int, int]:
        """How many sessions have a live document, and how many live documents are in any."""
        size = len(self._group_of)
        if size - self._live > _MANY_DEAD * size and not self._has_all_sizes:
            self._count_all()
        if self._has_all_sizes:
            return len(self._sizes), sum(self._sizes.values())
        numbers: set[int] = set()
        touched: set[int] = set()
        total = 0
        for leaf, groups in self._leaves:
            numbers.update(groups.numbers)
            total += groups.total
            if leaf.living is not None:
                group_of = self._group_of[leaf.base : leaf.base + leaf.size]
                dead = compress(group_of, map(not_, leaf.living))
                gone = [group for group in dead if group != NO_GROUP]
                total -= len(gone)
                touched.update(gone)
        empty = sum(not self.members(group) for group in touched)
        return len(numbers) - empty, total

    def _count_all(self) -> None:
        living = (leaf.living or b"\1" * leaf.size for leaf, _ in self._leaves)
        sizes = Counter(compress(self._group_of, chain.from_iterable(living)))
        del sizes[NO_GROUP]
        self._sizes, self._has_all_sizes = sizes, True


def grouping_of(content: IndexContent) -> Grouping:
    """The sessions of `content` as it stands."""
    return content.cached("grouping", lambda: Grouping(content))
