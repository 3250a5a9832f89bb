"""The verbs of old memories: what becomes of them, and what is kept whatever happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.store.handle import Handle, no_origin

if TYPE_CHECKING:
    from gitmem.flows.remember import Written
    from gitmem.flows.tending.tend import Tended
    from gitmem.model.change import Origin


class TendVerbs(Handle):
    """What keeps a store healthy. Nothing here deletes a memory."""

    def tend(self, *, dry_run: bool = False, origin: Origin | None = None) -> Tended:
        """Does what the policies of the store say of its memories; with `dry_run` only says it.

        For an agent, and whoever can only propose, the moves become a proposal. Raises `Refused` for who may
        not read all of the store, `BadInput` on another branch than main, `Conflict`.
        """
        from gitmem.flows.tending.tend import tend

        return tend(self._writable(), is_dry=dry_run, origin=origin or no_origin())

    def pin(self, reference: str, *, expect: str | None = None, origin: Origin | None = None) -> Written:
        """Keeps a memory where it is, whatever the policies say, as a new version of it."""
        from gitmem.flows.tending.pin import pin

        work = self._for(reference, origin)
        return pin(work, reference, is_wanted=True, expect=expect, origin=origin or no_origin())

    def unpin(self, reference: str, *, expect: str | None = None, origin: Origin | None = None) -> Written:
        """Leaves a memory to the policies again."""
        from gitmem.flows.tending.pin import pin

        work = self._for(reference, origin)
        return pin(work, reference, is_wanted=False, expect=expect, origin=origin or no_origin())
