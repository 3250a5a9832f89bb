"""The verbs that watch over a store."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gitmem.store.handle import Handle

if TYPE_CHECKING:
    from gitmem.flows.wellbeing.measures import Health


class WatchVerbs(Handle):
    """How a store is doing. Nothing here changes anything."""

    def health(self) -> Health:
        """How the branch is doing: sizes, growth, lag, recall times, and what needs looking after.

        What could not be looked at is in `unread`, and is a finding. Nothing is told or counted of what
        whoever acts may not read.
        """
        from gitmem.flows.wellbeing.health import health

        return health(self._work)
