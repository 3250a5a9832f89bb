"""The files attached to a memory in a snapshot."""

from __future__ import annotations

from gitmem.git.modes import REGULAR_MODES
from gitmem.model.ids import BlobId
from gitmem.model.place import attachment_folder
from gitmem.versions.snapshot import Snapshot

MAX_TEXT_BYTES = 1024 * 1024
"""Of attachments, how much is searched for each memory."""


def attachments_of(snapshot: Snapshot, path: str) -> list[tuple[str, BlobId]]:
    """Path and blob of every file attached to the memory at `path`."""
    if snapshot.commit is None:
        return []
    folder = attachment_folder(path)
    return [
        (entry.path, BlobId(entry.oid))
        for entry in snapshot.entries_below(folder.rstrip("/"))
        if entry.mode in REGULAR_MODES
    ]


def text_of_attachments(snapshot: Snapshot, path: str) -> str:
    """The text in the attachments of the memory at `path`: those that are UTF-8, up to 1 MiB in all."""
    parts: list[str] = []
    left = MAX_TEXT_BYTES
    for _, blob in attachments_of(snapshot, path):
        data = snapshot.start_of(blob, left)
        if b"\x00" in data:
            continue
        try:
            parts.append(data.decode("utf-8"))
        except UnicodeDecodeError as error:
            if error.end < len(data) - 4:
                continue
            parts.append(data[: error.start].decode("utf-8"))
        left -= len(data)
        if left <= 0:
            break
    return "\n".join(parts)
