"""Asking the helper, from the command. Whatever is out of the ordinary is left to the command itself.

This is loaded at the start of each `recall`, `remember` and `hook`, so it imports next to nothing: the
functions of `os` in place of paths, no `contextlib`, and the socket module without its classes.
"""

from __future__ import annotations

import os
import sys

from gitmem.helper import wire
from gitmem.helper.locating import common_directory

LONGEST_ADDRESS_BYTES = 100
"""Systems allow 104 or 108 bytes for the path of a socket."""
CONNECT_SECONDS = 0.5
READY_SECONDS = 3.0
READ_SECONDS = 60.0
EVENTS = "hook-agent"
"""The command that coding agents wait for."""
EVENT_SECONDS = 2.0
EVENT_VARIABLE = "GITMEM_HOOK_SECONDS"
HELPER_SHARE = 0.75
"""So much of that time the helper gets; in the rest the command may do it itself."""
_PEER_UID = slice(4, 8)
"""Where the user stands in what `SO_PEERCRED` gives: process, user, group, each an int."""
_INTERRUPTED_EXIT = 130
_UNUSUAL = ("-h", "--help", "--version", "--install-completion", "--show-completion")

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket as Socket  # noqa: N812
    from typing import TextIO


class Asked:
    """What came of asking: the exit code, or None where the command has to do the work itself.

    `operation_id` is set where the helper died in the middle of a write, which may have been done; `failure`
    where the answer could not be printed.
    """

    def __init__(
        self, code: int | None = None, operation_id: str | None = None, failure: OSError | None = None
    ) -> None:
        self.code = code
        self.operation_id = operation_id
        self.failure = failure


def ask(arguments: list[str]) -> Asked:
    """Lets the helper of the store run the command, if there is one; what it printed is printed."""
    verb = verb_of(arguments)
    start = _start(arguments)
    if os.environ.get("GITMEM_SERVE") == "off":
        return Asked()
    if verb is None or start is None or not _is_usual(arguments):
        return Asked()
    common = common_directory(start)
    if common is None:
        return Asked()
    connection = connect(common)
    if connection is None:
        return Asked()
    try:
        return _converse(connection, arguments, start, common, verb)
    finally:
        connection.close()


def event_seconds() -> float:
    """How long a coding agent may be kept waiting: two seconds, or what the environment says."""
    try:
        seconds = float(os.environ.get(EVENT_VARIABLE, EVENT_SECONDS))
    except ValueError:
        return EVENT_SECONDS
    return min(max(seconds, 0.01), 600.0) if seconds == seconds else EVENT_SECONDS


def verb_of(arguments: list[str]) -> str | None:
    """The command among the arguments, if it is one that the helper knows."""
    rest = arguments[2:] if arguments[:1] == ["-C"] else arguments
    rest = rest[1:] if rest[:1] == ["--json"] else rest
    return rest[0] if rest and rest[0] in (*wire.READS, *wire.WRITES) else None


def _is_usual(arguments: list[str]) -> bool:
    """Whether nothing is asked for that rests on this very process: help, completion, files it has opened."""
    if any(word in _UNUSUAL or word.startswith("--batch") for word in arguments):
        return False
    if None in (sys.stdin, sys.stdout, sys.stderr) or not hasattr(os, "environb"):
        return False
    return not any(name in os.environ for name in ("_GITMEM_COMPLETE", "GITMEM_FAULT"))


def _start(arguments: list[str]) -> str | None:
    """Where the store is looked for; None where `-C` does not stand for itself."""
    places = [number for number, word in enumerate(arguments) if word.startswith("-C")]
    if not places:
        return os.environ.get("GITMEM_STORE") or "."
    at = places[0]
    if len(places) > 1 or arguments[at] != "-C" or "--" in arguments[:at] or at + 1 == len(arguments):
        return None
    return arguments[at + 1]


def connect(common: str) -> Socket | None:
    """A connection to the helper; None where there is none, or it is somebody else's."""
    home = common + "/gitmem"
    path = home + "/" + wire.SOCKET
    if not os.path.exists(path):  # noqa: PTH110
        return None
    import _socket

    if not hasattr(_socket, "AF_UNIX"):
        return None
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.settimeout(CONNECT_SECONDS)
        if len(os.fsencode(path)) <= LONGEST_ADDRESS_BYTES:
            connection.connect(path)
        else:
            here = os.open(".", os.O_RDONLY)
            try:
                os.chdir(home)
                connection.connect(wire.SOCKET)
            finally:
                os.fchdir(here)
                os.close(here)
        if hasattr(_socket, "SO_PEERCRED"):
            peer = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
            if int.from_bytes(peer[_PEER_UID], sys.byteorder) != os.geteuid():
                raise PermissionError
    except OSError:
        connection.close()
        return None
    return connection


