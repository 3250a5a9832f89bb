"""A server at work on a store, and clients that ask it in process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.types import CallToolResult

from gitmem.mcp.calls import Desk
from gitmem.mcp.server import MemoryServer, make_server
from gitmem.store import Store

PROTOCOLS = ("legacy", "auto")
"""By a handshake, as clients did it up to 2025, and by what each request says of itself, since 2026."""


class Agent:
    """A client that asks one thing after the other, each on a connection of its own."""

    def __init__(self, server: MemoryServer, mode: str = "auto") -> None:
        self.server = server
        self.mode = mode

    def with_client(self, story: Callable[[Client], Awaitable[Any]]) -> Any:
        """What `story` gives, told with one connection."""

        async def tell() -> Any:
            async with Client(self.server, mode=self.mode) as client:
                return await story(client)

        return anyio.run(tell)

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        """The answer of a tool, whether it is a success or a failure."""

        async def story(client: Client) -> CallToolResult:
            return await client.call_tool(tool, arguments)

        found = self.with_client(story)
        assert isinstance(found, CallToolResult)
        return found

    def get(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool answers that succeeds."""
        result = self.call(tool, **arguments)
        assert not result.is_error, result.content
        assert isinstance(result.structured_content, dict)
        return result.structured_content

    def fails(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """What a tool answers that does not."""
        result = self.call(tool, **arguments)
        assert result.is_error and isinstance(result.structured_content, dict)
        error = result.structured_content["error"]
        assert isinstance(error, dict) and "\n" not in error["message"]
        return error


@pytest.fixture
def agent(store: Store, folder: Path) -> Agent:
    """An agent that is connected to `store`."""
    return Agent(make_server(Desk(folder, session="s1")))
