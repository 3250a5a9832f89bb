"""Putting versions into their index: those that are missing added, those of no commit removed."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from pathlib import Path

from whoosh.codec.base import Segment as WhooshSegment
from whoosh.index import EmptyIndexError
from whoosh.writing import LockError

from gitmem.git.faults import point
from gitmem.index.leaf import Segment
from gitmem.index.opening import give_up, open_generation
from gitmem.index.segment_file import SegmentFile
from gitmem.index.segments import LeanWriter
from gitmem.index.stamp import Stamp, Totals, drop_old_stamps, read_stamp, write_stamp
from gitmem.index.storage import (
    FolderStorage,
    MemoryStorage,
    create_index,
    open_index,
    open_writer,
    segments_in_memory,
)
from gitmem.index.version_columns import keys_in, version_document, version_schema
from gitmem.index.version_source import VersionSource
from gitmem.index.version_unread import readable_versions
from gitmem.index.writing import SEGMENT_WORDS, Progress, note_files, to_fold
from gitmem.model.ids import CommitId

MARK = CommitId("versions-1")
"""Stands in the stamp for the commit: this index shows none. Its number is raised when columns change."""
_WRITER_WAIT_SECONDS = 0.2


def start(folder: Path) -> None:
    """Makes an index of no versions in an empty `folder`."""
    create_index(FolderStorage(folder), version_schema())
    write_stamp(folder, 0, Stamp(MARK, Totals()))


def add_missing(folder: Path, source: VersionSource, progress: Progress | None) -> None:
    """Brings the index in `folder` to what `source` has, as far as nobody else writes.

    Each generation on the way is whole, so whoever is killed loses only the last one.
    """
    try:
        writer = _writer(folder)
    except (LockError, OSError, EmptyIndexError):
        return
    try:
        adding = _Adding(folder, source, writer, progress)
    except BaseException:
        give_up(writer)
        raise
    try:
        adding.remove_orphans()
        adding.add()
    finally:
        give_up(adding.writer)


def _writer(folder: Path) -> LeanWriter:
    return open_writer(open_index(folder), wait_seconds=_WRITER_WAIT_SECONDS)


class _Adding:
    """One run of adding, over as many generations as it takes."""

    def __init__(
        self, folder: Path, source: VersionSource, writer: LeanWriter, progress: Progress | None
    ) -> None:
        self._folder = folder
        self._source = source
        self.writer = writer
        self._progress = progress
        stamp = read_stamp(folder, writer.generation - 1)
        self._totals = stamp.totals if stamp is not None and stamp.commit == MARK else None
        self._known = source.keys()
        self._present: set[int] = set()
        self._has_changes = False

    def remove_orphans(self) -> None:
        """Deletes the documents that the source does not know any more, or can read by now."""
        content = open_generation(self._folder, self.writer.generation - 1, Totals())
        try:
            again = readable_versions(content, self._source, known=self._known)
            for leaf in content.leaves:
                for own, key in enumerate(keys_in(leaf.file)):
                    if leaf.living is not None and not leaf.living[own]:
                        continue
                    if key in self._known and key not in again:
                        self._present.add(key)
                    elif self._totals is not None:
                        self._totals = self._totals.minus(content.lengths(leaf.base + own))
                        self.writer.delete_document(leaf.base + own)
                        self._has_changes = True
        finally:
            content.close()

    def add(self) -> None:
        """Adds what is missing; a generation ends before Whoosh would sort its postings on disk."""
        missing = self._known - self._present
        if not missing and not self._has_changes:
            return
        words, done = 0, 0
        for key, memory in self._source.memories(missing):
            if self._totals is None:
                return
            document, lengths = version_document(key, memory)
            self.writer.add_document(**document)
            self._totals = self._totals.plus(lengths)
            words, done = words + sum(lengths), done + 1
            if self._progress is not None:
                self._progress(done, len(missing))
            if words >= SEGMENT_WORDS and done < len(missing):
                self._commit(is_last=False)
                words = 0
        self._commit(is_last=True)

    def _commit(self, *, is_last: bool) -> None:
        writer, generation = self.writer, self.writer.generation
        if self._totals is None:
            return
        write_stamp(self._folder, generation, Stamp(MARK, self._totals))
        point("versions.stamped")
        if is_last:
            folder, source = self._folder, self._source
            writer.commit(mergetype=lambda _, segments: _fold_small(writer, folder, segments, source))
            note_files(self._folder, generation)
            drop_old_stamps(self._folder, generation)
            return
        writer.commit(merge=False)
        note_files(self._folder, generation)
        point("versions.committed")
        with suppress(LockError):
            self.writer = _writer(self._folder)
        if self.writer.generation != generation + 1:
            # Somebody else was faster; whoever asks looks again at what is missing.
            give_up(self.writer)
            self._totals = None


def _fold_small(
    writer: LeanWriter, folder: Path, segments: list[WhooshSegment], source: VersionSource
) -> list[WhooshSegment]:
    """Adds the documents of small segments again, so that their number stays logarithmic."""
    kept = [segment for segment in segments if segment.doc_count()]
    folded = set(to_fold([segment.doc_count() for segment in kept]))
    for number in sorted(folded):
        segment = kept[number]
        file = SegmentFile.open(folder / segment.make_filename(segment.COMPOUND_EXT))
        try:
            keys = [key for own, key in enumerate(keys_in(file)) if not segment.is_deleted(own)]
        finally:
            file.close()
        for key, memory in source.memories(keys):
            writer.add_document(**version_document(key, memory)[0])
    return [segment for number, segment in enumerate(kept) if number not in folded]


def in_memory(
    source: VersionSource, keys: Collection[int], progress: Progress | None
) -> tuple[list[Segment], Totals]:
    """An index of the versions with these keys that leaves no trace on the disk."""
    index = create_index(MemoryStorage(), version_schema())
    writer = open_writer(index)
    totals = Totals()
    for key, memory in source.memories(keys):
        document, lengths = version_document(key, memory)
        writer.add_document(**document)
        totals = totals.plus(lengths)
        if progress is not None:
            progress(totals.documents, len(keys))
    writer.commit(merge=False)
    return segments_in_memory(index), totals
