"""The full-text index of one branch, caught up to the commit it is asked for."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.errors import GitmemError
from gitmem.index.content import IndexContent
from gitmem.index.damage import DAMAGE
from gitmem.index.hiding import Hiding, hide
from gitmem.index.leftovers import sweep_behind_writers
from gitmem.index.opening import DamagedIndex, give_up, open_state, opened
from gitmem.index.place import IndexPlace, UnusablePlace
from gitmem.index.pool import IndexPool
from gitmem.index.source import DocumentSource, FileDelta
from gitmem.index.stamp import Stamp, read_stamp
from gitmem.index.sums import verify
from gitmem.index.unread import readable_again, unread_records
from gitmem.index.view import IndexView
from gitmem.model.ids import CommitId

if TYPE_CHECKING:
    # What writes is loaded by those who write: a recall of an index that is up to date does not.
    from gitmem.index.writing import Progress

_WRITER_WAIT_SECONDS = 0.2
_MAX_GAP_SHARE = 0.25
_MAX_GAP_DOCUMENTS = 500

DAMAGED_NOTICE = "index was damaged and has been rebuilt"


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
        pool: IndexPool[IndexContent] | None = None,
    ) -> None:
        """`pool` keeps what a view had opened for the next one."""
        self._pool = pool
        self._place = IndexPlace(directory, source.rules)
        self._source = source
        self._notice = notice
        self._progress = progress

    def view(
        self,
        commit: CommitId,
        *,
        edits: Sequence[FileDelta] = (),
        edited: DocumentSource | None = None,
        hiding: Hiding | None = None,
    ) -> IndexView:
        """The index as of exactly `commit`. Catches up on disk, or in memory where that cannot be.

        `edits` are files that differ from `commit` in a worktree; the view shows them as `edited` has them,
        the disk never does. What `hiding` tells is left out of the view, and of nothing else.
        """
        source = edited or self._source

        def as_shown(content: IndexContent) -> IndexContent:
            if edits:
                from gitmem.index.writing import overlay

                overlay(content, source, edits)
            if hiding is not None:
                hide(content, hiding)
            return content

        def heal() -> IndexContent:
            return as_shown(self._healed(commit))

        def made() -> IndexContent:
            content = self._content(commit)
            try:
                return as_shown(content)
            except GitmemError:
                raise
            except DAMAGE:
                content.close()
                return heal()

        if self._pool is None:
            return IndexView(made(), source, heal)
        shown = (commit, self._place.rules, tuple(edits), None if hiding is None else hiding.name)
        pool, place, state = self._pool, str(self._place.directory), self._place.state()
        content = pool.take(place, state, shown)
        if content is None:
            content = made()
            state = self._place.state()
        if state is None or unread_records(content):
            # What could not be read is looked for again by the next view.
            return IndexView(content, source, heal)
        return IndexView(content, source, heal, lambda content: pool.put(place, state, shown, content))

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
            content, stamp = open_state(folder, self._place.rules)
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
        except DamagedIndex:
            return self._healed(commit)

    def _on_disk(self, commit: CommitId) -> IndexContent:
        """The content at `commit`, from the disk, after at most one catch-up or rebuild of ours."""
        has_built = has_caught_up = False
        while True:
            content, stamp, folder = opened(self._place)
            deltas = self._gap(content, stamp, commit) if content and stamp else None
            if content is not None and stamp is not None and stamp.commit == commit and not deltas:
                return content
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
                self._build_in_turn(commit, is_shown=bool(deltas and stamp and stamp.commit == commit))
                has_built = True
                continue
            if not has_caught_up and self._catch_up(folder, commit, deltas):
                content.close()
                has_caught_up = True
                continue
            from gitmem.index.writing import overlay

            try:
                overlay(content, self._source, deltas)
            except GitmemError:
                raise
            except DAMAGE as error:
                raise DamagedIndex from error
            return content

    def _gap(self, content: IndexContent, stamp: Stamp, commit: CommitId) -> list[FileDelta] | None:
        """What `content` does not show of `commit`: later changes, and what can be read by now."""
        has_unread = bool(unread_records(content))
        if stamp.commit == commit and not has_unread:
            return []
        changes = self._source.changes(stamp.commit, commit)
        if changes is None or not has_unread:
            return changes
        return _with_others(changes, readable_again(content, self._source))

    def _catch_up(self, folder: Path, commit: CommitId, seen: Sequence[FileDelta]) -> bool:
        """Brings the index on disk to `commit`; False where somebody else writes, or the disk refuses.

        Of `seen`, the gap of the generation before, what could not be read then is added anew.
        """
        from whoosh.index import EmptyIndexError
        from whoosh.writing import LockError

        from gitmem.index.storage import open_index, open_writer
        from gitmem.index.writing import catch_up

        try:
            writer = open_writer(open_index(folder), wait_seconds=_WRITER_WAIT_SECONDS)
        except (LockError, OSError, EmptyIndexError):
            return False
        except DAMAGE as error:
            raise DamagedIndex from error
        try:
            sweep_behind_writers(folder)
            stamp = read_stamp(folder, writer.generation - 1, self._place.rules)
            again = [delta for delta in seen if delta.old == delta.new]
            if stamp is None or (stamp.commit == commit and not again):
                return stamp is not None
            changes = self._source.changes(stamp.commit, commit)
            deltas = None if changes is None else _with_others(changes, again)
            if deltas is None or _is_large(deltas, stamp):
                return False
            catch_up(folder, writer, self._source, stamp.totals, commit, deltas, self._progress)
        except GitmemError:
            raise
        except OSError:
            return False
        except DAMAGE as error:
            raise DamagedIndex from error
        finally:
            give_up(writer)
        return True

    def _build_in_turn(self, commit: CommitId, *, is_shown: bool) -> None:
        """Builds the index of `commit`, unless another process did; not where one is to be replaced."""
        with self._place.turn():
            if is_shown or self.stamp() != commit:
                self._build(commit)

    def _build(self, commit: CommitId) -> None:
        from gitmem.index.writing import build

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
            content, stamp, _ = opened(self._place)
        except (OSError, DamagedIndex) as error:
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
        from gitmem.index.writing import in_memory

        return IndexContent(*in_memory(self._source, self._source.files(commit), self._progress))


def _with_others(deltas: list[FileDelta], others: Sequence[FileDelta]) -> list[FileDelta]:
    """`deltas`, and those of `others` that are about other paths."""
    paths = {delta.path for delta in deltas}
    return [*deltas, *(delta for delta in others if delta.path not in paths)]


def _is_large(deltas: Sequence[FileDelta], stamp: Stamp) -> bool:
    return len(deltas) > max(_MAX_GAP_DOCUMENTS, _MAX_GAP_SHARE * stamp.totals.documents)
