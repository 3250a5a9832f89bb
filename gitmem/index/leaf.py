"""One segment of an opened index, and which of its documents live."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import compress
from typing import NamedTuple

from gitmem.index.postings import PostingsReader
from gitmem.index.segment_file import SegmentFile


class Segment(NamedTuple):
    """An open file of the index, and which of its documents are deleted."""

    file: SegmentFile
    deleted: frozenset[int]


class Leaf(NamedTuple):
    """One segment. `living` has 0 for each document that was deleted or is masked, else 1; or None."""

    file: SegmentFile
    base: int
    living: bytes | None
    postings: PostingsReader
    size: int

    def holds(self, document: int) -> bool:
        """Whether the number of a document of the content is one of this segment."""
        return 0 <= document - self.base < self.size

    def live_documents(self) -> Iterable[int]:
        """The numbers in the content of its documents that are not dead."""
        every = range(self.base, self.base + self.size)
        return every if self.living is None else compress(every, self.living)

    def without(self, documents: Iterable[int]) -> Leaf:
        """The same where some of its documents, by their own numbers, are dead too."""
        living = bytearray(self.living or b"\1" * self.size)
        for own in documents:
            living[own] = 0
        return self._replace(living=bytes(living))
