"""The uses of memories in this clone, in files below the git directory; never in the way of a read.

    log             uses as they happen, one line a recall, appended in one write
    log-XXXXXXXX    an older log that is full; it waits, since a process may still be writing to it
    durations       how long recalls took, from older logs, the newest few thousand
    counts          what older logs added up to, as text sorted by id
    others          what other clones counted, added up, as the last share brought it
    clone           the random name of this clone

When the log is full, under a lock: older logs are added to `counts`, whose head names them, and removed;
then the log is renamed. Killed anywhere, nothing is counted twice: a log that the head of `counts` names
has been counted. Whatever cannot be written is left out.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Collection, Sequence
from datetime import datetime
from pathlib import Path

from gitmem.clock import iso_seconds
from gitmem.git.beneath import open_regular, replace_regular
from gitmem.git.faults import point
from gitmem.model.ids import id_key
from gitmem.model.usage import (
    NEVER,
    Counts,
    Took,
    Uses,
    counts_text,
    event_line,
    newest,
    parse_counts,
    summed,
)
from gitmem.model.usage_record import uses_in_record, with_counts
from gitmem.platform import FileLock, make_private_directory
from gitmem.versions.usage_durations import durations_of, is_counted, keep_durations
from gitmem.versions.usage_files import bytes_of, events_in, inode_of, size_of, text_of

FULL_LOG_BYTES = 16 * 1024
MOST_IDS = 50_000
"""A clone counts the memories used last, so many of them."""
_ATTEMPTS = 5
MANY_IDS = 1_000  # to look up so many in a record takes longer than to read it whole


class UsageLog:
    """The uses of memories in one clone; `folder` is `gitmem/usage` in the common git directory."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "usage"

    def record(
        self, kind: str, ids: Sequence[str], now: datetime, *, microseconds: int | None = None
    ) -> bool:
        """Notes one use of `ids`, and how long it took, with one write; whether that was possible.

        Raises nothing.
        """
        moment = iso_seconds(now)
        line = event_line(kind, map(id_key, ids), moment) if ids else ""
        line += "" if microseconds is None else Took(moment, microseconds).line()
        if not line:
            return True
        try:
            if self._append(line.encode("utf-8", "replace")) > FULL_LOG_BYTES:
                self._fold()
        except OSError:
            return False
        return True

    @property
    def is_open(self) -> bool:
        """Whether this user may look here; another user's folder is closed."""
        try:
            self.folder.stat()
        except FileNotFoundError:
            return True
        except OSError:
            return False
        return os.access(self.folder, os.R_OK | os.X_OK)

    def why_not(self) -> str | None:
        """Why nothing can be noted here; None where it can."""
        if not self.is_open:
            return f"{self.folder.parent} may not be read by this user"
        place = self.folder / "log"
        while not place.exists():
            place = place.parent
        is_right_kind = place.is_dir() or place.name == "log"
        if not is_right_kind or not os.access(place, os.W_OK):
            return f"{place} cannot be written"
        return f"the disk of {place} is full" if shutil.disk_usage(place).free == 0 else None

    def reader(self) -> UsageReader:
        """What is counted now, to be asked id by id."""
        record, logs = self._read()
        return UsageReader([bytes_of(self.folder / "others"), record], logs)

    def durations(self) -> list[Took]:
        """How long recalls took here, the oldest first. Raises `OSError` where that cannot be read."""
        return durations_of(self.folder)

    def own(self) -> dict[str, Uses]:
        """All counts of this clone."""
        record, logs = self._read()
        return summed([parse_counts(record.decode("utf-8", "replace")), *logs])

    def total(self) -> dict[str, Uses]:
        """All counts, of this clone and of others."""
        return summed([self.own(), parse_counts(text_of(self.folder / "others"))])

    def write_others(self, counts: dict[str, Uses]) -> None:
        """Keeps what other clones counted. Raises `OSError`."""
        make_private_directory(self.folder)
        data = counts_text(newest(counts, MOST_IDS)).encode("utf-8", "replace")
        replace_regular(self.folder / "others", data)

    def clone_name(self) -> str:
        """The random name of this clone, made on first use. Raises `OSError`."""
        make_private_directory(self.folder)
        file = self.folder / "clone"
        name = text_of(file).strip()
        if len(name) != 16 or not set(name) <= set("0123456789abcdef"):
            with contextlib.suppress(FileExistsError):
                replace_regular(file, f"{secrets.token_hex(8)}\n".encode("ascii"))
            name = text_of(file).strip()
        return name

    def _append(self, line: bytes) -> int:
        """Appends to the log; its size in bytes then."""
        try:
            descriptor = self._open_log()
        except FileNotFoundError:
            make_private_directory(self.folder.parent)
            make_private_directory(self.folder)
            descriptor = self._open_log()
        try:
            os.write(descriptor, line)
            return os.fstat(descriptor).st_size
        finally:
            os.close(descriptor)

    def _open_log(self) -> int:
        return open_regular(self.folder / "log", os.O_WRONLY | os.O_APPEND | os.O_CREAT, mode=0o600)

    def _fold(self) -> None:
        """Adds older logs to the counts, and makes the log an older one. Raises `OSError`."""
        with FileLock(self.folder / "fold.guard", timeout_seconds=0) as lock:
            log = self.folder / "log"
            if not lock.acquired or size_of(log) <= FULL_LOG_BYTES:
                return
            record = bytes_of(self.folder / "counts")
            older = sorted(self.folder.glob("log-*"))
            fresh = [file for file in older if not is_counted(file, record)]
            keep_durations(self.folder, older)
            if fresh:
                notes = [f"counted {file.name}" for file in older]
                record = with_counts(record, summed(map(events_in, fresh)), notes)
                point("usage.counting")
                replace_regular(self.folder / "counts", _bounded(record, notes))
            point("usage.counted")
            for file in older:
                file.unlink(missing_ok=True)
            point("usage.removed")
            log.replace(self.folder / f"log-{secrets.token_hex(4)}")

    def _read(self) -> tuple[bytes, list[Counts]]:
        """The counts, and what the logs beside them add up to: nothing was folded between the two."""
        for _ in range(_ATTEMPTS):
            before = self._state()
            record = bytes_of(self.folder / "counts")
            logs = [events_in(log) for log in self._logs(record)]
            if self._state() == before:
                break
        return record, logs

    def _state(self) -> tuple[int, int]:
        """What every fold changes."""
        return inode_of(self.folder / "counts"), inode_of(self.folder / "log")

    def _logs(self, record: bytes) -> list[Path]:
        """The logs that are not in the counts of `record` yet."""
        if not self.is_open:
            return []
        waiting = [file for file in self.folder.glob("log-*") if not is_counted(file, record)]
        return [*sorted(waiting), self.folder / "log"]


