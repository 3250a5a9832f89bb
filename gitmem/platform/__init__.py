"""What differs between operating systems: locks, processes, links, flushing."""

from gitmem.platform.files import (
    NO_FOLLOW,
    NO_WAIT,
    SEPARATORS,
    fsync_directory,
    link_exclusive,
    make_private_directory,
)
from gitmem.platform.locks import FileLock
from gitmem.platform.processes import (
    CAN_END_ON_TIME,
    Process,
    at_low_priority,
    boot_id,
    host_id,
    is_process_alive,
    kill_group,
    process_start_time,
    processes_inside,
    spawn_detached,
)

__all__ = [
    "CAN_END_ON_TIME",
    "NO_FOLLOW",
    "NO_WAIT",
    "SEPARATORS",
    "FileLock",
    "Process",
    "at_low_priority",
    "boot_id",
    "fsync_directory",
    "host_id",
    "is_process_alive",
    "kill_group",
    "link_exclusive",
    "make_private_directory",
    "process_start_time",
    "processes_inside",
    "spawn_detached",
]
