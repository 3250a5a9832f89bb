"""The verbs that move memories from one branch to another: one commit on each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gitmem.store.handle import Handle, no_origin

if TYPE_CHECKING:
    from gitmem.flows.move import Moved
    from gitmem.model.change import Origin


class MoveVerbs(Handle):
    """What can be moved. Raises `Refused` on a handle of the past."""

    def archive(self, references: Sequence[str], *, origin: Origin | None = None) -> Moved:
        """Takes memories off the branch and puts them on archive, with attachments and history."""
        from gitmem.flows.move import archive

        return archive(self._for(references, origin), references, origin=origin or no_origin())

    def restore(self, references: Sequence[str], *, origin: Origin | None = None) -> Moved:
        """Brings archived memories back."""
        from gitmem.flows.move import restore

        return restore(self._directly("restore"), references, origin=origin or no_origin())

    def approve(self, references: Sequence[str], *, origin: Origin | None = None) -> Moved:
        """Brings memories from quarantine to the branch. Raises `Refused` for an agent."""
        from gitmem.flows.move import approve

        return approve(self._writable(), references, origin=origin or no_origin())
