"""Measure the exact cosine of a question with every vector, beside a plain product of float32.

usage: python benchmarks/cosine.py [--folder DIR] [--size N ...] [--quick] [--write PAGE]

Vectors are random, one a memory, as long as those of the encoder of the extra `embed`. "In documents" is what
a recall asks for: the cosines, found for the memories of the index by their blob ids. The question
itself is not encoded here.
"""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from measuring import SpeedReport, Table, taking_turns
from running import main

from gitmem.embed.segment import Segment, write_segment
from gitmem.embed.vectors import Vectors
from gitmem.model.ids import blob_key

DIMENSIONS = 512
SEED = 5
PEER = "float32"


def measure(report: SpeedReport, folder: Path, size: int, is_quick: bool) -> None:
    random = np.random.default_rng(SEED)
    plain = random.standard_normal((size, DIMENSIONS), dtype=np.float32)
    plain /= np.linalg.norm(plain, axis=1, keepdims=True)
    blobs = [hashlib.sha1(str(number).encode()).hexdigest() for number in range(size)]
    path = folder / f"{size}.vectors"
    write_segment(path, dict(zip(blobs, plain[:, None, :], strict=True)))
    vectors = Vectors([Segment(path)])
    keys = np.array(list(map(blob_key, blobs)), dtype=np.int64)
    query = plain[0]

    def in_documents(_: int) -> object:
        return vectors.cosines(query)[vectors.places(keys)]

    rounds = 3 if is_quick else 40
    timings = taking_turns(
        {
            PEER: (lambda _: plain @ query, rounds),
            "cosines": (lambda _: vectors.cosines(query), rounds),
            "cosines, in documents": (in_documents, rounds),
            "opened": (lambda _: Vectors([Segment(path)]), max(2, rounds // 4)),
        }
    )
    error = np.abs(vectors.cosines(query) - plain @ query).max()
    table = Table(report, f"{size:,} vectors of {DIMENSIONS} numbers, one byte each", PEER)
    table.row("product of float32, four times the memory", timings[PEER], is_peer=True)
    for name in ("cosines", "cosines, in documents", "opened"):
        table.row(name, timings[name])
    table.end()
    report.add(f"{path.stat().st_size / size:.0f} bytes a vector on disk.")
    report.add(f"A cosine is off by {error:.4f} at most.")
    report.add()


if __name__ == "__main__":
    main("cosine", __doc__, measure, sizes=(10_000, 100_000))
