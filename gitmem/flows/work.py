"""What every flow works with: the place, the clock, and where talk and progress go."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.clock import Clock, SystemClock
from gitmem.errors import Damaged, NotFound
from gitmem.flows.reading.hot import HotMemories
from gitmem.flows.reading.kept import Kept
from gitmem.model.identity import Identity
from gitmem.model.ids import BlobId, CommitId
from gitmem.model.memory import UNREADABLE, Memory, Problem
from gitmem.model.proposal import Opening, is_proposal
from gitmem.model.reading import read_memory
from gitmem.versions.attachments import text_of_attachments
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    from gitmem.index.branch_index import BranchIndex
    from gitmem.index.source import FileDelta
    from gitmem.index.view import IndexView

Notice = Callable[[str], None]
Progress = Callable[[str, int, int], None]
REFRESH_WANTED = "refresh-wanted"
"""File below `Place.home` by which a hook says that it has asked for a refresh; an answer takes it away."""
BRIEF = "brief.md"
"""File below `Place.home` that holds the brief, once somebody wants it kept."""
ACCEPTANCES = "acceptances"
"""Folder below `Place.home` of acceptances of proposals that are under way."""
CROSSINGS = "crossings"
"""Folder below `Place.home` of operations on several branches that are under way."""
PAST = "@past"
"""Folder of the index that answers for single commits; no branch can have this name."""


def is_first_use(place: Place) -> bool:
    """Whether gitmem was never at work in this clone; cheap, and False where that cannot be told."""
    try:
        return not place.is_new and not place.home.exists()
    except OSError:
        return False


def log_notice(message: str) -> None:
    """Where notices go when no door takes them: the `gitmem` logger."""
    import logging

    logging.getLogger("gitmem").info(message)


def no_progress(_what: str, _done: int, _total: int) -> None:
    """Shows nothing."""


class Work(Struct, frozen=True):
    """A place seen at one branch, or at one commit of the past (`commit` set, read-only).

    `moment` is when that was: the date asked for, or the time of the commit.
    """

    place: Place
    branch: str
    commit: CommitId | None = None
    clock: Clock = field(default_factory=SystemClock)
    notice: Notice = log_notice
    progress: Progress = no_progress
    kept: Kept = field(default_factory=Kept)
    claimed: Identity | None = None
    """Who acts, where the caller has said so; else the process tells."""
    moment: datetime | None = None
    opening: Opening | None = None
    """What a proposal that begins with the next write says of itself."""
    shows_edits: bool = True
    """Whether reads look for hand edits in the worktree; that takes as long as a search."""

    @property
    def identity(self) -> Identity:
        """Who is acting. Raises `BadInput` naming a setting that is no identity."""
        from gitmem.flows.rights.acting import acting_here

        return self.claimed or acting_here(self.place)

    def guarded(self) -> Work:
        """The same for whoever is acting: with their rights, and without what they may not see.

        Every handle is of such a work. Raises `BadInput` naming a setting that is no identity.
        """
        if not self.place.config.policy.has_access_rules:
            return self
        return replace(self, place=self.place.seen_by(self.identity))

    @property
    def unguarded(self) -> Work:
        """The whole place, where writes count as nobody's: what others wrote is carried along."""
        return self if self.place.rights is None else replace(self, place=self.place.unguarded)

    @property
    def as_approver(self) -> Work:
        """The same place, where writes count as approving what others wrote."""
        return self if self.place.rights is None else replace(self, place=self.place.as_approver)

    @property
    def whole(self) -> Work:
        """The same with nothing hidden: for what is everybody's, and for telling what may not be said."""
        return self if self.place.veil is None else replace(self, place=self.place.whole)

    @property
    def is_past(self) -> bool:
        return self.commit is not None

    def snapshot(self) -> Snapshot:
        """The memories as they are now on the branch, or as they were at the commit."""
        return self.place.snapshot(self.commit) if self.commit else self.place.snapshot_of(self.branch)

    def has_moves(self) -> bool:
        """Whether a move may be under way here; cheap, and False where the store may not be looked into."""
        return self._has_any_in("moves")

    def has_acceptances(self) -> bool:
        """The same of the acceptance of a proposal."""
        return self._has_any_in(ACCEPTANCES)

    def has_crossings(self) -> bool:
        """The same of an operation on several branches."""
        return self._has_any_in(CROSSINGS)

    def _has_any_in(self, name: str) -> bool:
        """Whether anything stands in a folder, which stays when the last of it is done."""
        try:
            with os.scandir(self.place.home / name) as entries:
                return any(True for _ in entries)
        except OSError:
            return False

    def on(self, branch: str) -> Work:
        return replace(self, branch=branch, commit=None, moment=None)

    def beside(self, branch: str) -> Work | None:
        """Another branch at the same moment: as it is now, or as it was then; None before it began."""
        if self.moment is None:
            return self.on(branch) if self.place.tip(branch) else None
        from gitmem.versions.chain import standing_at

        found = standing_at(self.place, branch, self.moment)
        return replace(self, branch=branch, commit=found.commit) if found and found.commit else None

    def now(self) -> datetime:
        """The moment that is looked at: the present, or that of the past."""
        return self.moment or self.clock.now()

    @contextmanager
    def index_view(
        self, snapshot: Snapshot, edited: Sequence[Memory] = (), gone: Sequence[str] = ()
    ) -> Iterator[IndexView | None]:
        """The index showing exactly `snapshot`, with `edited` in place of the files at their paths.

        The paths in `gone` are left out.

        None for the empty snapshot of an unborn branch.
        """
        if snapshot.commit is None:
            yield None
            return
        hiding = None
        if self.place.veil is not None:
            from gitmem.flows.rights.apart import hiding_of

            hiding = hiding_of(self, snapshot.commit)
            self, snapshot = self.whole, self.place.whole.snapshot(snapshot.commit)
        if not self.is_past and (self.place.config.policy.encrypts or self.place.keyring.is_there):
            from gitmem.flows.reading.locked import opened

            # They are in no index on the disk, and added to each answer in memory.
            taken = {memory.path for memory in edited}
            edited = [*edited, *(each for each in opened(self, snapshot) if each.path not in taken)]
        if self.is_past:
            from gitmem.flows.reading.past import past_view

            with past_view(self, snapshot, hiding) as view:
                if view is not None:
                    yield view
                    return
        else:
            self.kept.let_go_of_changed_past()
        from gitmem.index.source import FileDelta

        indexed, shown = self, snapshot
        changes: dict[str, BlobId | None] = {}
        if is_proposal(self.branch) and not self.is_past and self.place.tip(self.place.main):
            # A proposal is main with some changes: it needs no index of its own.
            indexed = self.on(self.place.main)
            shown = indexed.snapshot()
            assert shown.commit is not None, "main has a tip"
            changes |= {change.path: change.new for change in snapshot.changes_since(shown.commit)}
        changes |= {memory.path: memory.blob for memory in edited} | dict.fromkeys(gone)
        deltas = [FileDelta(path, shown.blob(path), blob) for path, blob in changes.items()]
        assert shown.commit is not None, "it was looked at above"
        source = SnapshotSource(self.place.as_stored, edited, shown, self.kept.memories)
        with indexed.index().view(shown.commit, edits=deltas, edited=source, hiding=hiding) as view:
            if not self.is_past:
                with suppress(OSError):
                    (self.place.home / REFRESH_WANTED).unlink()
            yield view

    def index(self) -> BranchIndex:
        """The index of the branch; of the past, one for single commits that are on no chain."""
        from gitmem.index.branch_index import BranchIndex

        name = PAST if self.is_past else quote(self.branch, safe="")
        return BranchIndex(
            self.place.home / "index" / name,
            SnapshotSource(self.place.as_stored, hot=self.kept.memories),
            notice=self.notice,
            progress=lambda done, total: self.progress("indexing", done, total),
            pool=self.kept.indexes,
        )


