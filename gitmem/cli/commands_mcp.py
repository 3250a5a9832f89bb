"""The command that starts the MCP server: the one place where a door opens another."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gitmem.cli.commands_store import session_of
from gitmem.cli.options import AsJson, Branch, Folder, session_here
from gitmem.errors import OutsideFailure

if TYPE_CHECKING:
    from gitmem.cli.session import Session
    from gitmem.mcp.server import MemoryServer

PORT = 8321


def mcp(
    context: typer.Context,
    http: Annotated[
        bool, typer.Option("--http", help="Serve over HTTP on this machine instead, with a token.")
    ] = False,
    port: Annotated[
        int,
        typer.Option(
            "--port", min=0, max=65535, metavar="N", help="The port for --http; 0 takes a free one."
        ),
    ] = PORT,
    agent: Annotated[
        str | None,
        typer.Option("--agent", metavar="NAME", help="Record this agent; by default the client's own name."),
    ] = None,
    session: Annotated[
        str | None,
        typer.Option(
            "--session",
            metavar="NAME",
            help="Record this session; GITMEM_SESSION if left out, else a new one.",
        ),
    ] = None,
    tools: Annotated[bool, typer.Option("--tools", help="Print the tools that agents get, and end.")] = False,
    as_json: AsJson = False,
    folder: Folder = None,
    branch: Branch = None,
) -> None:
    """Serve this store to agents over MCP, at standard input and output.

    A program for agents starts it; it ends when that closes its input. Who asks is an agent, whoever
    started it: the policy of the store holds, and what needs a person is refused. Needs gitmem-store[mcp].

    Example: gitmem mcp -C ~/notes
    """
    door = session_of(context, as_json, folder, branch)
    from gitmem.mcp.token import token_here

    if find_spec("mcp") is None:
        raise OutsideFailure("the MCP server is not installed", hint="pip install 'gitmem-store[mcp]'")
    door.store().as_agent().close()
    token = token_here() if http else None
    server = _server(door, agent, session, is_shared=http)
    if tools:
        from gitmem.mcp.catalogue import catalogue_shape, catalogue_text

        door.emit(lambda: catalogue_shape(server), lambda: catalogue_text(server))
        return
    from gitmem.mcp.running import serve_http, serve_streams

    if token is not None:
        serve_http(server, port, token, door.talk)
        return
    if sys.stdin.isatty():
        door.talk("waiting for a client at standard input, which is a terminal; Ctrl-C ends it")
    serve_streams(server)


def _server(door: Session, agent: str | None, session: str | None, *, is_shared: bool) -> MemoryServer:
    """The server for the store; where clients share it and no session is named, each has its own."""
    from gitmem.mcp.calls import Desk
    from gitmem.mcp.server import make_server
    from gitmem.store import Store

    Store.share_between_handles()
    named = session or session_here()
    name = named or f"mcp-{secrets.token_hex(4)}"
    desk = Desk(door.start().absolute(), door.branch, agent, name, is_shared=is_shared and not named)
    return make_server(desk)


COMMANDS: dict[str, Callable[..., Any]] = {"mcp": mcp}
