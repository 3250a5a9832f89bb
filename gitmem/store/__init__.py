"""Store: the library's face. A handle on a branch, or on the past; one method per verb."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from gitmem.clock import Clock, SystemClock
from gitmem.flows.reading.kept import kept_for
from gitmem.flows.rights.apart import discreet, require_sight_at
from gitmem.flows.work import Notice, Progress, Work, is_first_use, log_notice, no_progress
from gitmem.git.journal import folders
from gitmem.git.private_folder import clear
from gitmem.model.identity import Identity
from gitmem.store.agents import AgentVerbs
from gitmem.store.forgetting import ForgetVerbs
from gitmem.store.keeping import KeyVerbs
from gitmem.store.merging import MergeVerbs
from gitmem.store.moving import MoveVerbs
from gitmem.store.reading import ReadVerbs
from gitmem.store.relating import RelationVerbs
from gitmem.store.remembering import RememberVerbs
from gitmem.store.reviewing import ReviewVerbs
from gitmem.store.syncing import SyncVerbs
from gitmem.store.tending import TendVerbs
from gitmem.store.watching import WatchVerbs
from gitmem.store.working import WorkingVerbs
from gitmem.store.writing import WriteVerbs
from gitmem.versions.place import find_place, get_branch

if TYPE_CHECKING:
    from gitmem.flows.doctoring.ailment import Ailment
    from gitmem.flows.found import Founded

__all__ = ["Store"]


class Store(
    ReadVerbs,
    RelationVerbs,
    RememberVerbs,
    WriteVerbs,
    MoveVerbs,
    MergeVerbs,
    ReviewVerbs,
    SyncVerbs,
    ForgetVerbs,
    AgentVerbs,
    KeyVerbs,
    WatchVerbs,
    TendVerbs,
    WorkingVerbs,
):
    """Memories on one branch of a git repository, or as they were at one commit (read-only).

    `Store.open` finds the store that a folder lies in, `Store.init` makes one. `on` and `at` give
    the same type for another branch and for the past. Each call sees the memories as they are then, by the
    config of the store (`.gitmem/config.toml`) that held when the handle was opened. Several processes may
    hold a handle each. What a handle keeps open between calls is checked
    before it is used again; `close`, or a `with` statement, gives it back.
    """

    @classmethod
    def open(
        cls,
        folder: str | Path = ".",
        *,
        clock: Clock | None = None,
        notice: Notice = log_notice,
        progress: Progress = no_progress,
        identity: Identity | None = None,
        is_mended: bool = True,
    ) -> Store:
        """The store that `folder` lies in, on its main branch. Raises `NotAStore`, `NewerFormat`, `Damaged`.

        `identity` is who acts; where it is left out, the process tells (see `flows/rights/acting.py`).

        Finishes what an interrupted write left behind, and says so to `notice`; not so with `is_mended`
        false, for those who want to see it.
        """
        found = find_place(Path(folder))
        kept = kept_for(found.repository.git_dir)
        found.repository.trees.share(kept.trees)
        place = found.unlocked
        for sentence in clear(place.repository.common_dir):
            notice(sentence)
        work = Work(place, place.main, None, clock or SystemClock(), notice, progress, kept, claimed=identity)
        guarded = work.guarded()
        notice = discreet(guarded, notice)
        if is_mended and folders(place.repository.common_dir):
            from gitmem.git.recover import recover

            for sentence in recover(place.repository):
                notice(sentence)
        if is_mended and work.has_moves():
            from gitmem.flows.moving.carry import finish_moves

            for sentence in finish_moves(work):
                notice(sentence)
        if is_mended and work.has_acceptances():
            from gitmem.flows.accept import finish_acceptances

            for sentence in finish_acceptances(work):
                notice(sentence)
        if is_mended and work.has_crossings():
            from gitmem.flows.working.crossing import finish_crossings

            for sentence in finish_crossings(work):
                notice(sentence)
        if is_mended and is_first_use(place):
            from gitmem.flows.syncing.fork import greet_fork

            greet_fork(work)
        return cls(guarded)

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
        folder: str | Path = ".",
        *,
        bare: bool = False,
        guard: bool = False,
        ci: str | None = None,
        clock: Clock | None = None,
    ) -> Founded:
        """Like `init`, but says what was done instead of opening the store.

        With `guard` the hook is put in that refuses pushes which lose memories. With `ci`, `github` or
        `generic`, also writes a file with which a build server checks every change. Raises `Refused` where
        another file stands there.
        """
        from gitmem.flows.found import init

        return init(Path(folder), clock=clock or SystemClock(), bare=bare, is_guarded=guard, ci=ci)

    @staticmethod
    def diagnose(
        folder: str | Path = ".", *, fix: bool = False, dead: Collection[str] = (), clock: Clock | None = None
    ) -> Sequence[Ailment]:
        """What an accident left of the store at `folder`, also where it cannot be opened any more.

        Changes nothing without `fix`. `dead` names unfinished writes whose process has ended, as the caller
        knows; gitmem cannot know it of another machine.
        """
        from gitmem.flows.doctor import diagnose

        require_sight_at(Path(folder), "doctor")
        return diagnose(Path(folder), fix=fix, clock=clock or SystemClock(), dead=dead)

    def uninit(self) -> Founded:
        """Takes back what `init` did; the memories stay as plain files. Raises `Refused` for an agent."""
        from gitmem.flows.found import uninit
        from gitmem.flows.rights.acting import require_person

        require_person(self._work.identity, "uninit")
        self.close()
        return uninit(self._work.place, clock=self._work.clock)

    def as_agent(self, name: str | None = None) -> Store:
        """The same store for an agent, also where the process acts for a person.

        `name` is what it is called where nothing around the process names it.
        """
        from gitmem.flows.rights.acting import agent_here

        return Store(replace(self._work, claimed=agent_here(self._work.place, name)).guarded())

    @staticmethod
    def share_between_handles() -> None:
        """Lets handles on one repository keep in common what they opened.

        For a process that answers many questions, with a handle for each.
        """
        from gitmem.flows.reading.kept import share_between_handles

        share_between_handles()

    def on(self, branch: str) -> Store:
        """The same store on another branch. Raises `NotFound`."""
        return Store(self._work.on(get_branch(self._work.place, branch)))

    def at(self, when: str | date | datetime) -> Store:
        """The store as it was at a date, or as a commit, tag or other git revision has it, read-only.

        A date means its last moment, in UTC where it says no other; `2016` and `2016-05` are dates.
        Raises `NotFound`, also before the first commit.
        """
        from gitmem.flows.reading.moment import as_of

        return Store(as_of(self._work, when))
