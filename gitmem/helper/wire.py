"""What the command and the helper say to each other. Imported by every command, so it imports nothing.

    request    length, then fields, each with its length before it (4 bytes, big-endian)
    answer     frames: one letter, length, data

Work begins only when the command has seen `READY` and answered `GO`. Before that, a command that waits no
longer may do the work itself.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SOCKET = "helper.sock"
MOST_REQUEST_BYTES = 4 * 1024 * 1024
READS = ("recall", "hook", "hook-agent")
WRITES = ("remember", "note")

READY, GO, DECLINED, OUTPUT, ERRORS, EXIT = b"r", b"g", b"d", b"o", b"e", b"x"
FIELDS = tuple("key store umask terminals columns encodings folder start has_input input count".split())
"""What stands before the arguments, of which there are `count`, and the variables as `NAME=VALUE`."""


def packed(fields: list[bytes]) -> bytes:
    """A request of these fields."""
    body = b"".join([len(field).to_bytes(4, "big") + field for field in fields])
    return len(body).to_bytes(4, "big") + body


def unpacked(body: bytes) -> list[bytes]:
    """The fields of a request without its length. Raises `ValueError`."""
    fields, at = [], 0
    while at < len(body):
        end = at + 4 + int.from_bytes(body[at : at + 4], "big")
        if end > len(body):
            raise ValueError("a field that ends behind the request")
        fields.append(body[at + 4 : end])
        at = end
    return fields


def frame(kind: bytes, data: bytes = b"") -> bytes:
    """One piece of an answer."""
    return kind + len(data).to_bytes(4, "big") + data


def read_exactly(receive: Callable[[int], bytes], count: int) -> bytes:
    """So many bytes. Raises `EOFError` where they do not come."""
    parts = []
    while count:
        part = receive(min(count, 1 << 20))
        if not part:
            raise EOFError
        parts.append(part)
        count -= len(part)
    return b"".join(parts)


def program_key() -> bytes:
    """What must be equal in both: the version of gitmem and where it is, and the Python."""
    import os
    import sys

    import gitmem

    about = os.stat(gitmem.__file__)  # noqa: PTH116
    parts = (gitmem.__version__, gitmem.__file__, about.st_mtime_ns, sys.version, sys.prefix)
    return "\n".join(map(str, parts)).encode("utf-8", "surrogateescape")
