"""Which documents are in which session, looked up where it is asked: no question is about all sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Set

from gitmem.index.columns import GROUP, NO_GROUP, NUMBERS
from gitmem.index.content import IndexContent

_COUNTED_AS_FAST_AS_LOOKED_UP = 50
"""So many documents are counted by session in the time that it takes to look one session up."""


class Grouping:
    """The live documents of one content by session."""

    def __init__(self, content: IndexContent) -> None:
        self._content = content
        self._leaves = [(leaf, leaf.file.groups()) for leaf in content.leaves]
        self._known: dict[int, list[int]] = {}
        self._sizes: dict[int, int] = {}
        self._has_all_sizes = False

    def members(self, group: int) -> list[int]:
        """The live documents of a session, in the order of their numbers."""
        found = self._known.get(group)
        if found is None:
            found = self._known[group] = []
            for leaf, groups in self._leaves:
                base, dead = leaf.base, leaf.dead
                found += [base + own for own in groups.members(group) if not dead or own not in dead]
        return found

    def sizes(self, groups: Set[int]) -> Mapping[int, int]:
        """How many live documents each of `groups` has; others may be there too."""
        if not self._has_all_sizes:
            missing = groups - self._sizes.keys()
            if len(missing) * _COUNTED_AS_FAST_AS_LOOKED_UP > self._content.documents:
                self._sizes, self._has_all_sizes = self._all_sizes(), True
            else:
                self._sizes.update((group, len(self.members(group))) for group in missing)
        return self._sizes

    def _all_sizes(self) -> dict[int, int]:
        group_of = self._content.numbers(GROUP)
        sizes = Counter(group_of)
        sizes.subtract(group_of[leaf.base + own] for leaf, _ in self._leaves for own in leaf.dead)
        return sizes

    def counted(self) -> tuple[int, int]:
        """How many sessions have a live document, and how many live documents are in any."""
        numbers: set[int] = set()
        touched: set[int] = set()
        total = 0
        for leaf, groups in self._leaves:
            numbers.update(groups.numbers)
            total += groups.total
            if leaf.dead:
                group_of = leaf.file.numbers(GROUP, *NUMBERS[GROUP])
                gone = [group for own in leaf.dead if (group := group_of[own]) != NO_GROUP]
                total -= len(gone)
                touched.update(gone)
        empty = sum(not self.members(group) for group in touched)
        return len(numbers) - empty, total


def grouping_of(content: IndexContent) -> Grouping:
    """The sessions of `content` as it stands."""
    return content.cached("grouping", lambda: Grouping(content))
