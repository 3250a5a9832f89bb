"""The postings of the terms of one segment, kept where they were asked for."""

from __future__ import annotations

from gitmem.index.segment_file import SegmentFile

Postings = dict[int, float]
"""Numbers of documents, rising, each with its weight."""

_MOST_KEPT_POSTINGS = 200_000


class PostingsReader:
    """Reads the postings of `file`, and keeps those that were read of late."""

    def __init__(self, file: SegmentFile) -> None:
        self._file = file
        self._recent: dict[tuple[str, bytes], Postings] = {}
        self._recent_count = 0

    def read(self, field: str, term: bytes) -> Postings:
        """The postings of a term; empty where the segment does not have it. To be left as they are."""
        found = self._recent.get((field, term))
        if found is None:
            found = self._read(field, term)
            self._recent_count += len(found) + 1
            if self._recent_count > _MOST_KEPT_POSTINGS:
                self._recent.clear()
                self._recent_count = len(found) + 1
            self._recent[field, term] = found
        return found

    @property
    def kept(self) -> int:
        """How many postings are kept, and terms that have none."""
        return self._recent_count

    def forget(self) -> None:
        """Lets go of what is kept."""
        self._recent.clear()
        self._recent_count = 0

    def _read(self, field: str, term: bytes) -> Postings:
        found = self._file.postings(field, term)
        if found is None:
            return {}
        documents, weights = found
        if weights is None:
            return dict.fromkeys(documents, 1.0)
        return dict(zip(documents, weights, strict=True))
