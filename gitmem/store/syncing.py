"""The verbs between clones: clone, sync, and what happened since the fork."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from gitmem.clock import Clock, SystemClock
from gitmem.flows.work import Notice, Progress, log_notice, no_progress
from gitmem.store.handle import Handle, no_origin

if TYPE_CHECKING:
    from gitmem.flows.clone import Cloned
    from gitmem.flows.syncing.fork import SinceFork
    from gitmem.flows.syncing.values import Synced
    from gitmem.model.change import Origin


class SyncVerbs(Handle):
    """What can be done between clones. `sync` raises `Refused` on a handle of the past."""

    @staticmethod
    def clone(
        url: str,
        folder: str | Path | None = None,
        *,
        below: str | Path = "",
        active_only: bool = False,
        agent: str | None = None,
        clock: Clock | None = None,
        notice: Notice = log_notice,
        progress: Progress = no_progress,
    ) -> Cloned:
        """Clones the store at `url`, and sets up hooks, merge driver and index; see `flows/clone.py`.

        It comes into `folder` below the folder `below`; without one into a folder of its name.
        `active_only` leaves archived memories behind. New memories come from `agent` where nobody is named.
        Raises `BadInput`, `Conflict`, `OutsideFailure`, `NotAStore`.
        """
        from gitmem.flows.clone import clone

        return clone(
            url,
            None if folder is None else Path(folder),
            below=Path(below),
            clock=clock or SystemClock(),
            notice=notice,
            progress=progress,
            is_active_only=active_only,
            agent=agent,
        )

    def sync(
        self,
        remote: str | None = None,
        *,
        push: bool = True,
        dry_run: bool = False,
        origin: Origin | None = None,
    ) -> Synced:
        """Fetches, merges and pushes main, archive and proposals until both sides have the same memories.

        Never forces, never drops either side. What contradicts becomes a dispute, a policy that differs a
        finding.
        With `dry_run` it only fetches, and tells. For errors see `flows/sync.py`.
        """
        from gitmem.flows.sync import sync

        return sync(
            self._writable(), remote, origin=origin or no_origin(), is_pushing=push, is_dry_run=dry_run
        )

    def since_fork(self) -> SinceFork:
        """What changed here and at the remote, as last fetched, since this was cloned. Raises `NotFound`."""
        from gitmem.flows.syncing.fork import since_fork

        return since_fork(self._work)

    def guard(self, lines: Iterable[str], *, quarantine: str | Path | None = None) -> None:
        """Raises `Refused` where a push, as git describes it to `pre-receive`, would lose memories."""
        from gitmem.flows.guard import guard, parse_pushed

        folder = None if quarantine is None else Path(quarantine)
        guard(self._work.unguarded, parse_pushed(lines), quarantine=folder)
