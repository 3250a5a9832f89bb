"""Serving: over the streams of the process, or over HTTP on this machine alone, until told to end.

Over the streams, nothing but JSON-RPC goes to standard output: the SDK keeps it to itself and gives prints,
and whatever children write, standard error; children find an empty standard input.
"""

from __future__ import annotations

import hmac
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable

import anyio
from starlette.types import ASGIApp, Receive, Scope, Send

from gitmem.errors import OutsideFailure
from gitmem.mcp.server import MemoryServer
from gitmem.mcp.token import TOKEN_VARIABLE

LOG = logging.getLogger("gitmem.mcp")
HOST = "127.0.0.1"
PATH = "/mcp"
MOST_BODY_BYTES = 4 * 2**20
PATIENCE_SECONDS = 60.0
"""How long a call that is under way may take when the server is told to end."""
Talk = Callable[[str], None]


def serve_streams(server: MemoryServer) -> None:
    """Serves the client at standard input and output; ends when it closes them, or on SIGTERM or SIGINT.

    What is being written is finished first. Raises `OutsideFailure` where a stream cannot be read or written.
    """
    _quiet_loggers()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: _end_soon(server))
    reason: str | None = None
    try:
        anyio.run(server.run_stdio_async)
    except* (BrokenPipeError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        # The client has gone without waiting for answers: nobody is there to be told.
        LOG.info("the client has gone")
    except* OSError as errors:
        first: BaseException = errors
        while isinstance(first, BaseExceptionGroup):
            first = first.exceptions[0]
        reason = getattr(first, "strerror", None) or str(first)
    if reason is not None:
        raise OutsideFailure(f"standard input or output: {reason}")


def _end_soon(server: MemoryServer) -> None:
    """Ends the process once no call is under way.

    A thread waits for the next line of standard input, and nothing wakes it: the process goes without it.
    """

    def end() -> None:
        server.refuse_more()
        last = time.monotonic() + PATIENCE_SECONDS
        while server.calls_under_way and time.monotonic() < last:
            time.sleep(0.01)
        os._exit(0)

    threading.Thread(target=end, daemon=True).start()


def serve_http(server: MemoryServer, port: int, token: tuple[str, bool], talk: Talk) -> None:
    """Serves at `http://127.0.0.1:PORT/mcp` whoever knows the token; ends on SIGTERM or SIGINT.

    Of `token`, the second says whether it is new, and `talk` has to be told. Port 0 takes a free one. Raises
    `OutsideFailure` where the port is taken.
    """
    import socket

    import uvicorn

    _quiet_loggers()
    secret, is_new = token
    app = TokenGate(
        server.streamable_http_app(
            streamable_http_path=PATH, host=HOST, max_request_body_size=MOST_BODY_BYTES
        ),
        secret,
    )
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as listener:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((HOST, port))
            # A client that comes before the server has started waits, and is not turned away.
            listener.listen()
        except (OSError, OverflowError) as error:
            raise OutsideFailure(f"--port: {HOST}:{port} cannot be listened at: {error}") from error
        talk(f"listening at http://{HOST}:{listener.getsockname()[1]}{PATH}")
        talk(f"the token of this run is {secret}" if is_new else f"the token is that of {TOKEN_VARIABLE}")
        for number in (signal.SIGTERM, signal.SIGINT):
            # The HTTP server ends itself, then raises the signal once more for whom it was there before.
            signal.signal(number, lambda *_: None)
        config = uvicorn.Config(app, log_config=None, access_log=False, timeout_graceful_shutdown=5)
        uvicorn.Server(config).run(sockets=[listener])


class TokenGate:
    """Lets requests through that bring the token; all others get 401, and nothing of them is read."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or (scope["type"] == "http" and self._is_known(scope)):
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain; charset=utf-8")]
        await send({"type": "http.response.start", "status": 401, "headers": headers})
        await send({"type": "http.response.body", "body": b"the token is missing or wrong\n"})

    def _is_known(self, scope: Scope) -> bool:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(given) == 1 and hmac.compare_digest(given[0], self._wanted)


def _quiet_loggers() -> None:
    """Lets libraries say on standard error what is wrong, a line each, and nothing else."""
    logging.basicConfig(level=logging.WARNING, format="gitmem: %(name)s: %(message)s", force=True)
    for name in ("mcp", "uvicorn", "uvicorn.error", "anyio"):
        logging.getLogger(name).setLevel(logging.WARNING)
