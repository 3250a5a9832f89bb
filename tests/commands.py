"""One run of the command by a test: forked where that is as good as the real start, else started."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests import forking

SOURCE = str(Path(__file__).parents[1])
COMMAND = [sys.executable, "-m", "gitmem.cli.main"]
MOST_INPUT_BYTES = 60_000
"""What a pipe takes without a reader."""
_SAME_FOR_ALL = frozenset({"PYTHONPYCACHEPREFIX", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED"})
"""Variables of Python that make no difference to a process that has its modules."""


@dataclass(frozen=True, slots=True)
class Finished:
    """How a command ended, and the bytes that it printed."""

    code: int
    out: bytes
    err: bytes


def run_command(
    arguments: list[str],
    folder: Path,
    environment: dict[str, str],
    *,
    data: bytes,
    timeout: float,
    anew: bool = False,
) -> Finished:
    """Runs the command to its end; `anew` in an interpreter of its own. Raises `subprocess.TimeoutExpired`."""
    path = server()
    environment = {"PYTHONPATH": SOURCE, **environment}
    is_usual = all(
        not name.startswith("PYTHON") or name in _SAME_FOR_ALL or value in (SOURCE, os.environ.get(name))
        for name, value in environment.items()
    )
    if anew or path is None or not is_usual or len(data) > MOST_INPUT_BYTES:
        return _started(arguments, folder, environment, data, timeout)
    return _forked(path, arguments, folder, environment, data, timeout)


@cache
def server() -> str | None:
    """The socket of the process that commands are forked from; None where that cannot be done."""
    if not all(hasattr(os, name) for name in ("fork", "memfd_create")):
        return None
    path = f"{tempfile.mkdtemp(prefix='gm')}/s"
    process = subprocess.Popen(
        [sys.executable, "-c", f"from tests.forking import serve; serve({path!r})"],
        cwd=SOURCE,
        env={"PATH": os.environ.get("PATH", os.defpath), "PYTHONPATH": SOURCE, "HOME": "/nonexistent"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    # It ends when this process does, since its standard input does then.
    _kept.append(process)
    return path if process.stdout.readline() == b"ready\n" else None


_kept: list[subprocess.Popen[bytes]] = []


def script_of_command() -> str:
    """What a file called `gitmem` holds, so that scripts find the command of this source."""
    path = server()
    if path is None:
        return f'#!/bin/sh\nexec "{sys.executable}" -m gitmem.cli.main "$@"\n'
    return f'#!/bin/sh\nexec "{sys.executable}" -S -E "{forking.__file__}" "{path}" "$@"\n'


def _started(
    arguments: list[str], folder: Path, environment: dict[str, str], data: bytes, timeout: float
) -> Finished:
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=folder,
        input=data,
        capture_output=True,
        env=environment,
        timeout=timeout,
        check=False,
    )
    return Finished(done.returncode, done.stdout, done.stderr)


def _forked(
    path: str, arguments: list[str], folder: Path, environment: dict[str, str], data: bytes, timeout: float
) -> Finished:
    reading, writing = os.pipe()
    out, err = os.memfd_create("out"), os.memfd_create("err")
    try:
        os.write(writing, data)
        os.close(writing)
        asked = forking.call(path, arguments, str(folder), environment, [reading, out, err])
        with contextlib.closing(asked) as connection:
            connection.settimeout(timeout)
            process = forking.answer_of(connection)
            try:
                code = forking.answer_of(connection)
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(process), 9)
                raise subprocess.TimeoutExpired([*COMMAND, *arguments], timeout) from None
        return Finished(int(code) if code else -9, _whole(out), _whole(err))
    finally:
        for stream in (reading, out, err):
            os.close(stream)


def _whole(stream: int) -> bytes:
    with open(os.dup(stream), "rb") as file:
        file.seek(0)
        return file.read()
