"""Standard input that has ended, while answers are still being made: they are made and sent first.

Without this, a client that writes its questions and closes its end would get the answers that happened to be
ready.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCError, JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

LASTING = frozenset({"subscriptions/listen"})
"""Requests that are answered when the connection ends."""
CANCELLED = "notifications/cancelled"
Incoming = SessionMessage | Exception


class Unanswered:
    """The requests that came in and have no answer yet."""

    def __init__(self) -> None:
        self._ids: set[Hashable] = set()
        self._changed = anyio.Event()

    def came(self, message: Incoming) -> None:
        """Notes a message from the client."""
        content = message.message if isinstance(message, SessionMessage) else None
        if isinstance(content, JSONRPCRequest) and content.method not in LASTING:
            self._ids.add(content.id)
        elif isinstance(content, JSONRPCNotification) and content.method == CANCELLED:
            self._drop((content.params or {}).get("requestId"))

    def went(self, message: SessionMessage) -> None:
        """Notes a message to the client."""
        if isinstance(message.message, JSONRPCResponse | JSONRPCError):
            self._drop(message.message.id)

    async def none_left(self, within_seconds: float) -> None:
        """Waits until all are answered, but not for ever."""
        with anyio.move_on_after(within_seconds):
            while self._ids:
                await self._changed.wait()

    def _drop(self, request_id: Hashable) -> None:
        self._ids.discard(request_id)
        changed, self._changed = self._changed, anyio.Event()
        changed.set()


@asynccontextmanager
async def answering_to_the_end(
    read: Any, write: Any, *, within_seconds: float
) -> AsyncIterator[tuple[MemoryObjectReceiveStream[Incoming], MemoryObjectSendStream[SessionMessage]]]:
    """`read` and `write` of a transport, where the first ends only when what came by it is answered."""
    unanswered = Unanswered()
    to_server, from_client = anyio.create_memory_object_stream[Incoming](0)
    to_client, from_server = anyio.create_memory_object_stream[SessionMessage](0)

    async def carry_in() -> None:
        async with read, to_server:
            async for message in read:
                unanswered.came(message)
                await to_server.send(message)
            await unanswered.none_left(within_seconds)

    async def carry_out() -> None:
        # What carries answers out ends when nothing more can come.
        async with from_server, write:
            async for message in from_server:
                await write.send(message)
                unanswered.went(message)

    async with anyio.create_task_group() as group:
        group.start_soon(carry_in)
        group.start_soon(carry_out)
        with from_client, to_client:
            yield from_client, to_client
