"""A segment: a file of vectors, written once and never changed.

```text
magic, then one line of JSON: memories, rows, dimensions
memories x 20 bytes   blob ids
memories x uint32     how many rows each has, 0 for one without a passage
rows x float32        by what the numbers of a row are multiplied
rows x dimensions x int8
```
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gitmem.git.faults import point
from gitmem.index.leftovers import unfinished_file
from gitmem.platform import fsync_directory

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from gitmem.embed.embedder import Matrix

SUFFIX = ".vectors"
_MAGIC = b"gitmem vectors 1\n"
_MOST_HEADER_BYTES = 200
_BLOB_BYTES = 20
_BLOCK_ROWS = 256
"""Rows that are widened to float32 at a time.

They stay in the cache of the processor, and a product so small is left to one thread: several wait for each
other longer than it takes.
"""


class UnusableSegment(Exception):
    """The file is no segment, or not whole."""


class Segment:
    """One file, mapped into memory. Raises `UnusableSegment`, and FileNotFoundError where it is gone."""

    def __init__(self, path: Path) -> None:
        import numpy as np

        self.path = path
        with open(path, "rb") as file:
            head = file.read(len(_MAGIC) + _MOST_HEADER_BYTES)
        line, end, _ = head.removeprefix(_MAGIC).partition(b"\n")
        try:
            header = json.loads(line)
            memories, self.rows, self.dimensions = (
                int(header[name]) for name in ("memories", "rows", "dimensions")
            )
        except (ValueError, KeyError, TypeError) as error:
            raise UnusableSegment(path.name) from error
        start = len(_MAGIC) + len(line) + 1
        sizes = (memories * _BLOB_BYTES, memories * 4, self.rows * 4, self.rows * self.dimensions)
        is_whole = path.stat().st_size == start + sum(sizes) and min(sizes) >= 0 and memories > 0
        if not head.startswith(_MAGIC) or not end or not is_whole:
            raise UnusableSegment(path.name)
        data = np.memmap(path, dtype=np.uint8, mode="r")
        bounds = [start]
        for size in sizes:
            bounds.append(bounds[-1] + size)
        parts = [data[begin:stop] for begin, stop in itertools.pairwise(bounds)]
        self.blobs = parts[0].reshape(memories, _BLOB_BYTES)
        self.counts = np.frombuffer(parts[1].tobytes(), dtype="<u4").astype(np.int64)
        self._scales = np.frombuffer(parts[2].tobytes(), dtype="<f4")
        self._numbers = parts[3].view(np.int8).reshape(self.rows, self.dimensions)
        if int(self.counts.sum()) != self.rows:
            raise UnusableSegment(path.name)

    @property
    def keys(self) -> npt.NDArray[np.int64]:
        """The first 64 bits of each blob id, see `blob_key`."""
        import numpy as np

        return np.frombuffer(self.blobs[:, :8].tobytes(), dtype=">i8").astype(np.int64)

    def best(self, query: Matrix) -> Matrix:
        """For each memory the cosine of its best row with `query`, shape (dimensions,); -1 without rows."""
        import numpy as np

        products = np.empty(self.rows, dtype=np.float32)
        query = np.asarray(query, dtype=np.float32)
        room = np.empty((_BLOCK_ROWS, self.dimensions), dtype=np.float32)
        for start in range(0, self.rows, _BLOCK_ROWS):
            numbers = self._numbers[start : start + _BLOCK_ROWS]
            block = room[: len(numbers)]
            np.copyto(block, numbers)
            np.dot(block, query, out=products[start : start + len(numbers)])
        products *= self._scales
        found = np.full(len(self.counts), -1, dtype=np.float32)
        having = np.flatnonzero(self.counts)
        if len(having):
            starts = np.cumsum(self.counts) - self.counts
            found[having] = np.maximum.reduceat(products, starts[having])
        return found

    def vectors(self, leaving_out: Collection[str] = ()) -> dict[str, Matrix]:
        """The rows of each memory by blob id, but for some, as they were put in within 1/127."""
        found = {}
        end = 0
        for blob, count in zip(self.blobs, self.counts.tolist(), strict=True):
            start, end = end, end + count
            name = blob.tobytes().hex()
            if name not in leaving_out:
                found[name] = self._numbers[start:end] * self._scales[start:end, None]
        return found


def write_segment(path: Path, vectors: Mapping[str, Matrix]) -> None:
    """Puts `vectors`, the rows of each memory by blob id, at `path` in one step, flushed to the disk."""
    import numpy as np

    dimensions = max(rows.shape[1] for rows in vectors.values())
    none = np.zeros((0, dimensions), dtype=np.float32)
    matrix = np.concatenate([none, *(rows for rows in vectors.values() if len(rows))])
    scales = (np.abs(matrix).max(axis=1, initial=0.0) / 127).astype("<f4")
    numbers = np.rint(matrix / np.where(scales > 0, scales, 1)[:, None]).astype(np.int8)
    header = {"memories": len(vectors), "rows": len(matrix), "dimensions": dimensions}
    parts: list[Any] = [
        _MAGIC,
        json.dumps(header).encode() + b"\n",
        b"".join(map(bytes.fromhex, vectors)),
        np.array([len(rows) for rows in vectors.values()], dtype="<u4").tobytes(),
        scales.tobytes(),
        numbers.tobytes(),
    ]
    beside = unfinished_file(path)
    try:
        with open(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        point("vectors.segment-written")
        beside.replace(path)
        fsync_directory(path.parent)
    finally:
        beside.unlink(missing_ok=True)
