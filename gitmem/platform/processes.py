"""Processes: whether they live, where they stand, how they are started and ended; and this machine."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform as _platform
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

CAN_END_ON_TIME = sys.platform != "win32"
"""Whether a program that takes too long can be ended with all that it started."""

_detached: list[int] = []
_MOST_ABOVE = 32


def process_start_time(pid: int) -> str | None:
    """A text that tells this process from any other that had or will have the same number, or None."""
    proc = Path(f"/proc/{pid}/stat")
    if proc.exists():
        with contextlib.suppress(OSError, IndexError):
            # The command name stands in parentheses and may hold spaces and parentheses itself.
            fields = proc.read_bytes().rpartition(b")")[2].split()
            return f"{boot_id()}:{fields[19].decode('ascii')}"
    if sys.platform == "win32" or Path("/proc/self/stat").exists():
        return None
    with contextlib.suppress(OSError, subprocess.SubprocessError):
        answer = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=5,
            check=False,
            env={**os.environ, "LC_ALL": "C", "TZ": "UTC"},
        )
        return " ".join(answer.stdout.decode("ascii", "replace").split()) or None
    return None


def is_process_alive(pid: int, start_time: str | None) -> bool:
    """Whether the process `pid` that began at `start_time` still runs. Unknown counts as alive."""
    if sys.platform == "win32":
        return True
    if start_time is not None and _is_zombie(pid):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError, ValueError):
        pass
    now = process_start_time(pid)
    return now is None or start_time is None or now == start_time


def _is_zombie(pid: int) -> bool:
    """Whether the process has ended and only waits to be collected: it can do nothing any more."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return False
    return bool(fields) and fields[0] in (b"Z", b"X")


class Process(Struct, frozen=True):
    """One running process; `is_idle` while it waits for something, be it a person, a child or the network."""

    pid: int
    parent: int
    command_line: bytes
    age_seconds: float
    is_idle: bool


def processes_inside(name: bytes, inside: Path) -> list[Process] | None:
    """Each process called `name` that stands in `inside`. None where the system does not tell.

    A process whose folder may not be looked at counts as standing there. One that has ended and only waits
    to be collected does not count.
    """
    try:
        numbers = [number for number in os.listdir("/proc") if number.isdigit()]  # noqa: PTH208
        uptime_seconds = float(_read_small("/proc/uptime").split()[0])
        ticks = os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError, AttributeError):
        return None
    top = os.fsencode(inside.resolve())
    found = []
    for number in numbers:
        try:
            # The folder first: it rules out nearly all, and takes a third of what the name does.
            if not _stands_in(number, top) or _read_small(f"/proc/{number}/comm").rstrip(b"\n") != name:
                continue
            fields = _read_small(f"/proc/{number}/stat").rpartition(b")")[2].split()
            if fields[0] in (b"Z", b"X"):
                continue
            line = _read_small(f"/proc/{number}/cmdline")
            age_seconds = uptime_seconds - int(fields[19]) / ticks
            is_idle = fields[0] not in (b"R", b"D")
            found.append(Process(int(number), int(fields[1]), line, age_seconds, is_idle))
        except (OSError, ValueError, IndexError):
            continue
    return found


def command_lines_above() -> Iterator[bytes]:
    """The command lines of the processes that called this one, the nearest first; none where unknown."""
    pid = os.getppid()
    with contextlib.suppress(OSError, IndexError, ValueError):
        for _ in range(_MOST_ABOVE):
            if pid <= 1:
                return
            yield _read_small(f"/proc/{pid}/cmdline")
            pid = int(_read_small(f"/proc/{pid}/stat").rpartition(b")")[2].split()[1])


def _stands_in(number: str, top: bytes) -> bool:
    try:
        where = os.readlink(f"/proc/{number}/cwd".encode())  # noqa: PTH115
    except PermissionError:
        return True
    return where == top or where.startswith(top + b"/")


def _read_small(path: str) -> bytes:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 4096)
    finally:
        os.close(descriptor)


def host_id() -> str:
    """A text that is equal in two processes only when their process numbers can be compared.

    Made of the machine, its name and the process namespace, so that two containers which share a
    folder do not take each other's processes for their own.
    """
    parts = [socket.gethostname(), _platform.system()]
    for place in ("/etc/machine-id", "/var/lib/dbus/machine-id"):
        with contextlib.suppress(OSError):
            parts.append(Path(place).read_text(encoding="ascii").strip())
            break
    with contextlib.suppress(OSError, AttributeError):
        parts.append(str(Path("/proc/self/ns/pid").readlink()))
    return f"{parts[0]}-{hashlib.sha256(chr(0).join(parts).encode()).hexdigest()[:12]}"


def boot_id() -> str:
    """A text that is another one after each start of the machine; empty where the system does not tell."""
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()[:8]
    return ""


def spawn_detached(argv: Sequence[str], *, cwd: Path, env: Mapping[str, str]) -> None:
    """Start a process that outlives this one and shares neither its terminal nor its streams.

    A process that goes on for long collects here those that it started before and that have ended.
    """
    _collect_ended()
    if sys.platform == "win32":
        process = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            creationflags=subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP,
        )
    else:
        process = subprocess.Popen(
            list(argv),
            cwd=cwd,
            env=dict(env),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    # It is meant to go on by itself: without this, Python warns that nobody waited for it.
    process.returncode = 0
    _detached.append(process.pid)


def _collect_ended() -> None:
    """Lets the system forget the detached processes that have ended; no other child is waited for."""
    for pid in list(_detached) if sys.platform != "win32" else ():
        try:
            is_ended = os.waitpid(pid, os.WNOHANG)[0] != 0
        except OSError:
            is_ended = True
        if is_ended:
            with contextlib.suppress(ValueError):
                _detached.remove(pid)


def at_low_priority(argv: Sequence[str]) -> list[str]:
    """The command line under which `argv` gets what time others leave, where the system has that."""
    nice = shutil.which("nice")
    return [nice, "-n", "10", *argv] if nice and sys.platform != "win32" else list(argv)


def end_group(process: subprocess.Popen[bytes], *, grace_seconds: float) -> None:
    """End a process that was started in a session of its own, with all it started.

    It gets some time to take its locks away.
    """
    if sys.platform != "win32":
        import signal

        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=grace_seconds)
    # What it started may have outlived it.
    _kill_group(process)


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started in a session of its own, with all it started."""
    if sys.platform == "win32":
        process.kill()
        return
    import signal

    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
