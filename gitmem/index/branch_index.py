"""The full-text index of one branch, caught up to the commit it is asked for."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from whoosh.index import EmptyIndexError
from whoosh.writing import LockError

from gitmem.errors import GitmemError
from gitmem.index.content import IndexContent
from gitmem.index.leftovers import sweep_behind_writers
from gitmem.index.place import IndexPlace, UnusablePlace
from gitmem.index.source import DocumentSource, FileDelta
from gitmem.index.stamp import Stamp, read_stamp
from gitmem.index.storage import DAMAGE, open_index, open_writer
from gitmem.index.sums import is_proved, verify
from gitmem.index.view import IndexView
from gitmem.index.writing import Progress, build, catch_up, in_memory, overlay
from gitmem.model.ids import CommitId

_WRITER_WAIT_SECONDS = 0.2
_ATTEMPTS = 20
_ATTEMPT_DELAY_SECONDS = 0.01
_MAX_GAP_SHARE = 0.25
_MAX_GAP_DOCUMENTS = 500

DAMAGED_NOTICE = "index was damaged and has been rebuilt"


class _Damaged(Exception):
    """The index on disk cannot be opened."""


def _to_stderr(message: str) -> None:
    print(message, file=sys.stderr)


class BranchIndex:
    """The index in `directory` of the documents of `source`.

    `directory` is `<common git directory>/gitmem/index/<branch, percent-quoted>`. The index can be
    deleted at any time, in any state, by anybody: the next view is complete again.
    """

    def __init__(
        self,
        directory: Path,
        source: DocumentSource,
        *,
        notice: Callable[[str], None] = _to_stderr,
        progress: Progress | None = None,
    ) -> None:
        self._place = IndexPlace(directory)
        self._source = source
        self._notice = notice
        self._progress = progress

    def view(self, commit: CommitId, *, edits: Sequence[FileDelta] = ()) -> IndexView:
        """The index as of exactly `commit`. Catches up on disk, or in memory where that cannot be.

        `edits` are files that differ from `commit` in a worktree; the view shows them, the disk never
        does.
        """

        def with_edits(content: IndexContent) -> IndexContent:
            if edits:
                overlay(content, self._source, edits)
            return content

        content = with_edits(self._content(commit))
        return IndexView(content, self._source, lambda: with_edits(self._healed(commit)))

    def rebuild(self, commit: CommitId) -> None:
        """Builds the index of `commit` anew beside the old one, and swaps it in.

        Raises OSError where the folder cannot be written.
        """
        self._place.prepare()
        with self._place.turn():
            self._build(commit)

    def stamp(self) -> CommitId | None:
        """The commit that the index on disk shows; None where there is none that can be used."""
        if not self._place.is_trusted():
            return None
        try:
            stamp = self._place.current_stamp()
        except OSError:
            return None
        return stamp.commit if stamp else None

    def why_damaged(self) -> str | None:
        """What is wrong with the index on disk; None where it is sound or there is none. Changes nothing."""
        folder = self._place.current() if self.stamp() else None
        if folder is None:
            return None
        try:
            verify(folder, self._place.generation(folder))
            content, stamp = _open(folder)
            if content is None or stamp is None:
                return None
            with IndexView(content, self._source, lambda: content) as view:
                found = {(record.path, record.blob) for record in view.records()}
            expected = set(self._source.files(stamp.commit))
        except GitmemError:
            return None
        except DAMAGE as error:
            return str(error) or type(error).__name__
        return None if found == expected else f"it does not hold the memories of {stamp.commit[:10]}"

    def lag(self, commit: CommitId) -> int | None:
        """How many memory files the index on disk is behind `commit`; None where it knows nothing."""
        stamp = self.stamp()
        if stamp == commit:
            return 0
        deltas = self._source.changes(stamp, commit) if stamp else None
        return None if deltas is None else len(deltas)

    def _content(self, commit: CommitId) -> IndexContent:
        try:
            self._place.prepare()
            return self._on_disk(commit)
        except UnusablePlace as error:
            return self._unwritten(commit, error)
        except _Damaged:
            return self._healed(commit)

    def _on_disk(self, commit: CommitId) -> IndexContent:
        """The content at `commit`, from the disk, after at most one catch-up or rebuild of ours."""
        has_built = has_caught_up = False
        while True:
            content, stamp, folder = self._opened()
            if content is not None and stamp is not None and stamp.commit == commit:
                return content
            deltas = self._source.changes(stamp.commit, commit) if content and stamp else None
            if (
                content is None
                or stamp is None
                or folder is None
                or deltas is None
                or _is_large(deltas, stamp)
            ):
                if content is not None:
                    content.close()
                if has_built:
                    return self._from_memory(commit)
                self._build_in_turn(commit)
                has_built = True
                continue
            if not has_caught_up and self._catch_up(folder, commit):
                content.close()
                has_caught_up = True
                continue
            try:
                overlay(content, self._source, deltas)
            except GitmemError:
                raise
            except DAMAGE as error:
                raise _Damaged from error
            return content

    def _opened(self) -> tuple[IndexContent | None, Stamp | None, Path | None]:
        """The state in use with its stamp; a state that vanishes while being opened is looked for again."""
        seen: object = None
        for _ in range(_ATTEMPTS):
            folder = self._place.current()
            if folder is None:
                return None, None, None
            state = (folder, self._place.generation(folder))
            try:
                if state[1] > 0 and not is_proved(folder, state[1]):
                    return None, None, folder
                content, stamp = _open(folder)
            except (FileNotFoundError, EmptyIndexError) as error:
                # The files may have been replaced while they were opened: only what fails twice is damaged.
                if state == seen:
                    raise _Damaged from error
                seen = state
                time.sleep(_ATTEMPT_DELAY_SECONDS)
            except DAMAGE as error:
                raise _Damaged from error
            else:
                return content, stamp, folder
        raise _Damaged

    def _catch_up(self, folder: Path, commit: CommitId) -> bool:
        """Brings the index on disk to `commit`; False where somebody else writes, or the disk refuses."""
        try:
            writer = open_writer(open_index(folder), wait_seconds=_WRITER_WAIT_SECONDS)
        except (LockError, OSError, EmptyIndexError):
            return False
        except DAMAGE as error:
            raise _Damaged from error
        try:
            sweep_behind_writers(folder)
            stamp = read_stamp(folder, writer.generation - 1)
            if stamp is None or stamp.commit == commit:
                return stamp is not None
            deltas = self._source.changes(stamp.commit, commit)
            if deltas is None or _is_large(deltas, stamp):
                return False
            catch_up(folder, writer, self._source, stamp.totals, commit, deltas, self._progress)
        except GitmemError:
            raise
        except OSError:
            return False
        except DAMAGE as error:
            raise _Damaged from error
        finally:
            _give_up(writer)
        return True

    def _build_in_turn(self, commit: CommitId) -> None:
        with self._place.turn():
            if self.stamp() != commit:
                self._build(commit)

    def _build(self, commit: CommitId) -> None:
        try:
            folder = self._place.new_folder()
            build(folder, self._source, commit, self._progress)
            self._place.publish(folder)
        except OSError as error:
            raise UnusablePlace(*error.args) from error

    def _healed(self, commit: CommitId) -> IndexContent:
        """The content at `commit` after what is on the disk proved unreadable."""
        try:
            self.rebuild(commit)
            content, stamp, _ = self._opened()
        except (OSError, _Damaged) as error:
            return self._unwritten(commit, error)
        self._notice(DAMAGED_NOTICE)
        if content is None or stamp is None or stamp.commit != commit:
            return self._from_memory(commit)
        return content

    def _unwritten(self, commit: CommitId, error: Exception) -> IndexContent:
        reason = error.args[-1] if error.args else "it is damaged"
        self._notice(f"index cannot be kept on disk ({reason}); this answer was made without it")
        return self._from_memory(commit)

    def _from_memory(self, commit: CommitId) -> IndexContent:
        reader, totals = in_memory(self._source, self._source.files(commit), self._progress)
        return IndexContent([reader], totals)


def _open(folder: Path) -> tuple[IndexContent | None, Stamp | None]:
    """The newest generation in `folder` with its stamp; nothing where the stamp is of no use."""
    index = open_index(folder)
    reader = index.reader()
    generation = reader.generation() if reader.doc_count_all() else index.latest_generation()
    stamp = read_stamp(folder, generation)
    if stamp is None:
        reader.close()
        return None, None
    content = IndexContent([reader], stamp.totals)
    if content.counted() != stamp.totals.documents:
        content.close()
        raise EmptyIndexError("the stamp counts other documents")
    return content, stamp


def _is_large(deltas: Sequence[FileDelta], stamp: Stamp) -> bool:
    return len(deltas) > max(_MAX_GAP_DOCUMENTS, _MAX_GAP_SHARE * stamp.totals.documents)


def _give_up(writer: object) -> None:
    """Lets go of a writer that did not commit; what it wrote so far is never seen."""
    if getattr(writer, "is_closed", True):
        return
    try:
        writer.cancel()  # type: ignore[attr-defined]
    except DAMAGE:
        lock = getattr(writer, "writelock", None)
        if lock is not None and lock.fd is not None:
            lock.release()
