"""Commands in processes of their own that need not load the package each time: forked from one that has.

A command of the suite is a process with its own folder, environment, streams and exit code, as ever; only the
start of the interpreter and the imports are left out, which are most of what a small command costs. What they
do is tested by those tests that start the real command.

`tests.commands` is for tests, `python -S -E tests/forking.py SOCKET [ARGUMENT ...]` for scripts. The latter is
started for each command of a page, so nothing is imported here that takes time: `socket` and `json` would triple it.
"""

from __future__ import annotations

import _socket
import marshal
import os
import sys

_END = b"\n"
_STREAMS = 3
_DESCRIPTOR_BYTES = 4
_SIZE_BYTES = 8


def call(
    path: str, arguments: list[str], folder: str, environment: dict[str, str], streams: list[int]
) -> _socket.socket:
    """Asks the process that listens at `path` to run a command; what it answers comes through the socket."""
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.connect(path)
    asked = marshal.dumps((arguments, folder, environment))
    numbers = b"".join(number.to_bytes(_DESCRIPTOR_BYTES, sys.byteorder) for number in streams)
    size = len(asked).to_bytes(_SIZE_BYTES, "big")
    connection.sendmsg([size], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)])
    connection.sendall(asked)
    return connection


def answer_of(connection: _socket.socket) -> str:
    """One line of the answer; empty where the process died before it could say it."""
    line = bytearray()
    while not line.endswith(_END):
        part = connection.recv(1)
        if not part:
            return ""
        line += part
    return line.decode().strip()


def serve(path: str) -> None:
    """Listens until whoever began it closes its standard input."""
    import select
    import signal
    import socket

    _load()
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(path)
    listening.listen(64)
    # The system buries the children.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    print("ready", flush=True)
    while True:
        ready, _, _ = select.select([listening.fileno(), 0], [], [])
        if 0 in ready:
            return
        connection, _ = listening.accept()
        if os.fork() == 0:
            listening.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _child(connection)
        connection.close()


def _load() -> None:
    import gc
    import importlib
    import pkgutil

    import gitmem

    for module in pkgutil.walk_packages(gitmem.__path__, "gitmem."):
        if ".mcp" not in module.name and ".cli.main" not in module.name:
            importlib.import_module(module.name)
    for name in (
        "git",
        "typer",
        "typer._click.decorators",
        "ruamel.yaml",
        "whoosh.query",
        "whoosh.searching",
    ):
        importlib.import_module(name)
    from gitmem.cli.run import _command

    _command()
    gc.freeze()


def _child(connection: _socket.socket) -> None:
    code = 70
    try:
        connection.sendall(f"{os.getpid()}\n".encode())
        asked = _asked(connection)
        _tell_at_exit(connection)
        code = _run(*asked)
    finally:
        os._exit(code)


def _asked(connection: _socket.socket) -> tuple[list[str], str, dict[str, str], list[int]]:
    """What `call` sent."""
    room = _socket.CMSG_SPACE(_STREAMS * _DESCRIPTOR_BYTES)
    size, ((_, _, numbers),), _, _ = connection.recvmsg(_SIZE_BYTES, room)
    streams = [
        int.from_bytes(numbers[at : at + _DESCRIPTOR_BYTES], sys.byteorder)
        for at in range(0, len(numbers), _DESCRIPTOR_BYTES)
    ]
    asked = bytearray()
    while len(asked) < int.from_bytes(size, "big"):
        asked += connection.recv(1 << 16)
    arguments, folder, environment = marshal.loads(asked)
    return arguments, folder, environment, streams


def _tell_at_exit(connection: _socket.socket) -> None:
    """Lets the exit code be told however the process ends; a process that it forks tells nothing."""
    own, leave = os.getpid(), os._exit

    def tell_and_leave(status: int) -> None:
        if os.getpid() == own:
            connection.sendall(f"{status}\n".encode())
        leave(status)

    os._exit = tell_and_leave  # type: ignore[assignment]


def _run(arguments: list[str], folder: str, environment: dict[str, str], streams: list[int]) -> int:
    import atexit
    import contextlib
    import threading
    import time

    from gitmem.cli.main import main
    from gitmem.git import faults

    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    os.chdir(folder)
    # As at the start of an interpreter whose locale is C.UTF-8.
    sys.stdin = open(0, encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stdout = open(1, "w", encoding="utf-8", errors="surrogateescape", closefd=False)  # noqa: SIM115
    sys.stderr = open(2, "w", 1, encoding="utf-8", errors="backslashreplace", closefd=False)  # noqa: SIM115
    sys.argv = ["gitmem", *arguments]
    faults.arm(environment.get("GITMEM_FAULT", ""))
    try:
        main(arguments)
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    except BaseException:  # noqa: BLE001  what it would be at the end of an interpreter
        import traceback

        traceback.print_exc()
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for output in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError):
            output.flush()
    return code


def main_of_script() -> None:
    """The command of a script: its streams, folder and environment are handed over."""
    path, *arguments = sys.argv[1:]
    connection = call(path, arguments, os.getcwd(), dict(os.environ), [0, 1, 2])  # noqa: PTH109  pathlib is slow to load
    answer_of(connection)
    code = answer_of(connection)
    os._exit(int(code) if code else 137)


if __name__ == "__main__":
    main_of_script()
