"""export: the memories of a branch as plain files, or as JSON lines that `import` reads back exactly."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from gitmem.errors import BadInput, Conflict
from gitmem.flows.work import Work
from gitmem.model.memory import Json, Memory
from gitmem.model.place import why_unsafe
from gitmem.versions.attachments import attachments_of
from gitmem.versions.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Exported:
    """Where the export is and how much is in it; `skipped` are paths that no file may have here."""

    target: Path
    memories: int
    attachments: int
    skipped: tuple[str, ...] = ()


def export_folder(work: Work, target: Path) -> Exported:
    """Writes every memory and attachment below `target`, byte for byte, under the path it has.

    Raises `Conflict` where a file with other bytes stands there already; then nothing is written.
    """
    snapshot = work.snapshot()
    _refuse_git_folder(work, target)
    if target.exists() and not target.is_dir():
        raise BadInput(f"{target} is a file, not a folder", field="target")
    files, skipped = _files(snapshot)
    for path, blob in files.items():
        file = target / path
        if file.is_symlink() or any(part.is_symlink() for part in file.parents if target in part.parents):
            raise Conflict(f"{file} is a link or lies behind one; nothing was written")
        if file.exists() and file.read_bytes() != work.place.repository.read_blob(blob):
            raise Conflict(f"{file} exists already, with other bytes; nothing was written")
    for number, (path, blob) in enumerate(files.items(), 1):
        file = target / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(work.place.repository.read_blob(blob))
        work.progress("exporting", number, len(files))
    target.mkdir(parents=True, exist_ok=True)
    memories = sum(1 for path in files if work.place.config.is_memory_path(path))
    return Exported(target, memories, len(files) - memories, tuple(skipped))


def _refuse_git_folder(work: Work, target: Path) -> None:
    """Raises `BadInput` where the export would lie among git's own files."""
    git_folders = {work.place.repository.common_dir.resolve(), work.place.repository.git_dir.resolve()}
    if git_folders.intersection((target.resolve(), *target.resolve().parents)):
        raise BadInput(
            f"{target} is in the git directory, which holds only what git put there", field="target"
        )


def _files(snapshot: Snapshot) -> tuple[dict[str, str], list[str]]:
    files: dict[str, str] = {}
    skipped = []
    for path, blob in snapshot.files():
        reason = why_unsafe(path)
        if reason:
            skipped.append(path)
            continue
        files[path] = blob
        files.update(attachments_of(snapshot, path))
    return files, skipped


def export_jsonl(work: Work, target: Path) -> Exported:
    """Writes one JSON object a line: typed fields for programs, and the file itself under `raw`.

    The file has its name only when it is whole; where writing fails, nothing is left behind.
    """
    _refuse_git_folder(work, target)
    beside = target.with_name(target.name + ".part")
    try:
        with open(beside, "w", encoding="utf-8", newline="\n") as file:
            exported = _write_lines(work.snapshot(), target, file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
    return exported


def _write_lines(snapshot: Snapshot, target: Path, file: TextIO) -> Exported:
    memories = attachments = 0
    skipped = []
    for path, blob in snapshot.files():
        if why_unsafe(path):
            skipped.append(path)
            continue
        memory = snapshot.read(path, blob)
        attached = {
            name: base64.b64encode(snapshot.data(name)).decode("ascii")
            for name, _ in attachments_of(snapshot, path)
        }
        file.write(json.dumps(_line(memory, snapshot.data(path), attached), ensure_ascii=False) + "\n")
        memories += 1
        attachments += len(attached)
    return Exported(target, memories, attachments, tuple(skipped))


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
