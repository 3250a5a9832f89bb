"""export: the memories of a branch as plain files, or as JSON lines that `import` reads back exactly."""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TextIO

from msgspec import Struct, field

from gitmem.errors import BadInput, Conflict
from gitmem.flows.work import Work
from gitmem.git.beneath import failures_named, link_on_the_way, open_regular, read_regular, write_new_file
from gitmem.git.objects import MAX_BLOB_BYTES
from gitmem.model.ids import BlobId
from gitmem.model.memory import Json, Memory
from gitmem.model.place import why_unsafe
from gitmem.versions.attachments import attachments_of
from gitmem.versions.snapshot import Snapshot

_BEGIN_BYTES = 4_096
_OWN_LINE = re.compile(rb'\{"id": "[^"\n]*", "path": "')


class Exported(Struct, frozen=True):
    """Where the export is and how much is in it; `skipped` are paths that are not, `reasons` say why."""

    target: Path
    memories: int
    attachments: int
    skipped: tuple[str, ...] = ()
    reasons: Mapping[str, str] = field(default_factory=dict)


def export_folder(work: Work, target: Path) -> Exported:
    """Writes every memory and attachment below `target`, byte for byte, under the path it has.

    Raises `Conflict` where a file with other bytes stands there already; then nothing is written. Nothing is
    written through a link, or to where a path would lead out of `target`.
    """
    snapshot = work.snapshot()
    _refuse_git_folder(work, target)
    if target.exists() and not target.is_dir():
        raise BadInput(f"{target} is a file, not a folder", field="target")
    files, reasons = _files(work, snapshot)
    missing = [path for path, blob in files.items() if not _is_there(work, target, path, blob)]
    for number, path in enumerate(missing, 1):
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            write_new_file(file, work.place.repository.read_blob(files[path]))
        except FileExistsError as error:
            raise Conflict(f"{file} is there, perhaps by another spelling; it was left as it is") from error
        work.progress("exporting", number, len(missing))
    target.mkdir(parents=True, exist_ok=True)
    memories = sum(1 for path in files if work.place.config.is_memory_path(path))
    return Exported(target, memories, len(files) - memories, tuple(reasons), reasons)


def _is_there(work: Work, target: Path, path: str, blob: str) -> bool:
    """Whether the file is there with these bytes. Raises `Conflict` where anything else is in its place."""
    file = target / path
    if link := link_on_the_way(target, path):
        raise Conflict(f"{link} is a link; nothing was written")
    if not file.exists():
        return False
    if read_regular(file) != work.place.repository.read_blob(blob):
        raise Conflict(f"{file} exists already, with other bytes; nothing was written")
    return True


def _refuse_git_folder(work: Work, target: Path) -> None:
    """Raises `BadInput` where the export would lie among git's own files."""
    git_folders = {work.place.repository.common_dir.resolve(), work.place.repository.git_dir.resolve()}
    if git_folders.intersection((target.resolve(), *target.resolve().parents)):
        raise BadInput(
            f"{target} is in the git directory, which holds only what git put there", field="target"
        )


def _files(work: Work, snapshot: Snapshot) -> tuple[dict[str, BlobId], dict[str, str]]:
    """The files to be written with their blobs, and those that are not, with the reason."""
    files: dict[str, BlobId] = {}
    reasons: dict[str, str] = {}
    for path, blob in snapshot.files():
        reason = why_not_exported(work, path, blob)
        if reason:
            reasons[path] = reason
            continue
        files[path] = blob
        for name, attached in attachments_of(snapshot, path):
            reason = why_not_exported(work, name, attached)
            if reason:
                reasons[name] = reason
            else:
                files[name] = attached
    return files, reasons


def why_not_exported(work: Work, path: str, blob: BlobId) -> str | None:
    """Why the file at `path` is left out of an export; None if it is not."""
    reason = why_unsafe(path)
    if reason:
        return f"its name is not legal everywhere: {reason}"
    if work.place.repository.blob_size(blob) > MAX_BLOB_BYTES:
        return f"it is larger than {MAX_BLOB_BYTES // 2**20} MiB"
    return None


def export_jsonl(work: Work, target: Path) -> Exported:
    """Writes one JSON object a line: typed fields for programs, and the file itself under `raw`.

    The file has its name only when it is whole; where writing fails, nothing is left behind. Raises
    `Conflict` where a file stands there that no export wrote.
    """
    _refuse_git_folder(work, target)
    if target.is_dir():
        raise BadInput(f"{target} is a folder, not a file", field="target")
    _refuse_foreign(target)
    beside = target.with_name(f"{target.name}.{secrets.token_hex(4)}.part")
    with failures_named(target):
        try:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            with open(os.open(beside, flags, 0o666), "w", encoding="utf-8", newline="\n") as file:
                exported = _write_lines(work, work.snapshot(), target, file)
                file.flush()
                os.fsync(file.fileno())
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    return exported


def _refuse_foreign(target: Path) -> None:
    """Raises `Conflict` where something else would be lost: only what begins like an export is replaced."""
    if not os.path.lexists(target):
        return
    with os.fdopen(open_regular(target), "rb") as file:
        begin = file.read(_BEGIN_BYTES)
    if begin.strip() and not _OWN_LINE.match(begin):
        raise Conflict(
            f"{target} exists already and is no export of gitmem; it was left as it is",
            hint="name another file, or remove that one first",
        )


def _write_lines(work: Work, snapshot: Snapshot, target: Path, file: TextIO) -> Exported:
    memories = attachments = 0
    files, reasons = _files(work, snapshot)
    for path, blob in files.items():
        if not work.place.config.is_memory_path(path):
            continue
        attached = {
            name: base64.b64encode(work.place.repository.read_blob(files[name])).decode("ascii")
            for name, _ in attachments_of(snapshot, path)
            if name in files
        }
        data = work.place.repository.read_blob(blob)
        file.write(json.dumps(_line(snapshot.read(path, blob), data, attached), ensure_ascii=False) + "\n")
        memories += 1
        attachments += len(attached)
    return Exported(target, memories, attachments, tuple(reasons), reasons)


def _line(memory: Memory, data: bytes, attachments: dict[str, str]) -> dict[str, Json]:
    """One exported memory; `raw` is the file, as text where it is UTF-8."""
    raw: Json
    try:
        raw = data.decode("utf-8")
    except UnicodeDecodeError:
        raw = {"base64": base64.b64encode(data).decode("ascii")}
    return {
        "id": memory.id,
        "path": memory.path,
        "type": str(memory.type),
        "title": memory.title,
        "body": memory.body,
        "tags": list(memory.tags),
        "created": memory.created,
        "fields": dict(memory.fields),
        "raw": raw,
        "attachments": dict(attachments),
    }
