"""Putting documents into an index: a whole snapshot, a gap, or a gap in memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from operator import add
from pathlib import Path
from typing import cast

from whoosh.codec.base import Segment as WhooshSegment
from whoosh.index import FileIndex

from gitmem.git.faults import point
from gitmem.index.content import IndexContent
from gitmem.index.leaf import Segment
from gitmem.index.opening import give_up, open_generation
from gitmem.index.record import Record
from gitmem.index.schema import LENGTHS, PATH, document_of
from gitmem.index.segment_file import SegmentFile
from gitmem.index.segments import LeanWriter
from gitmem.index.source import DocumentSource, FileDelta
from gitmem.index.stamp import Stamp, Totals, drop_old_stamps, write_stamp
from gitmem.index.storage import (
    FolderStorage,
    MemoryStorage,
    create_index,
    listed_segments,
    open_writer,
    segments_in_memory,
)
from gitmem.index.sums import write_sums
from gitmem.model.ids import BlobId, CommitId

Progress = Callable[[int, int], None]

_FAN_OUT = 8
_MAX_FOLDED_DOCUMENTS = 16_000
SEGMENT_WORDS = 4_000_000
"""A segment ends here: what a writer holds of it until then is about a hundred bytes a word."""


def build(folder: Path, source: DocumentSource, commit: CommitId, progress: Progress | None) -> None:
    """Writes the index of a whole snapshot into an empty `folder`; only the last generation has a stamp."""
    files = sorted(source.files(commit))
    index = create_index(FolderStorage(folder))
    totals = Totals()
    is_done = False
    while not is_done:
        writer = open_writer(index)
        try:
            totals = _add(
                writer, source, files, totals, progress, first=totals.documents, max_words=SEGMENT_WORDS
            )
            is_done = totals.documents == len(files)
            point("index.build-added")
            if is_done:
                write_stamp(folder, writer.generation, Stamp(commit, totals, source.rules))
                point("index.build-stamped")
            generation = writer.generation
            writer.commit(merge=False)
            point("index.built")
            note_files(folder, generation)
        finally:
            give_up(writer)


def catch_up(
    folder: Path,
    writer: LeanWriter,
    source: DocumentSource,
    totals: Totals,
    commit: CommitId,
    deltas: Sequence[FileDelta],
    progress: Progress | None,
) -> None:
    """Publishes a generation that shows `commit`: what `deltas` say, and small segments folded."""
    # The lock is held, so the generation before is the one on the disk.
    content = open_generation(folder, writer.generation - 1, totals)
    try:
        for delta in deltas:
            for document in content.documents_with(PATH, delta.path):
                totals = totals.minus(content.lengths(document))
                writer.delete_document(document)
    finally:
        content.close()
    point("index.removed")
    totals = _add(writer, source, _added(deltas), totals, progress)
    point("index.added")
    write_stamp(folder, writer.generation, Stamp(commit, totals, source.rules))
    generation = writer.generation
    point("index.stamped")
    writer.commit(mergetype=lambda _, segments: _fold_small(writer, folder, segments, source))
    point("index.committed")
    note_files(folder, generation)
    drop_old_stamps(folder, generation)


def in_memory(
    source: DocumentSource, files: Iterable[tuple[str, BlobId]], progress: Progress | None = None
) -> tuple[list[Segment], Totals]:
    """An index of `files` that leaves no trace on the disk."""
    index: FileIndex = create_index(MemoryStorage())
    writer = open_writer(index)
    totals = _add(writer, source, sorted(files), Totals(), progress)
    writer.commit(merge=False)
    return segments_in_memory(index), totals


def overlay(content: IndexContent, source: DocumentSource, deltas: Sequence[FileDelta]) -> None:
    """Makes `content` show what it would show after `deltas`, without writing."""
    content.mask(delta.path for delta in deltas)
    added = _added(deltas)
    if added:
        content.extend(*in_memory(source, added))


def _added(deltas: Sequence[FileDelta]) -> list[tuple[str, BlobId]]:
    return sorted((delta.path, delta.new) for delta in deltas if delta.new is not None)


def _add(
    writer: LeanWriter,
    source: DocumentSource,
    files: Sequence[tuple[str, BlobId]],
    totals: Totals,
    progress: Progress | None,
    *,
    first: int = 0,
    max_words: float = math.inf,
) -> Totals:
    """Adds `files` from the number `first` on, until `max_words` were added; returns the new totals."""
    documents, lengths = totals.documents, list(totals.lengths)
    most_words = sum(lengths) + max_words
    for number in range(first, len(files)):
        document = document_of(source.read(*files[number]))
        writer.add_document(**document)
        documents += 1
        lengths = list(map(add, lengths, cast("tuple[int, ...]", document[LENGTHS])))
        if progress is not None:
            progress(number + 1, len(files))
        if sum(lengths) >= most_words:
            break
    return Totals(documents, tuple(lengths))


def note_files(folder: Path, generation: int) -> None:
    """Notes what a generation just published consists of, for those who read it."""
    try:
        segments = listed_segments(folder, generation)
    except OSError:
        # A newer one has taken its place.
        segments = None
    write_sums(folder, generation, segments)


def _fold_small(
    writer: LeanWriter, folder: Path, segments: list[WhooshSegment], source: DocumentSource
) -> list[WhooshSegment]:
    """Adds the documents of small segments again, so that their number stays logarithmic.

    A document is added again at most once for each power of the fan-out below the size of the
    store. Whoosh's own merge is slower than that.
    """
    kept = [segment for segment in segments if segment.doc_count()]
    folded = set(to_fold([segment.doc_count() for segment in kept]))
    for number in sorted(folded):
        segment = kept[number]
        file = SegmentFile.open(folder / segment.make_filename(segment.COMPOUND_EXT))
        try:
            records = [file.stored(own)[1] for own in range(file.size) if not segment.is_deleted(own)]
        finally:
            file.close()
        for record in map(Record.from_stored, records):
            writer.add_document(**document_of(source.read(record.path, record.blob)))
    return [segment for number, segment in enumerate(kept) if number not in folded]


def to_fold(sizes: Sequence[int]) -> list[int]:
    """Which segments to fold: all up to the highest full tier; a tier is a power of the fan-out."""
    tiers = [int(math.log(size, _FAN_OUT)) for size in sizes]
    chosen: list[int] = []
    for tier in sorted(set(tiers)):
        below = [number for number, other in enumerate(tiers) if other <= tier]
        is_full = tiers.count(tier) >= _FAN_OUT
        if is_full and sum(sizes[number] for number in below) <= _MAX_FOLDED_DOCUMENTS:
            chosen = below
    return chosen
