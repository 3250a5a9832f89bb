"""Store: the library's face. A handle on a branch, or on the past; one method per verb."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.clock import Clock, SystemClock
from gitmem.flows.work import Notice, Progress, Work, log_notice, no_progress
from gitmem.git.recover import recover
from gitmem.store.reading import ReadVerbs
from gitmem.store.writing import WriteVerbs
from gitmem.versions.place import find_place, get_branch

if TYPE_CHECKING:
    from gitmem.flows.ailment import Ailment
    from gitmem.flows.found import Founded

__all__ = ["Store"]


class Store(ReadVerbs, WriteVerbs):
    """Memories on one branch of a git repository, or as they were at one commit (read-only).

    `Store.open` finds the store that a folder lies in, `Store.init` makes one. `on` and `at` give
    the same type for another branch and for the past. A handle keeps no state of its own: each
    call sees the repository as it is then, and several processes may hold one each.
    """

    @classmethod
    def open(
        cls,
        folder: str | Path = ".",
        *,
        clock: Clock | None = None,
        notice: Notice = log_notice,
        progress: Progress = no_progress,
        is_mended: bool = True,
    ) -> Store:
        """The store that `folder` lies in, on its main branch. Raises `NotAStore`, `NewerFormat`, `Damaged`.

        Finishes what an interrupted write left behind, and says so to `notice`; not so with `is_mended`
        false, for those who want to see it.
        """
        place = find_place(Path(folder))
        work = Work(place, place.main, None, clock or SystemClock(), notice, progress)
        for sentence in recover(place.repository) if is_mended else ():
            notice(sentence)
        if is_mended and work.has_moves():
            from gitmem.flows.carry import finish_moves

            for sentence in finish_moves(work):
                notice(sentence)
        return cls(work)

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
    def found(folder: str | Path = ".", *, bare: bool = False, clock: Clock | None = None) -> Founded:
        """Like `init`, but says what was done instead of opening the store."""
        from gitmem.flows.found import init

        return init(Path(folder), clock=clock or SystemClock(), bare=bare)

    @staticmethod
    def diagnose(
        folder: str | Path = ".", *, fix: bool = False, dead: Collection[str] = (), clock: Clock | None = None
    ) -> Sequence[Ailment]:
        """What an accident left of the store at `folder`, also where it cannot be opened any more.

        Changes nothing without `fix`. `dead` names unfinished writes whose process has ended, as the caller
        knows; gitmem cannot know it of another machine.
        """
        from gitmem.flows.doctor import diagnose

        return diagnose(Path(folder), fix=fix, clock=clock or SystemClock(), dead=dead)

    def uninit(self) -> Founded:
        """Takes back what `init` did; the memories stay as plain files."""
        from gitmem.flows.found import uninit

        return uninit(self._work.place, clock=self._work.clock)

    def on(self, branch: str) -> Store:
        """The same store on another branch. Raises `NotFound`."""
        return Store(self._work.on(get_branch(self._work.place, branch)))

    def at(self, revision: str) -> Store:
        """The store as it was at a commit, tag or other git revision, read-only. Raises `NotFound`."""
        return Store(replace(self._work, commit=self._work.place.commit_named(revision)))
