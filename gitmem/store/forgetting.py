"""The verbs that take out for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.store.handle import Handle

if TYPE_CHECKING:
    from gitmem.flows.forget_values import ForgetPlan, Receipt


class ForgetVerbs(Handle):
    """What people can do, and agents cannot. Raises `Refused` on a handle of the past."""

    def plan_forget(
        self,
        ids: Sequence[str] = (),
        *,
        subject: str | None = None,
        match: str | None = None,
        mentions: bool = False,
    ) -> ForgetPlan:
        """What `forget` would do; changes nothing."""
        from gitmem.flows.forget import plan_forget
        from gitmem.privacy.targets import Wanted

        return plan_forget(self._writable(), Wanted(tuple(ids), subject, match), redacts_mentions=mentions)

    def forget(
        self,
        ids: Sequence[str] = (),
        *,
        subject: str | None = None,
        match: str | None = None,
        mentions: bool = False,
        remote: str | None = None,
    ) -> Receipt:
        """Takes memories out of every version, branch, tag, note, log and cache here, and proves it.

        With `mentions` what other memories say of them goes too; with `remote` the rewritten history is pushed
        there, with leases. Raises `Refused` for an agent, `NotFound` where there is nothing of it.
        """
        from gitmem.flows.forget import Answer, forget
        from gitmem.privacy.targets import Wanted

        return forget(self._writable(), Wanted(tuple(ids), subject, match), Answer(mentions, remote))
