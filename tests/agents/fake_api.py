"""The API that Claude Code talks to, played on loopback: it notes what it is sent, and says what a test wants.

POST /v1/messages                a message, in one piece or as server-sent events, as the request asks
POST /v1/messages/count_tokens   a number
anything else                    404, as the real one answers
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Block = dict[str, Any]
MOST_TRIES = 30
WAIT_SECONDS = 0.5
USAGE = {"input_tokens": 20, "output_tokens": 8}


def text(said: str) -> Block:
    """What the model says."""
    return {"type": "text", "text": said}


def tool_use(name: str, given: dict[str, Any]) -> Block:
    """A tool that the model calls."""
    return {"type": "tool_use", "name": name, "input": given}


def _failure_in(request: dict[str, Any]) -> str | None:
    """What the tool said that was called last, where it failed."""
    content = request["messages"][-1]["content"] if request.get("messages") else None
    for block in content if isinstance(content, list) else ():
        if block.get("type") == "tool_result" and block.get("is_error"):
            return str(block.get("content"))
    return None


class FakeApi:
    """A server while the `with` block runs; `requests` are the bodies that came to /v1/messages, in order.

    To what the agent asks in the name of a person it answers with `answers`, one after the other, of which the
    last is said again and again; to what it asks for itself (requests without tools) with "ok". A tool that
    failed is called again after a while: on a busy machine its server may not be there yet.
    """

    def __init__(self, answers: Sequence[Block]) -> None:
        self.requests: list[dict[str, Any]] = []
        self.unknown: list[str] = []
        self.failures: list[str] = []
        self._answers = list(answers)
        self._said: Block | None = None
        self._guard = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        """What `ANTHROPIC_BASE_URL` is set to."""
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def turns(self) -> list[dict[str, Any]]:
        """The requests of the conversation with the person, which are those that bring tools."""
        return [each for each in self.requests if each.get("tools")]

    def __enter__(self) -> FakeApi:
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The message that answers `request`, which is noted."""
        with self._guard:
            self.requests.append(request)
            number = len(self.requests)
            block = self._next(request) if request.get("tools") else text("ok")
        if block["type"] == "tool_use":
            block = {**block, "id": f"toolu_{number}"}
        return {
            "id": f"msg_{number}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", "claude"),
            "content": [block],
            "stop_reason": "tool_use" if block["type"] == "tool_use" else "end_turn",
            "stop_sequence": None,
            "usage": USAGE,
        }

    def _next(self, request: dict[str, Any]) -> Block:
        failure = _failure_in(request)
        if failure is not None and self._said is not None and len(self.failures) < MOST_TRIES:
            self.failures.append(failure)
            time.sleep(WAIT_SECONDS)
            return self._said
        self._said = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return self._said


def _events(message: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The documented events of a message that is streamed."""
    start = {**message, "content": [], "stop_reason": None}
    yield {"type": "message_start", "message": start}
    for index, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
        else:
            empty = {**block, "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield {"type": "content_block_start", "index": index, "content_block": empty}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ended = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ended, "usage": USAGE}
    yield {"type": "message_stop"}


def _handler_of(api: FakeApi) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            path = self.path.partition("?")[0]
            if path == "/v1/messages/count_tokens":
                self._send(200, "application/json", json.dumps({"input_tokens": 20}))
            elif path != "/v1/messages":
                self._refuse()
            else:
                request = json.loads(body)
                message = api.answer(request)
                if request.get("stream"):
                    lines = [
                        f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in _events(message)
                    ]
                    self._send(200, "text/event-stream", "".join(lines))
                else:
                    self._send(200, "application/json", json.dumps(message))

        def do_GET(self) -> None:
            self._refuse()

        def do_HEAD(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def _refuse(self) -> None:
            api.unknown.append(f"{self.command} {self.path}")
            error = {"type": "not_found_error", "message": "there is no such thing here"}
            self._send(404, "application/json", json.dumps({"type": "error", "error": error}))

        def _send(self, status: int, kind: str, body: str) -> None:
            data = body.encode()
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nothing: what came is noted in the lists."""

    return Handler