def _converse(connection: Socket, arguments: list[str], start: str, common: str, verb: str) -> Asked:
    data = None
    is_write, is_event = verb in wire.WRITES, verb == EVENTS
    patience = HELPER_SHARE * event_seconds()
    if is_event or (is_write and "-" in arguments):
        if not (is_event or _reads_input(arguments)):
            return Asked()
        data = _standard_input()
        if data is None or len(data) > wire.MOST_REQUEST_BYTES // 2:
            return Asked()
    try:
        connection.settimeout(patience if is_event else READY_SECONDS)
        connection.sendall(_request(arguments, start, common, data))
        kind, said = _frame(connection)
        if kind != wire.READY:
            return Asked()
        connection.settimeout(None if is_write else patience if is_event else READ_SECONDS)
    except (OSError, EOFError, ValueError):
        return Asked()
    begun = said.decode("ascii") if is_write else None
    try:
        connection.sendall(wire.GO)
        chunks: list[tuple[bytes, bytes]] = []
        while True:
            kind, said = _frame(connection)
            if kind == wire.EXIT:
                return _print(chunks, int(said))
            if kind == wire.DECLINED:
                return Asked()
            if kind == wire.ERRORS and not chunks and sys.stderr.isatty():
                _write(2, said)
            else:
                chunks.append((kind, said))
    except (OSError, EOFError, ValueError):
        return Asked(operation_id=begun)
    except KeyboardInterrupt:
        return Asked(_INTERRUPTED_EXIT)


def _reads_input(arguments: list[str]) -> bool:
    """Whether `-` is surely the text of `remember`, and not the value of an option or one text too many.

    Who reads standard input without need may wait for ever.
    """
    at = arguments.index("remember") + 1
    before_text = True
    while at < len(arguments):
        word = arguments[at]
        if word == "-" and before_text:
            before_text = False
        elif not word.startswith("--") or word == "--":
            return False
        elif word != "--json" and "=" not in word:
            at += 1
        at += 1
    return not before_text


def _standard_input() -> bytes | None:
    """What standard input holds, which the command can read once more; None where a person would type it."""
    if sys.stdin.isatty():
        return None
    data = sys.stdin.buffer.read(wire.MOST_REQUEST_BYTES)
    from gitmem.helper.refill import refill

    refill(data)
    return data


def _request(arguments: list[str], start: str, common: str, data: bytes | None) -> bytes:
    about = os.stat(common)  # noqa: PTH116
    umask = os.umask(0o77)
    os.umask(umask)
    streams: tuple[TextIO, ...] = (sys.stdin, sys.stdout, sys.stderr)
    terminals = [stream.isatty() for stream in streams]
    columns = os.get_terminal_size(sys.stdout.fileno()).columns if terminals[1] else 0
    encodings = [f"{stream.encoding} {stream.errors}" for stream in streams]
    head = [
        wire.program_key(),
        f"{about.st_dev}:{about.st_ino}".encode(),
        str(umask).encode(),
        "".join("1" if each else "0" for each in terminals).encode(),
        str(columns).encode(),
        ("\n".join([sys.getfilesystemencoding(), *encodings])).encode(),
        os.fsencode(os.getcwd()),  # noqa: PTH109
        os.fsencode(start),
        b"0" if data is None else b"1",
        data or b"",
        str(len(arguments)).encode(),
    ]
    variables = [name + b"=" + value for name, value in os.environb.items()]
    return wire.packed([*head, *map(os.fsencode, arguments), *variables])


def _frame(connection: Socket) -> tuple[bytes, bytes]:
    head = wire.read_exactly(connection.recv, 5)
    return head[:1], wire.read_exactly(connection.recv, int.from_bytes(head[1:], "big"))


def _print(chunks: list[tuple[bytes, bytes]], code: int) -> Asked:
    """Prints what the helper printed."""
    for kind, data in chunks:
        try:
            _write(1 if kind == wire.OUTPUT else 2, data)
        except OSError as error:
            if kind != wire.OUTPUT and code:
                continue
            return Asked(code, failure=error)
    return Asked(code)


def _write(descriptor: int, data: bytes) -> None:
    while data:
        data = data[os.write(descriptor, data) :]
