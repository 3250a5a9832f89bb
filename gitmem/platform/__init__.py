"""What differs between operating systems: locks, processes, links, flushing."""

from gitmem.platform.files import (
    NO_FOLLOW,
    NO_WAIT,
    SEPARATORS,
    fsync_directory,
    link_exclusive,
    make_private_directory,
    write_new_private,
)
from gitmem.platform.locks import FileLock
from gitmem.platform.peers import HAS_LOCAL_SOCKETS, is_same_user, listen_at, resident_bytes
from gitmem.platform.processes import (
    CAN_END_ON_TIME,
    Process,
    at_low_priority,
    boot_id,
    command_lines_above,
    end_group,
    host_id,
    is_process_alive,
    process_start_time,
    processes_inside,
    spawn_detached,
)

__all__ = [
    "CAN_END_ON_TIME",
    "HAS_LOCAL_SOCKETS",
    "NO_FOLLOW",
    "NO_WAIT",
    "SEPARATORS",
    "FileLock",
    "Process",
    "at_low_priority",
    "boot_id",
    "command_lines_above",
    "end_group",
    "fsync_directory",
    "host_id",
    "is_process_alive",
    "is_same_user",
    "link_exclusive",
    "listen_at",
    "make_private_directory",
    "process_start_time",
    "processes_inside",
    "resident_bytes",
    "spawn_detached",
    "write_new_private",
]
