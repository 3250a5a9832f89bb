"""The vectors of one encoder on disk, by blob: segments in a folder, each published in one step.

The names in the folder are the manifest. A segment is whole from the moment it has its name, so a process
that is killed leaves nothing half done, and two that embed the same memory at once leave it twice, which
does no harm. Everything can be deleted at any time; it is made again.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.embed.segment import SUFFIX, Segment, UnusableSegment, write_segment
from gitmem.errors import OutsideFailure
from gitmem.git.faults import point
from gitmem.index.leftovers import sweep
from gitmem.model.ids import blob_key
from gitmem.platform import FileLock, fsync_directory, make_private_directory

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gitmem.embed.embedder import Matrix

MOST_SEGMENTS = 16
"""With more of them the smaller ones are put together."""
_ATTEMPTS = 20
_LOCK = "turn"
_REMOVAL_SECONDS = 30.0


class Vectors:
    """What the folder held at one moment; files that are replaced meanwhile stay readable."""

    def __init__(self, segments: Iterable[Segment]) -> None:
        import numpy as np

        self._segments = list(segments)
        keys = [segment.keys for segment in self._segments] or [np.zeros(0, dtype=np.int64)]
        self._order = np.argsort(joined := np.concatenate(keys), kind="stable")
        self._keys = joined[self._order]

    def has(self, blobs: Iterable[str]) -> set[str]:
        """Those of `blobs` that were embedded."""
        known = set(self._keys.tolist())
        return {blob for blob in blobs if blob_key(blob) in known}

    def places(self, keys: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """For each key, see `blob_key`, its place in what `cosines` gives; -1 where there is none."""
        import numpy as np

        if not len(self._keys):
            return np.full(len(keys), -1)
        found = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[found] == keys, self._order[found], -1)

    def cosines(self, query: Matrix) -> Matrix:
        """For each memory the cosine of its best passage with `query`, shape (dimensions,).

        -1 without a passage, NaN where vectors have another length: an endpoint may change what it serves.
        """
        import numpy as np

        found = [
            segment.best(query)
            if segment.dimensions == len(query)
            else np.full(len(segment.counts), np.nan, dtype=np.float32)
            for segment in self._segments
        ]
        return np.concatenate(found) if found else np.zeros(0, dtype=np.float32)


class VectorStore:
    """The vectors in `folder`: `<common git directory>/gitmem/vectors/<encoder>`.

    Safe with several processes.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self) -> Vectors:
        """What is there now. A file that cannot be used is removed: its memories are embedded again."""
        return Vectors(self._segments())

    def append(self, vectors: Mapping[str, Matrix]) -> None:
        """Adds the rows of each memory, by blob id, shape (passages, dimensions); all at once, or none.

        Vectors of another length are no use beside them and are dropped. Raises `OutsideFailure` where
        the folder cannot be written.
        """
        if not vectors:
            return
        try:
            make_private_directory(self.folder.parent)
            make_private_directory(self.folder)
            write_segment(self._new_name(), vectors)
            self._drop_others(next(iter(vectors.values())).shape[1])
            self._fold()
        except OSError as error:
            raise OutsideFailure(f"the vectors cannot be written: {error}") from error

    def remove(self, blobs: Collection[str]) -> int:
        """Takes the vectors of `blobs` out, for good; how many memories had any.

        None is in any file when this returns. Raises `OutsideFailure` where that cannot be done.
        """
        gone: set[str] = set()
        wanted = set(blobs)
        try:
            with FileLock(self.folder / _LOCK, timeout_seconds=_REMOVAL_SECONDS) as lock:
                if not lock.acquired:
                    raise OutsideFailure(f"the vectors are being written by another process: {self.folder}")
                while having := [each for each in self._segments() if self._holds(each, wanted)]:
                    for segment in having:
                        kept = segment.vectors(leaving_out=wanted)
                        gone |= wanted & segment.vectors().keys()
                        self._replace([segment], kept)
        except FileNotFoundError:
            return 0
        except OSError as error:
            raise OutsideFailure(f"the vectors cannot be taken out: {error}") from error
        return len(gone)

    @staticmethod
    def _holds(segment: Segment, blobs: Collection[str]) -> bool:
        keys = set(segment.keys.tolist())
        return any(blob_key(blob) in keys for blob in blobs) and bool(segment.vectors().keys() & set(blobs))

    def _segments(self) -> list[Segment]:
        """All that can be used; read again where one was replaced in between."""
        for _ in range(_ATTEMPTS):
            found = []
            try:
                for path in sorted(self.folder.glob(f"*{SUFFIX}")):
                    try:
                        segment = Segment(path)
                    except UnusableSegment:
                        path.unlink(missing_ok=True)
                        continue
                    found.append(segment)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise OutsideFailure(f"the vectors cannot be read: {error}") from error
            return found
        raise OutsideFailure(f"the vectors are replaced all the time: {self.folder}")

    def _new_name(self) -> Path:
        return self.folder / f"{os.urandom(8).hex()}{SUFFIX}"

    def _drop_others(self, dimensions: int) -> None:
        for segment in self._segments():
            if segment.dimensions != dimensions:
                segment.path.unlink(missing_ok=True)

    def _fold(self) -> None:
        """Puts small segments together, the largest too once the others are half of it."""
        if len(list(self.folder.glob(f"*{SUFFIX}"))) <= MOST_SEGMENTS:
            return
        with FileLock(self.folder / _LOCK, timeout_seconds=0.0) as lock:
            if not lock.acquired:
                return
            sweep(self.folder)
            segments = sorted(self._segments(), key=lambda segment: segment.rows)
            *small, largest = segments
            if 2 * sum(segment.rows for segment in small) >= largest.rows:
                small.append(largest)
            joined: dict[str, Matrix] = {}
            for segment in small:
                joined.update(segment.vectors())
            self._replace(small, joined)

    def _replace(self, old: Iterable[Segment], vectors: Mapping[str, Matrix]) -> None:
        """The new file first: whoever looks in between sees a memory twice, never not at all."""
        if vectors:
            write_segment(self._new_name(), vectors)
        point("vectors.before-removal")
        for segment in old:
            segment.path.unlink(missing_ok=True)
        fsync_directory(self.folder)
