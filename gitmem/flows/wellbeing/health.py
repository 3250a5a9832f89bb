"""health: how a store is doing, part by part; what cannot be looked at is named, and is a finding."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from datetime import datetime
from errno import EACCES
from functools import partial
from typing import TypeVar

from msgspec.structs import replace

from gitmem.errors import GitmemError
from gitmem.flows.reading.uses import is_counting
from gitmem.flows.review import proposals
from gitmem.flows.wellbeing.counting import Counted, counted
from gitmem.flows.wellbeing.findings import findings_of
from gitmem.flows.wellbeing.growth import grown_since, months_of
from gitmem.flows.wellbeing.lag import lag_of
from gitmem.flows.wellbeing.latency import latency_of
from gitmem.flows.wellbeing.measures import Branch, Health, IndexLag, Namespace, Size, Unread, Waiting
from gitmem.flows.wellbeing.outlook import outlook_of
from gitmem.flows.wellbeing.records import records_of
from gitmem.flows.wellbeing.troubles import troubles_of
from gitmem.flows.work import Work
from gitmem.git.object_counts import count_objects
from gitmem.git.recover import pending_entries
from gitmem.versions.snapshot import Snapshot

T = TypeVar("T")
MOST_NAMED = 3


def health(work: Work) -> Health:
    """How the branch is doing, for whoever acts: of what they may not read, nothing is told or counted.

    Changes no memory and no index. The same store at the same time gives the same, but for what others
    recall meanwhile.
    """
    return _Look(work).health()


class _Look:
    """One look at a store, at one snapshot of it."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._now = work.clock.now()
        self._snapshot = work.snapshot()
        self._unread: list[Unread] = []

    def health(self) -> Health:
        work, repository = self._work, self._work.place.repository
        found = Health(
            branch=work.branch,
            commit=self._snapshot.commit,
            moment=self._now,
            name=(repository.worktree or repository.common_dir).name,
            is_counting=is_counting(work),
        )
        here = self._part("sizes", lambda: self._counted(work, self._snapshot))
        if here is not None:
            found = self._with_sizes(found, here)
        # Before anything asks the index.
        found = replace(found, indexes=self._part("index", self._lags) or ())
        found = self._with_memories(found)
        found = replace(
            found,
            latency=self._part("recall times", lambda: latency_of(work, self._now))
            if found.is_counting
            else None,
            proposals=self._part("proposals", self._proposals),
            unfinished_writes=self._part("writes", self._unfinished_writes),
            objects=self._part("git", lambda: count_objects(repository)),
        )
        found = replace(found, unread=tuple(self._unread))
        return replace(found, findings=tuple(findings_of(found, work.place.config.health)))

    def _part(self, name: str, look: Callable[[], T]) -> T | None:
        """What `look` finds; None where that cannot be had, which is noted."""
        try:
            return look()
        except GitmemError as error:
            self._unread.append(Unread(name, error.message))
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            self._unread.append(Unread(name, f"{where}{error.strerror or error}"))
        return None

    def _name_unread(self, part: str, paths: Sequence[str]) -> None:
        """Notes the files of a part that could not be looked at; the first of them by name."""
        if paths:
            known = list(dict.fromkeys(paths))
            more = f", and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
            self._unread.append(Unread(part, "; ".join(known[:MOST_NAMED]) + more))

    def _counted(self, work: Work, snapshot: Snapshot) -> Counted:
        found = counted(work, snapshot)
        self._name_unread(f"sizes on {work.branch}", found.unread)
        return found

    def _size_of(self, work: Work, snapshot: Snapshot) -> Size:
        return self._counted(work, snapshot).size

    def _with_sizes(self, found: Health, here: Counted) -> Health:
        """`found` with all that rests on what was counted on the branch."""
        by_type = {kind: size.memories for kind, size in here.by_type.items()}
        months = self._part("growth", lambda: months_of(self._work, self._snapshot, by_type, self._now))
        grown = self._part("growth", lambda: grown_since(self._work, self._snapshot, self._now))
        names = {*here.by_namespace, *(grown or {})}
        namespaces = [
            Namespace(
                name,
                here.by_namespace.get(name, Size()),
                None if grown is None else grown.get(name, 0),
            )
            for name in names
        ]
        return replace(
            found,
            size=here.size,
            by_type=dict(sorted(here.by_type.items(), key=lambda each: (-each[1].memories, each[0]))),
            namespaces=sorted(namespaces, key=lambda each: (-each.size.memories, each.name)),
            folders=here.folders,
            months=months or (),
            branches=self._branches(here),
        )

    def _with_memories(self, found: Health) -> Health:
        """`found` with all for which each memory of the branch is looked at."""
        unread: list[str] = []
        beside: list[str] = []
        work, snapshot = self._work, self._snapshot
        records = self._part("memories", lambda: records_of(work, snapshot, unread))
        if records is not None:
            troubles = self._part("memories", lambda: troubles_of(work, records, unread))
            outlook = self._part("old memories", lambda: outlook_of(work, snapshot, records, beside))
            found = replace(found, troubles=troubles, outlook=outlook)
        self._name_unread("memories", unread)
        self._name_unread("old memories", [each for each in beside if each not in unread])
        return found

    def _branches(self, here: Counted) -> list[Branch]:
        """The branches of the store that have commits; the one that is looked at first."""
        found = []
        for role, name in self._roles():
            there = self._work.on(name)
            snapshot = self._snapshot if name == self._work.branch else there.snapshot()
            if snapshot.commit is None:
                continue
            is_here = name == self._work.branch
            size = here.size if is_here else self._part("sizes", partial(self._size_of, there, snapshot))
            if size is not None:
                found.append(Branch(name, role, snapshot.commit, size))
        return found

    def _roles(self) -> list[tuple[str, str]]:
        """Role and name of each branch of the store; one beside them has its name as its role."""
        config = self._work.place.config
        roles = [("main", self._work.place.main), *config.branches.items()]
        own = [] if self._work.branch in (name for _, name in roles) else [(self._work.branch,) * 2]
        return [*own, *roles]

    def _unfinished_writes(self) -> int:
        self._require_open()
        return sum(each.is_dead for each in pending_entries(self._work.place.repository))

    def _require_open(self) -> None:
        """Raises `OSError` where gitmem's folder is that of another user: what is in it is not nothing."""
        home = self._work.place.home
        if home.is_dir() and not os.access(home, os.R_OK | os.X_OK):
            raise PermissionError(EACCES, os.strerror(EACCES), str(home))

    def _lags(self) -> list[IndexLag]:
        self._require_open()
        found = (lag_of(self._work.on(name), self._now) for _, name in self._roles())
        return [lag for lag in found if lag is not None]

    def _proposals(self) -> list[Waiting]:
        """Those that wait, the oldest first."""
        waiting = [
            Waiting(
                each.name,
                each.title,
                len(changes.memories),
                each.created,
                max(0, _days(each.created, self._now)),
            )
            for each, changes in proposals(self._work, settled=False)
        ]
        return sorted(waiting, key=lambda each: (each.created, each.name))


def _days(earlier: datetime, later: datetime) -> int:
    return (later - earlier).days
