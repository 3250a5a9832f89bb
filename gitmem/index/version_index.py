"""The index of all versions of a branch: it answers for any commit of the chain.

Each memory as it ever stood is one document. Which of them a commit has is told by their keys; the
others are hidden, and what ranking counts is counted over those that are shown. So the answer is
that of an index of the commit alone. What is missing is seen by the keys: nothing else says, or
could say wrongly, how far the index is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from pathlib import Path

from gitmem.errors import GitmemError
from gitmem.index.branch_index import DAMAGED_NOTICE
from gitmem.index.content import IndexContent
from gitmem.index.damage import DAMAGE
from gitmem.index.hiding import Hiding, hide
from gitmem.index.opening import DamagedIndex, opened
from gitmem.index.place import IndexPlace, UnusablePlace
from gitmem.index.pool import IndexPool
from gitmem.index.record import UNREADABLE_KEY
from gitmem.index.schema import KEYS
from gitmem.index.source import DocumentSource
from gitmem.index.stamp import Totals
from gitmem.index.version_content import VersionContent
from gitmem.index.version_source import Live, VersionSource
from gitmem.index.version_unread import readable_versions
from gitmem.index.version_writing import MARK, add_missing, in_memory, start
from gitmem.index.view import IndexView
from gitmem.index.writing import Progress

_MANY_VERSIONS = 500
"""So many missing ones are added by one process at a time, while the others wait for it."""
_VERSIONS = "versions"
"""What is kept of an index of versions shows any commit."""


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
        pool: IndexPool[VersionContent] | None = None,
    ) -> None:
        """`pool` keeps what a view had opened for the next one, whichever commit that shows."""
        self._pool = pool
        self._place = IndexPlace(directory)
        self._source = source
        self._notice = notice
        self._progress = progress

    def view(self, live: Live, documents: DocumentSource, hiding: Hiding | None = None) -> IndexView:
        """What a commit has; `documents` reads its memories whole.

        Adds what is missing, on disk or in memory where that cannot be. What `hiding` tells is left out.
        Raises `VersionsChanged`.
        """
        name = (live.name, None if hiding is None else hiding.name)
        place, state = str(self._place.directory), None
        versions = None
        if self._pool is not None:
            state = self._place.state()
            versions = self._turned(self._pool.take(place, state, _VERSIONS), name, live, hiding)
        if versions is None:
            versions = self._made(live, hiding)
            is_to_keep = versions.is_on_disk and not _has_unread(versions.content)
            state = self._place.state() if is_to_keep else None
            versions.keep(name)

        def heal() -> IndexContent:
            return self._without_hidden(self._healed(live.keys()), hiding).content

        pool, shown = self._pool, versions
        if pool is None or state is None:
            return IndexView(shown.content, documents, heal)
        return IndexView(shown.content, documents, heal, lambda _: pool.put(place, state, _VERSIONS, shown))

    def _turned(
        self, versions: VersionContent | None, name: Hashable, live: Live, hiding: Hiding | None
    ) -> VersionContent | None:
        """`versions`, which was kept, showing what is asked; None, and closed, where that is not so easy."""
        if versions is None or versions.show_kept(name):
            return versions
        is_shown = False
        try:
            missing = versions.show(live.keys())
            if not missing and not _has_unread(versions.content):
                self._without_hidden(versions, hiding).keep(name)
                is_shown = True
        except GitmemError:
            raise
        except DAMAGE:
            # Whoever opens it anew finds the same, and heals it.
            return None
        finally:
            if not is_shown:
                versions.close()
        return versions if is_shown else None

    def _made(self, live: Live, hiding: Hiding | None) -> VersionContent:
        """The same from the disk, or in memory where that cannot be."""
        versions = self._content(live.keys())
        try:
            return self._without_hidden(versions, hiding)
        except GitmemError:
            raise
        except DAMAGE:
            versions.close()
            return self._without_hidden(self._healed(live.keys()), hiding)

    def _without_hidden(self, versions: VersionContent, hiding: Hiding | None) -> VersionContent:
        if hiding is not None:
            hide(versions.content, hiding)
        return versions

    def exists(self) -> bool:
        """Whether one was ever begun; changes nothing."""
        return self._place.is_trusted() and self._place.current() is not None

    def catch_up(self) -> None:
        """Adds whatever version is missing."""
        self._content(self._source.keys()).close()

    def _content(self, live: Collection[int]) -> VersionContent:
        try:
            self._place.prepare()
            return self._on_disk(live)
        except UnusablePlace as error:
            return self._unwritten(live, error)
        except DamagedIndex:
            return self._healed(live)

    def _on_disk(self, live: Collection[int]) -> VersionContent:
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
            versions = VersionContent(content)
            missing = self._show(versions, live)
            if not missing and (has_added or not self._has_readable(content)):
                return versions
            if not has_added:
                content.close()
                self._add(folder, len(missing))
                has_added = True
                continue
            versions.extend(*in_memory(self._source, missing, self._progress))
            return versions

    def _show(self, versions: VersionContent, live: Collection[int]) -> set[int]:
        try:
            return versions.show(live)
        except DAMAGE as error:
            versions.close()
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

    def _healed(self, live: Collection[int]) -> VersionContent:
        """What is live, after what is on the disk proved unreadable."""
        try:
            with self._place.turn():
                self._start()
            versions = self._on_disk(live)
        except (OSError, DamagedIndex) as error:
            return self._unwritten(live, error)
        self._notice(DAMAGED_NOTICE)
        return versions

    def _unwritten(self, live: Collection[int], error: Exception) -> VersionContent:
        reason = error.args[-1] if error.args else "it is damaged"
        self._notice(f"index cannot be kept on disk ({reason}); this answer was made without it")
        versions = VersionContent(IndexContent([], Totals()))
        versions.extend(*in_memory(self._source, set(live), self._progress))
        return versions


def _has_unread(content: IndexContent) -> bool:
    """Whether what is shown has a memory that could not be read; it is looked for again by the next view."""
    return bool(content.documents_with(KEYS, UNREADABLE_KEY))
