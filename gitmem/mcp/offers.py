"""What clients read without a model asking for it: resources, and prompts that a person picks."""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.prompts.base import Message, UserMessage
from mcp.types import TextContent

from gitmem.errors import Ambiguous, BadInput, GitmemError, NotFound
from gitmem.mcp.bounds import MOST_CONTENT_BYTES, page_end
from gitmem.mcp.calls import Desk
from gitmem.mcp.failing import short
from gitmem.mcp.texts import SESSION_END, SESSION_START
from gitmem.model.document import decode

MARKDOWN = "text/markdown"
START_TOKENS = 1_500


def add_resources(server: MCPServer[Any], desk: Desk) -> None:
    """`memory://brief`, the overview of the store, and `memory://{id}`, the file of each memory."""

    @server.resource(
        "memory://brief",
        name="brief",
        title="Overview of the store",
        description="What the store is, what matters most, what is open: for the beginning of a session.",
        mime_type=MARKDOWN,
    )
    def brief() -> str:
        try:
            return _bounded(desk.call().store.brief().text, "")
        except (GitmemError, OSError) as error:
            raise ResourceError(_line(error)) from error

    @server.resource(
        "memory://{id}",
        name="memory",
        title="A memory",
        description="The file of a memory, by its id, or by ID@v2 as it was: header and text.",
        mime_type=MARKDOWN,
    )
    def memory(id: str) -> str:
        try:
            shown = desk.call().store.show(id)
        except (NotFound, Ambiguous, BadInput) as error:
            raise ResourceNotFoundError(_line(error)) from error
        except (GitmemError, OSError) as error:
            raise ResourceError(_line(error)) from error
        return _bounded(decode(shown.raw)[0], f"; the tool show gives the rest of {shown.memory.id}")


def add_prompts(server: MCPServer[Any], desk: Desk) -> None:
    """`session_start` and `session_end`."""

    @server.prompt(
        name="session_start",
        title="Begin a session",
        description="Give the model the overview of the store, and what matters for a task if one is named.",
    )
    def session_start(task: str = "") -> list[Message]:
        try:
            call = desk.call()
            brief = call.store.brief().text
            context = call.store.context(task, max_tokens=START_TOKENS).text if task.strip() else ""
        except (GitmemError, OSError) as error:
            return _said(f"The store of memories cannot be read: {_line(error)}")
        about = " and what matters for the task" if context else ""
        text = _bounded(brief, "; the resource memory://brief has the rest")
        return _said("\n\n".join(filter(None, (SESSION_START.format(about=about), text, context))))

    @server.prompt(
        name="session_end",
        title="End a session",
        description="Ask the model to keep what a later session will need.",
    )
    def session_end(about: str = "") -> list[Message]:
        told = f"\n\nWhat the session was about: {short(about)}" if about.strip() else ""
        return _said(SESSION_END.format(about=told))


def _said(text: str) -> list[Message]:
    text = text.encode("utf-8", "replace").decode()
    return [UserMessage(TextContent(type="text", text=text))]


def _bounded(text: str, rest: str) -> str:
    """The beginning of `text` that an answer may hold; what is cut is said, with `rest`."""
    text = text.encode("utf-8", "replace").decode()
    end = page_end(text, 0, MOST_CONTENT_BYTES)
    return text if end >= len(text) else f"{text[:end]}\n[… {end:,} of {len(text):,} characters{rest}]\n"


def _line(error: Exception) -> str:
    return short(error.message if isinstance(error, GitmemError) else str(error))
