"""The server as a process: over its streams, over HTTP, and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from gitmem.store import Store
from tests.commands import COMMAND
from tests.conftest import assert_sound, gitmem
from tests.mcp.conftest import PROTOCOLS

SOURCE = str(Path(__file__).parents[2])
TOKEN = "a-token-that-is-long-enough"


def started(folder: Path, *options: str, **settings: Any) -> subprocess.Popen[bytes]:
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    env = {**os.environ, "PYTHONPATH": SOURCE, **settings.pop("env", {})}
    return subprocess.Popen([*COMMAND, "mcp", *options], cwd=folder, env=env, **{**pipes, **settings})


def message(number: int | None, method: str, **params: Any) -> bytes:
    shape = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(shape if number is None else {**shape, "id": number}).encode() + b"\n"


def call(number: int, tool: str, **arguments: Any) -> bytes:
    return message(number, "tools/call", name=tool, arguments=arguments)


HELLO = message(
    1, "initialize", protocolVersion="2024-11-05", capabilities={}, clientInfo={"name": "t", "version": "0"}
) + message(None, "notifications/initialized")


def test_standard_output_holds_nothing_but_the_protocol(store: Store, folder: Path) -> None:
    """Whatever hooks, children, traces and warnings say; broken lines and failing tools do not end the server.

    A client that closes its end at once has all answers before the server goes.
    """
    for hook in ("pre-commit", "commit-msg", "reference-transaction", "post-commit"):
        file = folder / ".git/hooks" / hook
        file.write_text("#!/bin/sh\necho HOOK SAYS HELLO; cat > /dev/null; exit 0\n")
        file.chmod(0o755)
    asked = [
        HELLO,
        b"this is no JSON\n",
        b"\n",
        call(2, "remember", text="via mcp", title=None, tags=None),
        call(3, "recall", query="mcp"),
        call(4, "show", id="nosuch"),
        message(5, "no/such/method"),
        call(6, "log"),
    ]
    noisy = {"GIT_TRACE": "1", "PYTHONWARNINGS": "always"}
    process = started(folder, env=noisy)
    out, err = process.communicate(b"".join(asked), timeout=120)
    answers = [json.loads(line) for line in out.decode().splitlines()]
    assert process.returncode == 0, err
    assert all(answer["jsonrpc"] == "2.0" for answer in answers) and b"HELLO" not in out
    by_id = {answer["id"]: answer for answer in answers if answer.get("id") is not None}
    assert set(by_id) == {1, 2, 3, 4, 5, 6}
    assert by_id[2]["result"]["structuredContent"]["title"] == "via mcp"
    assert by_id[4]["result"]["isError"] is True and "error" in by_id[5]
    assert [record.title for record in store.list().records] == ["via mcp"]


def test_a_line_that_is_no_message_is_answered(store: Store, folder: Path) -> None:
    """By its id where it has one, so that nobody waits for ever; and no text is kept that nobody wrote."""
    asked = [
        HELLO,
        b"this is no JSON\n\n",
        b"\xef\xbb\xbf" + message(2, "ping"),
        call(3, "remember", text="XXX").replace(b"XXX", b"half of an emoji: \\ud83d"),
        call(4, "remember", text="XXX").replace(b"XXX", "café".encode("latin-1")),
        b"[" + message(5, "ping").strip() + b"," + message(6, "ping").strip() + b"]\n",
        message(7, "ping").replace(b'"ping"', b"7"),
        message(8, "ping").replace(b'"id": 8', b'"id": 8.5'),
        call(9, "recall", query="XXX").replace(b'"XXX"', b"[" * 50_000 + b"]" * 50_000),
        message(10, "prompts/get", name="nosuch"),
        call(11, "remember", text="XXX").replace(b"XXX", b"a whole one: \\ud83d\\ude00").strip(),
    ]
    process = started(folder)
    out, err = process.communicate(b"".join(asked), timeout=120)
    answers = [json.loads(line) for line in out.decode().splitlines()]
    assert process.returncode == 0 and b"Traceback" not in err, err
    codes = [(each["id"], each["error"]["code"]) for each in answers if "error" in each]
    wrong, unreadable, unwanted = -32600, -32700, -32602
    expected = [(number, wrong) for number in (3, 4, 5, 6, 7)] + [(10, unwanted)]
    assert sorted(each for each in codes if each[0] is not None) == expected
    assert [code for number, code in codes if number is None] == [unreadable, wrong, unreadable]
    assert {each["id"] for each in answers if "result" in each} == {1, 2, 11}
    assert [record.title for record in store.list().records] == ["a whole one: \U0001f600"]


def test_a_client_that_starts_the_server(store: Store, folder: Path) -> None:
    """Found from a folder inside the store; a write in one call is there in the next, also for others."""
    (folder / "sub").mkdir()
    parameters = StdioServerParameters(
        command=COMMAND[0],
        args=[*COMMAND[1:], "mcp", "--session", "s9", "--agent", "planner"],
        env={**os.environ, "PYTHONPATH": SOURCE},
        cwd=folder / "sub",
    )

    async def story() -> None:
        async with Client(parameters) as client:
            version = await client.call_tool("remember", {"text": "Alice wants reports by e-mail"})
            assert isinstance(version.structured_content, dict)
            found = await client.call_tool("recall", {"query": "reports"})
            assert found.structured_content is not None and found.structured_content["total"] == 1
            entry = store.log(limit=1).entries[0]
            assert (entry.commit, entry.agent, entry.session) == (
                version.structured_content["version"],
                "planner",
                "s9",
            )

    anyio.run(story)
    assert_sound(folder)


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM to be caught")
def test_sigterm_ends_it_once_what_is_written_is_written(store: Store, folder: Path) -> None:
    """It answers nothing more; exit code 0, no lock is left, and what was begun is whole."""
    process = started(folder)
    assert process.stdin is not None and process.stdout is not None
    process.stdin.write(HELLO)
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["id"] == 1
    process.stdin.write(b"".join(call(number, "remember", text=f"Note {number}") for number in range(2, 12)))
    process.stdin.flush()
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=120) == 0
    process.stdin.close()
    process.stdout.close()
    assert 1 <= store.list().total <= 10
    assert not list((folder / ".git").glob("**/*.lock"))
    assert_sound(folder)


def test_a_client_that_is_gone_ends_it(store: Store, folder: Path) -> None:
    """Nobody reads any more: no traceback, and no process that stays."""
    process = started(folder)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdin.write(HELLO)
    process.stdin.flush()
    process.stdout.readline()
    process.stdout.close()
    process.stdin.write(b"".join(call(number, "recall") for number in range(2, 9)))
    process.stdin.close()
    assert process.wait(timeout=120) in (0, 141)
    assert b"Traceback" not in process.stderr.read()
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full")
@pytest.mark.parametrize("streams", ["<&-", ">&-", ">/dev/full"])
def test_a_stream_that_is_closed_or_full_is_one_line(store: Store, folder: Path, streams: str) -> None:
    """No bug, and no traceback."""
    (folder / "asked").write_bytes(HELLO)
    command = f'exec "$@" {"<asked" if "<" not in streams else ""} {streams}'
    process = subprocess.run(
        ["sh", "-c", command, "sh", *COMMAND, "mcp"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": SOURCE},
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    said = process.stderr.decode()
    assert process.returncode == 8 and said.count("\n") == 1, said
    assert said.startswith("gitmem: standard input or output: ")


@pytest.fixture
def served(store: Store, folder: Path) -> Iterator[str]:
    """The address of a server over HTTP."""
    process = started(
        folder, "--http", "--port", "0", env={"GITMEM_MCP_TOKEN": TOKEN}, stdin=subprocess.DEVNULL
    )
    assert process.stderr is not None and process.stdout is not None
    line = process.stderr.readline().decode()
    assert line.startswith("gitmem: listening at http://127.0.0.1:") and line.endswith("/mcp\n"), line
    assert "is that of GITMEM_MCP_TOKEN" in process.stderr.readline().decode()
    yield line.split()[-1]
    process.terminate()
    assert process.wait(timeout=120) == (0 if sys.platform != "win32" else 1)
    assert process.stdout.read() == b""
    assert b"Traceback" not in process.stderr.read()
    process.stdout.close()
    process.stderr.close()


def test_over_http(served: str, store: Store) -> None:
    """With the token in both protocols; without it, from another host or page, or too large, nothing is read."""

    async def ask(mode: str) -> None:
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {TOKEN}"}, timeout=120)
        async with http, Client(streamable_http_client(served, http_client=http), mode=mode) as client:
            answer = await client.call_tool("remember", {"text": f"By {mode}"})
            assert not answer.is_error

    for mode in PROTOCOLS:
        anyio.run(ask, mode)
    assert {record.title for record in store.list().records} == {"By legacy", "By auto"}
    body = call(2, "remember", text="intruder")
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    token = {"Authorization": f"Bearer {TOKEN}"}
    for wrong in ({}, {"Authorization": "Bearer wrong"}, {"Authorization": TOKEN}):
        answer = httpx2.post(served, timeout=120, content=body, headers=headers | wrong)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    assert (
        httpx2.post(
            served, timeout=120, content=body, headers=headers | token | {"Host": "evil.example"}
        ).status_code
        == 421
    )
    page = {"Origin": "https://evil.example"}
    assert httpx2.post(served, timeout=120, content=body, headers=headers | token | page).status_code == 403
    large = call(2, "remember", text="x" * 5_000_000)
    assert httpx2.post(served, timeout=120, content=large, headers=headers | token).status_code == 413
    assert store.list().total == 2


def test_over_http_a_client_ends_its_own_session_and_no_other(served: str, store: Store) -> None:
    async def ask() -> list[str]:
        said = []
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=120) as one_http,
            httpx2.AsyncClient(headers=headers, timeout=120) as other_http,
            Client(streamable_http_client(served, http_client=one_http), mode="legacy") as one,
            Client(streamable_http_client(served, http_client=other_http), mode="legacy") as other,
        ):
            for client, tool, given in (
                (one, "remember", {"text": "Step one is done", "type": "working"}),
                (other, "remember", {"text": "The other client has a note", "type": "working"}),
                (one, "session_end", {"then": "promote"}),
                (other, "remember", {"text": "It goes on taking notes", "type": "working"}),
                (other, "session_end", {"then": "archive"}),
            ):
                answer = await client.call_tool(tool, given)
                assert not answer.is_error, answer.content
                said.append(answer.structured_content["session"] if tool == "session_end" else "")
        return [name for name in said if name]

    first, second = anyio.run(ask)
    assert first != second
    assert [record.title for record in store.list().records] == ["Step one is done"]


def test_what_keeps_it_from_starting(store: Store, folder: Path, tmp_path: Path) -> None:
    """One line on standard error, and nothing on standard output."""
    for arguments, env, code, said in [
        (["-C", str(tmp_path)], {}, 7, "gitmem"),
        (["--http"], {"GITMEM_MCP_TOKEN": "short"}, 2, "GITMEM_MCP_TOKEN: a token has at least 16"),
        (["--port", "70000"], {}, 2, "--port"),
    ]:
        ran = gitmem(folder, "mcp", *arguments, env=env)
        assert (ran.code, ran.out) == (code, ""), ran.err
        assert said in ran.err and ran.err.count("\n") == 1


def test_without_the_extra_it_says_what_to_install(store: Store, folder: Path, tmp_path: Path) -> None:
    """One line; everything else works."""
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u, sys\n"
        "find = u.find_spec\n"
        "u.find_spec = lambda name, package=None: None if name == 'mcp' else find(name, package)\n"
    )
    env = {"PYTHONPATH": os.pathsep.join([str(tmp_path), SOURCE])}
    ran = gitmem(folder, "mcp", env=env)
    assert (ran.code, ran.out) == (8, "")
    assert ran.err == "gitmem: the MCP server is not installed; pip install 'gitmem-store[mcp]'\n"