class SnapshotSource:
    """Feeds the index: the files of a commit, what changed between two, and the memories themselves.

    One whose object cannot be read is marked so; whoever answers from the index names it.
    """

    def __init__(
        self,
        place: Place,
        edited: Sequence[Memory] = (),
        snapshot: Snapshot | None = None,
        hot: HotMemories | None = None,
    ) -> None:
        self._place = place
        self._hot = hot or HotMemories()
        self._edited = {(memory.path, memory.blob): memory for memory in edited}
        self._snapshot = snapshot or place.snapshot(None)
        """The snapshot asked for last: attachments are read as they stand there."""

    def files(self, commit: CommitId) -> Iterator[tuple[str, BlobId]]:
        self._snapshot = self._place.snapshot(commit)
        return self._snapshot.files()

    def changes(self, old: CommitId, new: CommitId) -> list[FileDelta] | None:
        """The memory files that differ; None where commit `old` is no longer in the repository."""
        from gitmem.index.source import FileDelta

        self._snapshot = self._place.snapshot(new)
        try:
            changes = self._snapshot.changes_since(old)
        except (NotFound, Damaged):
            return None
        return [FileDelta(change.path, change.old, change.new) for change in changes]

    def read(self, path: str, blob: BlobId, *, has_attachments: bool = True) -> Memory:
        """The memory in `blob`. One that cannot be read is marked, and does not hide the others."""
        try:
            edited = self._edited.get((path, blob))
            memory = edited or self._hot.get(path, blob, self._snapshot.read)
        except Damaged as error:
            empty = read_memory(path, blob, b"")
            return replace(empty, problems=(Problem(UNREADABLE, error.message),))
        try:
            attached_text = text_of_attachments(self._snapshot, path) if has_attachments else ""
            return replace(memory, attached_text=attached_text) if attached_text else memory
        except Damaged as error:
            return replace(memory, problems=(*memory.problems, Problem(UNREADABLE, error.message)))

    def is_readable(self, path: str, blob: BlobId) -> bool:
        """Whether the memory and what is attached to it can be read; quick where the object is not here."""
        return self._place.repository.has_object(blob) and not self.read(path, blob).is_unreadable
