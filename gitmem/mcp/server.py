"""The server: its tools, resources and prompts, and how a call becomes an answer.

1. arguments: null is the same as left out; what the schema does not allow is an answer, one line
2. a handle of its own for each call, in a thread of its own, for an agent
3. the answer, typed, as data and as text; an error of gitmem is an answer with `isError`
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Mapping
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    TextContent,
    ToolAnnotations,
)
from pydantic import BaseModel, ValidationError

from gitmem import __version__
from gitmem.errors import Busy, GitmemError, OutsideFailure
from gitmem.mcp import ending, reading, writing
from gitmem.mcp.bounds import MOST_ANSWER_BYTES, json_of, sendable, size_bytes
from gitmem.mcp.calls import Call, Desk
from gitmem.mcp.draining import answering_to_the_end
from gitmem.mcp.failing import bad_arguments, bug, failure_of, result_of, short, wrapped
from gitmem.mcp.lines import ClientLines, claimed_input
from gitmem.mcp.offers import add_prompts, add_resources
from gitmem.mcp.texts import INSTRUCTIONS

LOG = logging.getLogger("gitmem.mcp")
ANSWER_SECONDS = 60.0
"""How long answers may take that are due when the client has closed its end."""
LIST_WANTED = 'a list of texts belongs here, also for a single one: ["…"]'
NO_LIST = frozenset({"sequence_str", "is_instance_of"})
"""What pydantic calls a text, or another single value, that stands where a sequence should."""
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False
)
CHANGES = ToolAnnotations(
    read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)
"""An old version stays in the history, and a call that is repeated changes nothing more."""
TOOLS: dict[str, tuple[Callable[..., BaseModel], str, ToolAnnotations]] = {
    "context": (reading.context, "What matters for a task", READS),
    "recall": (reading.recall, "Find memories", READS),
    "show": (reading.show, "Read a memory", READS),
    "remember": (writing.remember, "Remember something", ADDS),
    "update": (writing.update, "Change a memory", CHANGES),
    "reflect": (writing.reflect, "Keep a lesson", ADDS),
    "link": (writing.link, "Link two memories", CHANGES),
    "log": (reading.log, "See what happened", READS),
    "session_end": (ending.session_end, "End the session", CHANGES),
    "suggest_archive": (writing.suggest_archive, "Suggest to archive", ADDS),
}
"""By name: the function, what people see, and what clients may rely on."""


class MemoryServer(MCPServer[Any]):
    """An MCP server whose every failure is an answer of one line, and that knows whether it is at work."""

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.calls_under_way = 0
        self._is_ending = False

    def refuse_more(self) -> None:
        """Lets no further call begin."""
        self._is_ending = True

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """What the tool answers. Raises nothing but what the protocol has errors for."""
        given = {key: value for key, value in arguments.items() if value is not None}
        if self._is_ending:
            return result_of(failure_of(Busy("the server is about to end; nothing was done")))
        self.calls_under_way += 1
        try:
            unknown = self._unknown(name, given)
            if unknown:
                return result_of(bad_arguments(unknown))
            return await super().call_tool(name, given, context)
        except UnexpectedToolError as error:
            LOG.exception("the tool %r failed", name)
            return result_of(bug(error.__cause__ or error))
        except ToolError as error:
            cause = error.__cause__
            text = _complaints(cause) if isinstance(cause, ValidationError) else str(error)
            return result_of(bad_arguments(text))
        finally:
            self.calls_under_way -= 1

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[Any, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        """A prompt. One that there is not, or that is asked for wrongly, is the error of the protocol."""
        for prompt in await self.list_prompts():
            known = [each.name for each in prompt.arguments or ()]
            unknown = [key for key in arguments or () if prompt.name == name and key not in known]
            if unknown:
                message = short(f"{unknown[0]}: {name} has no such argument; it has {', '.join(known)}")
                raise MCPError(code=INVALID_PARAMS, message=message)
        try:
            return await super().get_prompt(name, arguments, context)
        except ValueError as error:
            raise MCPError(code=INVALID_PARAMS, message=short(str(error))) from error

    async def run_stdio_async(self) -> None:
        """Serves the streams of the process until the client closes its end and has all answers."""
        lines = ClientLines(claimed_input())
        async with (
            stdio_server(stdin=lines) as (read, write),  # type: ignore[arg-type]  # it only iterates
            answering_to_the_end(read, write, within_seconds=ANSWER_SECONDS) as (incoming, outgoing),
        ):
            lines.answer_to(write)
            server = self._lowlevel_server
            await server.run(incoming, outgoing, server.create_initialization_options())

    def _unknown(self, name: str, given: Mapping[str, Any]) -> str | None:
        """What is wrong with a call whose tool or arguments do not exist."""
        schema = self._tool_input_schema(name)
        if schema is None:
            return f"there is no tool {name!r}; there are {', '.join(TOOLS)}"
        known = schema.get("properties", {})
        unknown = [key for key in given if key not in known]
        return f"{unknown[0]}: {name} has no such argument; it has {', '.join(known)}" if unknown else None


def make_server(desk: Desk) -> MemoryServer:
    """The server whose calls are taken at `desk`."""
    server = MemoryServer(
        "gitmem",
        title="gitmem",
        description="Memories that last from one session to the next, versioned in git.",
        instructions=INSTRUCTIONS,
        version=__version__,
        tools=[_tool(desk, name) for name in TOOLS],
        log_level="WARNING",
    )
    add_resources(server, desk)
    add_prompts(server, desk)
    return server


def _tool(desk: Desk, name: str) -> Tool:
    """The tool as the SDK takes it: the parameters of its function, but for the call, and its answer."""
    function, title, annotations = TOOLS[name]
    signature = inspect.signature(function, eval_str=True)
    parameters = list(signature.parameters.values())[1:]

    def run(context: Context[Any, Any], **given: Any) -> CallToolResult:
        return answered(lambda: desk.call(_client(context), _protocol_session(context)), function, given)

    caller = inspect.Parameter(
        "context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Context[Any, Any]
    )
    answer = Annotated[CallToolResult, signature.return_annotation]
    run.__signature__ = inspect.Signature([caller, *parameters], return_annotation=answer)  # type: ignore[attr-defined]
    run.__annotations__ = {"context": Context}
    tool = Tool.from_function(
        run,
        name=name,
        title=title,
        description=inspect.cleandoc(function.__doc__ or ""),
        annotations=annotations,
    )
    tool.parameters = _plain_schema(tool.parameters)
    return tool


def answered(
    take_call: Callable[[], Call], function: Callable[..., BaseModel], given: Mapping[str, Any]
) -> CallToolResult:
    """The answer of `function` to a call; what gitmem or the machine refuses is one too."""
    try:
        return success_of(function(take_call(), **given))
    except GitmemError as error:
        return result_of(failure_of(error))
    except (OSError, MemoryError) as error:
        return result_of(failure_of(wrapped(error)))


def success_of(answer: BaseModel) -> CallToolResult:
    """An answer as it goes to the client: as data, and the same as text."""
    data = sendable(answer.model_dump(mode="json", exclude_defaults=True))
    if size_bytes(data) > MOST_ANSWER_BYTES:
        return result_of(failure_of(OutsideFailure("the answer is too large to be sent; ask for less")))
    return CallToolResult(content=[TextContent(type="text", text=json_of(data))], structured_content=data)


def _client(context: Context[Any, Any]) -> str | None:
    """The name that the client gives itself; it is recorded, and gives no right."""
    params = context.session.client_params
    name = params.client_info.name.strip() if params is not None else ""
    return name[:64] if name.isprintable() and name else None


def _protocol_session(context: Context[Any, Any]) -> str | None:
    """The session of the protocol; over standard input and output, and in newer protocols, there is none."""
    return (context.headers or {}).get("mcp-session-id")


def _complaints(error: ValidationError) -> str:
    """What is wrong with the arguments, in one line that names each."""
    said = []
    for each in error.errors(include_url=False, include_input=False, include_context=False)[:5]:
        path = ".".join(str(part) for part in each["loc"])
        complaint = LIST_WANTED if each["type"] in NO_LIST else each["msg"]
        said.append(f"{path}: {complaint[:1].lower()}{complaint[1:]}")
    return "; ".join(said)


def _plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without the titles that repeat names, where an optional value is of one type, and no more."""
    return {**_without_titles(schema), "additionalProperties": False}


def _without_titles(node: Any) -> Any:
    if isinstance(node, list):
        return [_without_titles(each) for each in node]
    if not isinstance(node, dict):
        return node
    kept = {
        key: {name: _without_titles(each) for name, each in value.items()}
        if key in ("properties", "$defs")
        else _without_titles(value)
        for key, value in node.items()
        if key != "title"
    }
    choices = kept.get("anyOf")
    if isinstance(choices, list) and {"type": "null"} in choices and len(choices) == 2:
        # null is the same as left out.
        other = next(choice for choice in choices if choice != {"type": "null"})
        kept = {**other, **{key: value for key, value in kept.items() if key != "anyOf"}}
        if kept.get("default", ...) is None:
            del kept["default"]
    return kept
