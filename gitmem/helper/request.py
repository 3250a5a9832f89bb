"""One request as the helper understands it, and whether it may answer it at all."""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from gitmem.helper import wire
from gitmem.surroundings import Surroundings

OF_THE_PROCESS = frozenset(
    """HOME USERPROFILE XDG_CONFIG_HOME XDG_DATA_HOME TZ TZDIR LANG LANGUAGE LOGNAME USER LNAME USERNAME
    TMPDIR TEMP TMP GIT_CONFIG_NOSYSTEM GIT_CONFIG_SYSTEM GIT_CONFIG_GLOBAL GIT_CONFIG""".split()
)
"""Variables that libgit2, the C library or Python read for the whole process: they must be equal in both."""
OF_THE_PROCESS_FROM = ("LC_", "PYTHON", "LD_", "DYLD_")
"""The same for all whose names begin like this."""
Send = Callable[[bytes], None]


class Request(Struct, frozen=True):
    """What a command asks for, with all that it sees around it."""

    key: bytes
    store: str
    umask: int
    terminals: tuple[bool, bool, bool]
    columns: int | None
    encodings: tuple[str, ...]
    folder: Path
    start: str
    input: bytes | None
    arguments: list[str]
    environ: dict[str, str]

    @property
    def is_write(self) -> bool:
        return any(word in wire.WRITES for word in self.arguments[:4])


def parse_request(body: bytes) -> Request:
    """The request in `body`. Raises `ValueError` where it is none."""
    fields = wire.unpacked(body)
    head = dict(zip(wire.FIELDS, fields, strict=False))
    if len(head) < len(wire.FIELDS):
        raise ValueError("fields are missing")
    rest = fields[len(wire.FIELDS) :]
    count = int(head["count"])
    pairs = [os.fsdecode(pair).partition("=") for pair in rest[count:]]
    return Request(
        key=head["key"],
        store=head["store"].decode("ascii"),
        umask=int(head["umask"]),
        terminals=tuple(digit == ord("1") for digit in head["terminals"][:3]),  # type: ignore[arg-type]
        columns=int(head["columns"]) or None,
        encodings=tuple(head["encodings"].decode("ascii").split("\n")),
        folder=Path(os.fsdecode(head["folder"])),
        start=os.fsdecode(head["start"]),
        input=head["input"] if head["has_input"] == b"1" else None,
        arguments=[os.fsdecode(word) for word in rest[:count]],
        environ={name: value for name, _, value in pairs},
    )


def is_like_here(request: Request, own_umask: int, own_encoding: str) -> bool:
    """Whether an answer by this process is the one that the command would give by itself."""
    if request.umask != own_umask or request.encodings[0] != own_encoding:
        return False
    if _of_the_process(request.environ) != _of_the_process(os.environ):
        return False
    theirs, own = request.environ.get("PATH"), os.environ.get("PATH")
    return theirs == own or _git_on(theirs) == _git_on(own)


def _of_the_process(variables: Mapping[str, str]) -> dict[str, str]:
    return {
        name: value
        for name, value in variables.items()
        if name in OF_THE_PROCESS or name.startswith(OF_THE_PROCESS_FROM)
    }


@lru_cache(maxsize=64)
def _git_on(path: str | None) -> str | None:
    return shutil.which("git", path=path)


def surroundings_of(request: Request, sent: Streams, operation_id: str | None) -> Surroundings:
    """What the command sees around it, for the work that is done for it."""
    return Surroundings(
        environ=request.environ,
        folder=request.folder,
        input=sent.input,
        output=sent.output,
        errors=sent.errors,
        columns=request.columns,
        operation_id=operation_id,
    )


class _Channel(io.RawIOBase):
    """A stream whose writes become frames of the answer."""

    def __init__(self, kind: bytes, send: Send, is_terminal: bool) -> None:
        self._kind = kind
        self._send = send
        self._is_terminal = is_terminal

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return self._is_terminal

    def write(self, data: bytes) -> int:  # type: ignore[override]
        piece = bytes(data)
        self._send(wire.frame(self._kind, piece))
        return len(piece)


class _Input(io.BytesIO):
    """Standard input, whole."""

    def __init__(self, data: bytes, is_terminal: bool) -> None:
        super().__init__(data)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


class Streams:
    """The three streams of a command, as it would have them."""

    def __init__(self, request: Request, send: Send) -> None:
        of_input, of_output, of_errors = (pair.split(" ") for pair in request.encodings[1:4])
        at_input, at_output, at_errors = request.terminals
        self.input = io.TextIOWrapper(
            _Input(request.input or b"", at_input), encoding=of_input[0], errors=of_input[1]
        )
        self.output = io.TextIOWrapper(
            io.BufferedWriter(_Channel(wire.OUTPUT, send, at_output)),  # type: ignore[type-var]
            encoding=of_output[0],
            errors=of_output[1],
        )
        self.errors = io.TextIOWrapper(
            io.BufferedWriter(_Channel(wire.ERRORS, send, at_errors)),  # type: ignore[type-var]
            encoding=of_errors[0],
            errors=of_errors[1],
            line_buffering=True,
        )

    def flush(self) -> None:
        self.output.flush()
        self.errors.flush()
