"""The index of all versions of a branch: it answers for any commit of the chain.

Each memory as it ever stood is one document. Which of them a commit has is told by their keys; the
others are hidden, and what ranking counts is counted over those that are shown. So the answer is
that of an index of the commit alone. What is missing is seen by the keys: nothing else says, or
could say wrongly, how far the index is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.index.branch_index import DAMAGED_NOTICE
from gitmem.index.content import IndexContent
from gitmem.index.damage import DAMAGE
from gitmem.index.hiding import Hiding, hide
from gitmem.index.opening import DamagedIndex, opened
from gitmem.index.place import IndexPlace, UnusablePlace
from gitmem.index.source import DocumentSource
from gitmem.index.stamp import Totals
from gitmem.index.version_columns import show_versions
from gitmem.index.version_source import VersionSource
from gitmem.index.version_unread import readable_versions
from gitmem.index.version_writing import MARK, add_missing, in_memory, start
from gitmem.index.view import IndexView
from gitmem.index.writing import Progress

_MANY_VERSIONS = 500
"""So many missing ones are added by one process at a time, while the others wait for it."""


class VersionIndex:
    """The index in `directory` of the versions that `source` has.

    It can be deleted at any time, in any state: the next view is complete again.
    """

    def __init__(
        self,
        directory: Path,
        source: VersionSource,
        *,
        notice: Callable[[str], None],
        progress: Progress | None = None,
    ) -> None:
        self._place = IndexPlace(directory)
        self._source = source
        self._notice = notice
        self._progress = progress

    def view(
        self, live: Collection[int], documents: DocumentSource, hiding: Hiding | None = None
    ) -> IndexView:
        """What a commit has, by the keys of its memories; `documents` reads them whole.

        Adds what is missing, on disk or in memory where that cannot be. What `hiding` tells is left out.
        Raises `VersionsChanged`.
        """

        def as_shown(content: IndexContent) -> IndexContent:
            if hiding is not None:
                hide(content, hiding)
            return content

        return IndexView(as_shown(self._content(live)), documents, lambda: as_shown(self._healed(live)))

    def exists(self) -> bool:
        """Whether one was ever begun; changes nothing."""
        return self._place.is_trusted() and self._place.current() is not None

    def catch_up(self) -> None:
        """Adds whatever version is missing."""
        self._content(self._source.keys()).close()

    def _content(self, live: Collection[int]) -> IndexContent:
        try:
            self._place.prepare()
            return self._on_disk(live)
        except UnusablePlace as error:
            return self._unwritten(live, error)
        except DamagedIndex:
            return self._healed(live)

    def _on_disk(self, live: Collection[int]) -> IndexContent:
        """What is live, from the disk, after at most one addition of ours."""
        has_started = has_added = False
        while True:
            content, stamp, folder = opened(self._place)
            if content is None or stamp is None or folder is None or stamp.commit != MARK:
                if content is not None:
                    content.close()
                if has_started:
                    raise UnusablePlace("it is replaced all the time")
                with self._place.turn():
                    self._start_unless_usable()
                has_started = True
                continue
            missing = self._show(content, live)
            if not missing and (has_added or not self._has_readable(content)):
                return content
            if not has_added:
                content.close()
                self._add(folder, len(missing))
                has_added = True
                continue
            content.extend(*in_memory(self._source, missing, self._progress))
            return content

    def _show(self, content: IndexContent, live: Collection[int]) -> set[int]:
        try:
            return show_versions(content, live)
        except DAMAGE as error:
            content.close()
            raise DamagedIndex from error

    def _has_readable(self, content: IndexContent) -> bool:
        """Whether a version that could not be read when it was added can be now."""
        try:
            return bool(readable_versions(content, self._source))
        except GitmemError:
            content.close()
            raise
        except DAMAGE as error:
            content.close()
            raise DamagedIndex from error

    def _start_unless_usable(self) -> None:
        content, stamp, _ = opened(self._place)
        if content is not None:
            content.close()
        if content is None or stamp is None or stamp.commit != MARK:
            self._start()

    def _start(self) -> None:
        """Puts an empty index in place of what is there."""
        try:
            folder = self._place.new_folder()
            start(folder)
            self._place.publish(folder)
        except OSError as error:
            raise UnusablePlace(*error.args) from error

    def _add(self, folder: Path, missing: int) -> None:
        try:
            if missing <= _MANY_VERSIONS:
                add_missing(folder, self._source, self._progress)
                return
            with self._place.turn():
                add_missing(self._place.current() or folder, self._source, self._progress)
        except GitmemError:
            raise
        except OSError:
            return
        except DAMAGE as error:
            raise DamagedIndex from error

    def _healed(self, live: Collection[int]) -> IndexContent:
        """What is live, after what is on the disk proved unreadable."""
        try:
            with self._place.turn():
                self._start()
            content = self._on_disk(live)
        except (OSError, DamagedIndex) as error:
            return self._unwritten(live, error)
        self._notice(DAMAGED_NOTICE)
        return content

    def _unwritten(self, live: Collection[int], error: Exception) -> IndexContent:
        reason = error.args[-1] if error.args else "it is damaged"
        self._notice(f"index cannot be kept on disk ({reason}); this answer was made without it")
        content = IndexContent([], Totals())
        content.extend(*in_memory(self._source, set(live), self._progress))
        return content
