"""How long the recalls of this clone took, beside the uses in its log; see `usage_log.py`.

What stands in older logs is added to `durations` before they go, the newest few thousand. Its head names the
logs that were added, so that nothing counts twice.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from errno import EACCES
from pathlib import Path

from gitmem.git.beneath import read_regular, replace_regular
from gitmem.model.usage import Took, durations_in

MOST_DURATIONS = 2_000
MOST_HEAD_BYTES = 4096
_FILE = "durations"


def durations_of(folder: Path) -> list[Took]:
    """How long recalls took, the oldest first, of the newest few thousand.

    Raises `OSError` where that cannot be read, as in the folder of another user.
    """
    try:
        folder.stat()
    except FileNotFoundError:
        return []
    if not os.access(folder, os.R_OK | os.X_OK):
        raise PermissionError(EACCES, os.strerror(EACCES), str(folder))
    kept = _read(folder / _FILE)
    logs = [*_not_added(folder.glob("log-*"), kept), folder / "log"]
    return sorted(_durations([kept, *map(_read, logs)]), key=lambda took: took.moment)[-MOST_DURATIONS:]


def keep_durations(folder: Path, older: Sequence[Path]) -> None:
    """Adds what the `older` logs say, each once, however often it is asked. Raises `OSError`."""
    kept = _read(folder / _FILE)
    fresh = _not_added(older, kept)
    if fresh:
        head = "".join(f"# counted {log.name}\n" for log in older)
        found = _durations([kept, *map(_read, fresh)])[-MOST_DURATIONS:]
        replace_regular(folder / _FILE, (head + "".join(took.line() for took in found)).encode("ascii"))


def is_counted(log: Path, record: bytes) -> bool:
    """Whether the head of the record says that the log was added to it."""
    return f"# counted {log.name}\n".encode() in record[:MOST_HEAD_BYTES]


def _not_added(logs: Iterable[Path], kept: bytes) -> list[Path]:
    """Those of `logs` that are not in `kept` yet."""
    return sorted(log for log in logs if not is_counted(log, kept))


def _durations(texts: Sequence[bytes]) -> list[Took]:
    return [took for text in texts for took in durations_in(text.decode("utf-8", "replace"))]


def _read(file: Path) -> bytes:
    return read_regular(file) or b""