def _bounded(record: bytes, notes: list[str]) -> bytes:
    """`record` without the memories used least lately, where it has far more than are kept."""
    if record.count(b"\n") <= MOST_IDS * 1.1:
        return record
    counts = newest(parse_counts(record.decode("utf-8", "replace")), MOST_IDS)
    return counts_text(counts, notes).encode("utf-8", "replace")


class UsageReader:
    """The uses of single memories, found in the records without reading them whole."""

    def __init__(self, records: Sequence[bytes], logs: Sequence[Counts]) -> None:
        self._records = [record for record in records if record]
        self._logs = [log for log in logs if log]

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever counted."""
        return not (self._records or self._logs)

    def find(self, memory_id: str) -> Uses:
        """The uses of one memory, in this clone and in those that shared theirs."""
        key, found = id_key(memory_id), NEVER
        for record in self._records:
            uses = uses_in_record(record, key)
            found = uses if found is NEVER else found.plus(uses)
        for log in self._logs:
            noted = log.get(key)
            if noted is not None:
                found = noted if found is NEVER else found.plus(noted)
        return found

    def find_all(self, ids: Collection[str]) -> dict[str, Uses]:
        """The uses of each of `ids`; for many the records are read whole, once."""
        find = self.find
        if len(ids) > MANY_IDS:
            read = [parse_counts(record.decode("utf-8", "replace")) for record in self._records]
            find = UsageReader((), [*read, *self._logs]).find
        return {memory_id: find(memory_id) for memory_id in ids}
