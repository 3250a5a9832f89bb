"""An opened index of versions, which is turned from what one commit has to what another has."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Hashable, Iterable

from gitmem.index.content import IndexContent, Shown
from gitmem.index.leaf import Segment
from gitmem.index.stamp import Totals
from gitmem.index.version_columns import show_versions

KEPT_COMMITS = 16
"""Of so many commits it is kept what they have: a byte for each version in the index."""
MOST_POSTINGS_KEPT = 300_000
"""Over all segments, between two questions: the index of the present, asked more often, keeps more."""


class VersionContent:
    """The `content` of all versions, of which it shows those of one commit. For one asker at a time.

    Files, columns, records and postings are the same for every commit, and read once.
    """

    def __init__(self, content: IndexContent) -> None:
        self.content = content
        self.is_on_disk = True
        """Whether all versions in it come from the index on the disk."""
        self._everything = content.shown
        self._shown = OrderedDict[Hashable, Shown]()

    def show(self, live: Collection[int]) -> set[int]:
        """Shows the versions with the keys `live`. Returns those that are not there."""
        self.content.show(self._everything)
        return show_versions(self.content, live)

    def extend(self, segments: Iterable[Segment], totals: Totals) -> None:
        """Adds versions that are not on the disk, and shows them too."""
        self.is_on_disk = False
        self.content.extend(segments, totals)

    def keep(self, name: Hashable) -> None:
        """Keeps what is shown now as `name`, and lets go of what was not shown for longest."""
        self._shown[name] = self.content.shown
        while len(self._shown) > KEPT_COMMITS:
            self._shown.popitem(last=False)

    def show_kept(self, name: Hashable) -> bool:
        """Shows what was kept as `name`; False where nothing is."""
        shown = self._shown.get(name)
        if shown is None:
            return False
        self._shown.move_to_end(name)
        self.content.show(shown)
        return True

    def trim(self) -> None:
        """Lets go of records, sets and postings where there are many."""
        self.content.trim()
        leaves = self._everything.leaves
        if sum(leaf.postings.kept for leaf in leaves) > MOST_POSTINGS_KEPT:
            for leaf in leaves:
                leaf.postings.forget()

    def close(self) -> None:
        """Gives the files back."""
        self._shown.clear()
        self._everything = Shown([], Totals())
        self.content.close()
