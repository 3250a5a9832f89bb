"""One call of a tool: the store it works on, who asks, and what is worth saying besides."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct, field

from gitmem.errors import BadInput
from gitmem.store import Store

if TYPE_CHECKING:
    from gitmem.clock import Clock
    from gitmem.model.change import Origin

MOST_NOTES = 8


class Desk(Struct, frozen=True):
    """Where calls are taken: the store that `folder` lies in, on `branch`, or on main where that is None.

    `session` and `agent` are recorded with what is written; where `agent` is None, it is the name that the
    client gives itself. Neither gives a right. Where clients share the desk (`is_shared`), each session of
    the protocol is one of its own. Calls are dated by `clock`, that of the machine where it is None.
    """

    folder: Path
    branch: str | None = None
    agent: str | None = None
    session: str | None = None
    clock: Clock | None = None
    is_shared: bool = False

    def call(self, client: str | None = None, protocol_session: str | None = None) -> Call:
        """A call of the client of that name, with a handle of its own, for an agent.

        Raises `NotAStore` and its like.
        """
        notes: list[str] = []
        store = Store.open(self.folder, clock=self.clock, notice=notes.append).as_agent()
        if self.branch is not None:
            store = store.on(self.branch)
        return Call(store, self.agent or client, self._session_of(protocol_session), notes)

    def _session_of(self, protocol_session: str | None) -> str | None:
        if not self.is_shared or protocol_session is None:
            return self.session
        # Who knows the name of a session of the protocol could speak for it: it is not written down.
        mark = hashlib.sha256(protocol_session.encode("utf-8", "replace")).hexdigest()[:8]
        return f"{self.session}-{mark}"


class Call(Struct, frozen=True):
    """A call: its store, where what it writes comes from, and the notices that came up."""

    store: Store
    agent: str | None
    session: str | None
    notes: list[str] = field(default_factory=list)

    def origin(self, *, source: str | None = None, reason: str | None = None) -> Origin:
        """Where what this call writes comes from."""
        from gitmem.model.change import Origin

        return Origin(agent=self.agent, session=self.session, source=source, reason=reason)

    def told(self, *more: str) -> list[str]:
        """The notices, and `more`; not more than a few, each once."""
        from gitmem.mcp.failing import short

        notes = list(dict.fromkeys(short(note) for note in (*more, *self.notes)))
        return notes[:MOST_NOTES]


def split_version(reference: str) -> str:
    """`reference`, where it names a memory as it is now. Raises `BadInput` for one of an older version."""
    if "@" in reference and not reference.endswith(".md"):
        raise BadInput(f"id: {reference!r} names an older version, which cannot be changed", field="id")
    return reference
