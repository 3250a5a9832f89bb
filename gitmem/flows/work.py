"""What every flow works with: the place, the clock, and where talk and progress go."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from msgspec import Struct, field
from msgspec.structs import replace

from gitmem.clock import Clock, SystemClock
from gitmem.flows.reading.kept import Kept
from gitmem.model.identity import Identity
from gitmem.model.ids import CommitId
from gitmem.model.proposal import Opening
from gitmem.versions.place import Place
from gitmem.versions.snapshot import Snapshot

if TYPE_CHECKING:
    pass

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
