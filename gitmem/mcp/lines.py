"""Standard input, line by line: what is no message of the protocol is answered, not passed over.

The SDK drops a line that it cannot read, and its client waits for ever for the answer. It replaces bytes that
are no UTF-8, and a text would be kept that nobody wrote.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, BinaryIO

import anyio
from mcp.shared.message import SessionMessage
from mcp.types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from mcp_types import jsonrpc_message_adapter
from pydantic import ValidationError

BYTE_ORDER_MARK = "\ufeff"
NOT_UTF8 = "the message is not UTF-8; nothing was done"
NOT_JSON = "the line is not JSON; nothing was done"
HALF = "the message holds half a character (\\ud800 to \\udfff without the other half); nothing was done"
BATCH = "messages do not come in lists; send each in a line of its own; nothing was done"
NO_ID = "id must be text or a whole number; nothing was done"
NO_MESSAGE = "this is no message of JSON-RPC 2.0; nothing was done"


class ClientLines:
    """The lines of a client that are messages; the others get their answer as soon as it can be sent."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = anyio.wrap_file(file)
        self._answers: Any = None
        self._is_open = anyio.Event()

    def answer_to(self, answers: Any) -> None:
        """Sends the answers to `answers`, the stream of messages to the client."""
        self._answers = answers
        self._is_open.set()

    def __aiter__(self) -> ClientLines:
        return self

    async def __anext__(self) -> str:
        while raw := await self._file.readline():
            line, refusals = judged(raw)
            for refusal in refusals:
                await self._is_open.wait()
                await self._answers.send(SessionMessage(refusal))
            if line:
                return line
        raise StopAsyncIteration


def judged(raw: bytes) -> tuple[str, list[JSONRPCError]]:
    """A line as the text of its message, empty where it is none, and what has to be answered then."""
    try:
        line, complaint = raw.decode("utf-8"), None
    except UnicodeDecodeError:
        line, complaint = raw.decode("utf-8", "replace"), NOT_UTF8
    line = line.removeprefix(BYTE_ORDER_MARK)
    if not line.strip():
        return "", []
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return "", [_refusal(None, PARSE_ERROR, complaint or NOT_JSON)]
    complaint = complaint or _complaint(line, value)
    if complaint is None:
        return line, []
    asked = value if isinstance(value, list) and value else [value]
    return "", [_refusal(_id_of(each), INVALID_REQUEST, complaint) for each in asked]


def _complaint(line: str, value: Any) -> str | None:
    """Why `value` is no message; None if it is one."""
    if isinstance(value, list):
        return BATCH
    if isinstance(value, dict) and "id" in value and "method" in value and _id_of(value) is None:
        return NO_ID
    try:
        jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return HALF if _holds_half(value) else NO_MESSAGE
    return None


def _id_of(value: Any) -> int | str | None:
    found = value.get("id") if isinstance(value, dict) else None
    is_id = isinstance(found, int | str) and not isinstance(found, bool) and not _holds_half(found)
    return found if is_id else None


def _holds_half(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False


def _refusal(request: int | str | None, code: int, message: str) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=code, message=message))


def claimed_input() -> BinaryIO:
    """Standard input for the protocol alone: what children find there from now on is empty."""
    file = os.fdopen(os.dup(0), "rb", closefd=False)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    if sys.platform == "win32":
        from mcp.os.win32.utilities import rebind_std_handle_to_fd

        rebind_std_handle_to_fd(0)
    return file
