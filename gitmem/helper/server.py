"""The resident side: one process for one store, a thread for each request, gone when nobody asks any more."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from gitmem.clock import SystemClock
from gitmem.errors import Busy, UnsupportedRepository
from gitmem.flows.reading.kept import drop_shared, share_between_handles
from gitmem.flows.running.helping import GUARD
from gitmem.flows.writing.apply import new_operation_id
from gitmem.helper import wire
from gitmem.helper.client import connect
from gitmem.helper.request import Request, Streams, is_like_here, parse_request, surroundings_of
from gitmem.platform import (
    HAS_LOCAL_SOCKETS,
    FileLock,
    is_same_user,
    listen_at,
    make_private_directory,
    resident_bytes,
)
from gitmem.surroundings import route_streams, surrounded

MOST_AT_ONCE = 64
TICK_SECONDS = 1.0
CLEANING_SECONDS = 5.0
PATIENCE_SECONDS = 10.0
"""How long a command may take to say what it wants."""
STOP_SECONDS = 30.0
Run = Callable[[list[str]], int]


class Declined(Exception):
    """The command has to do this itself; nothing was changed."""


class Helper:
    """Answers the commands of one store, until it is idle for `idle_seconds` (0: for ever) or has to go.

    `run` carries a command out and gives its exit code; where it raises `Declined`, the command does so.
    `answered` counts those, `declined` those that were left to the command.
    It goes when the store is not there any more, when a command of another version asks, when it is told to
    (SIGTERM), and when it holds more than `max_memory_bytes` after it gave back what it can.
    """

    def __init__(self, common_dir: Path, run: Run, *, idle_seconds: float, max_memory_bytes: int) -> None:
        self._common_dir = common_dir
        self._home = common_dir / "gitmem"
        self._run = run
        self._idle_seconds = idle_seconds
        self._max_memory_bytes = max_memory_bytes
        self._store = _identity(common_dir)
        self._socket = ""
        self._key = wire.program_key()
        self._umask = os.umask(0o77)
        os.umask(self._umask)
        self._slots = threading.BoundedSemaphore(MOST_AT_ONCE)
        self._lock = threading.Lock()
        self._busy = 0
        self._cleaned_at = 0.0
        self.answered = 0
        self.declined = 0
        self._asked_at = time.monotonic()
        self.reason = ""

    def serve(self, ready: Callable[[], None]) -> None:
        """Answers until it is time to go; calls `ready` once it listens. Raises `Busy` where another does."""
        if not HAS_LOCAL_SOCKETS:
            raise UnsupportedRepository("this system has no sockets that a helper could listen at")
        make_private_directory(self._home)
        with FileLock(self._home / GUARD, timeout_seconds=0) as guard:
            if not guard.acquired:
                raise Busy(f"a helper runs already for {self._common_dir}", hint="one is enough for a store")
            listener = listen_at(self._home, wire.SOCKET)
            mine = self._socket = _identity(self._home / wire.SOCKET)
            try:
                self._prepare()
                ready()
                self._loop(listener)
            finally:
                if _identity(self._home / wire.SOCKET) == mine:
                    with contextlib.suppress(OSError):
                        (self._home / wire.SOCKET).unlink()
                listener.close()
                self._wait_for_threads()

    def end(self, reason: str) -> None:
        """Asks it to go: what is being answered is finished first. `reason` is kept, the first one counts."""
        self.reason = self.reason or reason

    def _prepare(self) -> None:
        # The folder of whoever started it may go, and no request rests on it.
        os.chdir(self._common_dir)
        share_between_handles()
        route_streams()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self.end("it was told to"))
        # What was loaded by now stays: it need not be looked through for garbage again and again. And no
        # answer waits for the garbage of others.
        gc.collect()
        gc.freeze()
        gc.disable()

    def _loop(self, listener: socket.socket) -> None:
        listener.settimeout(TICK_SECONDS)
        while not self._is_time_to_go():
            if time.monotonic() - self._cleaned_at > CLEANING_SECONDS and self._cleaned_at < self._asked_at:
                gc.collect()
                self._cleaned_at = time.monotonic()
            try:
                connection, _ = listener.accept()
            except TimeoutError:
                continue
            self._slots.acquire()
            with self._lock:
                self._busy += 1
            threading.Thread(target=self._answer_in_thread, args=(connection,), daemon=True).start()

    def _is_time_to_go(self) -> bool:
        if _identity(self._common_dir) != self._store:
            self.end("the store is not there any more")
        elif _identity(self._home / wire.SOCKET) != self._socket:
            self.end("its socket was taken away")
        elif not self._busy and self._is_idle():
            self.end("nobody asked")
        elif not self._busy and self._is_too_large():
            self.end("it held too much memory")
        return bool(self.reason)

    def _is_idle(self) -> bool:
        return bool(self._idle_seconds) and time.monotonic() - self._asked_at > self._idle_seconds

    def _is_too_large(self) -> bool:
        if resident_bytes() <= self._max_memory_bytes:
            return False
        drop_shared()
        gc.collect()
        return resident_bytes() > self._max_memory_bytes

    def _wait_for_threads(self) -> None:
        while self._busy:
            time.sleep(0.01)

    def _answer_in_thread(self, connection: socket.socket) -> None:
        try:
            with connection, contextlib.suppress(OSError, EOFError, ValueError, LookupError):
                connection.settimeout(PATIENCE_SECONDS)
                if is_same_user(connection):
                    self._answer(connection)
        finally:
            with self._lock:
                self._busy -= 1
                self._asked_at = time.monotonic()
            self._slots.release()

    def _answer(self, connection: socket.socket) -> None:
        size = int.from_bytes(wire.read_exactly(connection.recv, 4), "big")
        if size > wire.MOST_REQUEST_BYTES:
            raise ValueError("too large")
        request = parse_request(wire.read_exactly(connection.recv, size))
        if not self._may_answer(request):
            self._count(declined=1)
            connection.sendall(wire.frame(wire.DECLINED))
            return
        operation_id = new_operation_id(SystemClock()) if request.is_write else None
        connection.sendall(wire.frame(wire.READY, (operation_id or "").encode()))
        if wire.read_exactly(connection.recv, 1) != wire.GO:
            return
        connection.settimeout(None)
        streams = Streams(request, _while_listening(connection))
        try:
            with surrounded(surroundings_of(request, streams, operation_id)):
                code = self._run(request.arguments)
                streams.flush()
        except Declined:
            self._count(declined=1)
            connection.sendall(wire.frame(wire.DECLINED))
            return
        self._count(answered=1)
        connection.sendall(wire.frame(wire.EXIT, str(code).encode()))

    def _count(self, *, answered: int = 0, declined: int = 0) -> None:
        with self._lock:
            self.answered += answered
            self.declined += declined

    def _may_answer(self, request: Request) -> bool:
        if request.key != self._key or wire.program_key() != self._key:
            self.end("another version of gitmem asked")
            return False
        if request.store != self._store or _identity(self._common_dir) != self._store:
            return False
        return is_like_here(request, self._umask, sys.getfilesystemencoding())


def stop_helper(common_dir: Path) -> bool:
    """Ends the helper of a store, once it has answered what it was asked; whether one ran. Raises `Busy`."""
    connection = connect(str(common_dir))
    if connection is None:
        return False
    with contextlib.suppress(OSError, EOFError):
        # A program that is none ends it, as that of another version would.
        connection.sendall(wire.packed([b"stop", *[b"0"] * (len(wire.FIELDS) - 1)]))
        wire.read_exactly(connection.recv, 5)
    connection.close()
    with FileLock(common_dir / "gitmem" / GUARD, timeout_seconds=STOP_SECONDS) as guard:
        if not guard.acquired:
            raise Busy("the helper still answers a command", hint="try again, or end its process")
    return True


def _while_listening(connection: socket.socket) -> Callable[[bytes], None]:
    """Sends what the command prints; where it has gone, the work goes on without it."""

    def send(data: bytes) -> None:
        with contextlib.suppress(OSError):
            connection.sendall(data)

    return send


def _identity(path: Path) -> str:
    """What tells a file or folder from another one at the same path; empty where there is none."""
    try:
        found = path.lstat() if path.name == wire.SOCKET else path.stat()
    except OSError:
        return ""
    return f"{found.st_dev}:{found.st_ino}"
