"""Words in the names of files that are being made, by which others tell whether the maker is dead."""

from __future__ import annotations

import functools
import os

from gitmem.platform import host_id, is_process_alive


def process_mark() -> str:
    """The word of this process."""
    return f"{_host_word()}-{os.getpid()}"


def is_mark_of_dead(mark: str) -> bool:
    """Whether the process with this mark is proved to have ended, which only its own machine can tell."""
    host, _, pid = mark.rpartition("-")
    return host == _host_word() and pid.isdigit() and not is_process_alive(int(pid), None)


@functools.cache
def _host_word() -> str:
    return host_id().rpartition("-")[2]
