"""Store: the library's face. A handle on a branch, or on the past; one line per verb."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.clock import Clock, SystemClock
from gitmem.errors import Refused
from gitmem.flows.drafting import Request
from gitmem.flows.work import Notice, Progress, Work, log_notice, no_progress
from gitmem.git.recover import recover
from gitmem.model.change import Origin
from gitmem.model.ids import CommitId
from gitmem.model.memory import Json
from gitmem.versions.place import Place, find_place, get_branch

if TYPE_CHECKING:
    from gitmem.flows.check import Checked
    from gitmem.flows.found import Founded
    from gitmem.flows.log import Log
    from gitmem.flows.recall import Listing, Recollection
    from gitmem.flows.remember import Written
    from gitmem.flows.show import Shown
    from gitmem.flows.status import StoreStatus
    from gitmem.flows.upkeep import Indexed
    from gitmem.recall.where import Where


class Store:
    """Memories on one branch of a git repository, or as they were at one commit (read-only).

    `Store.open` finds the store that a folder lies in, `Store.init` makes one. `on` and `at` give
    the same type for another branch and for the past. A handle keeps no state of its own: each
    call sees the repository as it is then, and several processes may hold one each.
    """

    def __init__(self, work: Work) -> None:
        self._work = work

    @classmethod
    def open(
        cls,
        folder: str | Path = ".",
        *,
        clock: Clock | None = None,
        notice: Notice = log_notice,
        progress: Progress = no_progress,
    ) -> Store:
        """The store that `folder` lies in, on its main branch. Raises `NotAStore`, `NewerFormat`.

        Finishes what an interrupted write left behind, and says so to `notice`.
        """
        place = find_place(Path(folder))
        for sentence in recover(place.repository):
            notice(sentence)
        return cls(Work(place, place.main, None, clock or SystemClock(), notice, progress))

    @classmethod
    def init(
        cls,
        folder: str | Path = ".",
        *,
        bare: bool = False,
        clock: Clock | None = None,
        notice: Notice = log_notice,
    ) -> Store:
        """Makes `folder` a store, new or adopted, and opens it; may be repeated."""
        cls.found(folder, bare=bare, clock=clock)
        return cls.open(folder, clock=clock, notice=notice)

    @staticmethod
    def found(
        folder: str | Path = ".", *, bare: bool = False, clock: Clock | None = None
    ) -> Founded:
        """Like `init`, but says what was done instead of opening the store."""
        from gitmem.flows.found import init

        return init(Path(folder), clock=clock or SystemClock(), bare=bare)

    def uninit(self) -> Founded:
        """Takes back what `init` did; the memories stay as plain files."""
        from gitmem.flows.found import uninit

        return uninit(self._work.place, clock=self._work.clock)

    @property
    def place(self) -> Place:
        """The repository and config behind this handle."""
        return self._work.place

    @property
    def branch(self) -> str:
        """The branch this handle reads and writes."""
        return self._work.branch

    @property
    def commit(self) -> CommitId | None:
        """The commit this handle reads now; None while the branch is unborn."""
        return self._work.snapshot().commit

    def on(self, branch: str) -> Store:
        """The same store on another branch. Raises `NotFound`."""
        return Store(self._work.on(get_branch(self._work.place, branch)))

    def at(self, revision: str) -> Store:
        """The store as it was at a commit, tag or other git revision, read-only. Raises `NotFound`."""
        return Store(replace(self._work, commit=self._work.place.commit_named(revision)))

    def remember(
        self,
        text: str,
        *,
        title: str | None = None,
        type: str | None = None,
        namespace: str | None = None,
        tags: Sequence[str] = (),
        entities: Sequence[str] = (),
        fields: Mapping[str, Json] | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        id: str | None = None,
        path: str | None = None,
        created: str | None = None,
        valid_from: str | None = None,
        valid_until: str | None = None,
        supersedes: Sequence[str] = (),
        subject: str | None = None,
        origin: Origin | None = None,
    ) -> Written:
        """Writes one memory and commits it; returns its id, path and version.

        Raises `BadInput` naming what cannot be written, `Conflict` where the id or path is in use.
        """
        request = Request(
            text=text,
            title=title,
            type=type,
            namespace=namespace,
            tags=tags,
            entities=entities,
            fields=fields or {},
            importance=importance,
            confidence=confidence,
            id=id,
            path=path,
            created=created,
            valid_from=valid_from,
            valid_until=valid_until,
            supersedes=supersedes,
            subject=subject,
            origin=origin or Origin(),
        )
        return self.remember_all([request])[0]

    def remember_all(self, requests: Iterable[Request]) -> list[Written]:
        """Writes all memories in one commit, or none."""
        from gitmem.flows.remember import remember

        return remember(self._writable(), list(requests))

    def show(self, reference: str) -> Shown:
        """The memory with this id, beginning of an id, or path. Raises `NotFound`, `Ambiguous`."""
        from gitmem.flows.show import show

        return show(self._work, reference)

    def list(self, where: Where | None = None, *, limit: int | None = None) -> Listing:
        """The memories that pass `where`, newest first."""
        from gitmem.flows.recall import list_memories
        from gitmem.recall.where import Where

        return list_memories(self._work, where or Where(), limit=limit)

    def recall(self, query: str, where: Where | None = None, *, limit: int = 10) -> Recollection:
        """The memories that answer `query`, best first, each with its reasons. Any text is a query."""
        from gitmem.flows.recall import recall
        from gitmem.recall.where import Where

        return recall(self._work, query, where or Where(), limit=limit)

    def log(self, reference: str | None = None, *, limit: int | None = None) -> Log:
        """The commits of the branch, or the versions of one memory across renames, newest first."""
        from gitmem.flows.log import log, log_of

        return (
            log(self._work, limit=limit) if reference is None else log_of(self._work, reference, limit=limit)
        )

    def check(self) -> Checked:
        """What is wrong with the memories of the branch; changes nothing."""
        from gitmem.flows.check import check

        return check(self._work)

    def status(self) -> StoreStatus:
        """Where the store is and how it stands; changes nothing."""
        from gitmem.flows.status import status

        return status(self._work)

    def reindex(self) -> Indexed:
        """Builds the search index anew beside the old one and swaps it in."""
        from gitmem.flows.upkeep import reindex

        return reindex(self._work)

    def refresh(self) -> Indexed:
        """Brings the search index to the head of the branch, as the hooks do."""
        from gitmem.flows.upkeep import refresh

        return refresh(self._work)

    def _writable(self) -> Work:
        if self._work.is_past:
            raise Refused(
                "the past is read-only", hint="write to a branch: Store.open(...) or Store.on(branch)"
            )
        return self._work
