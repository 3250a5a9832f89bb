"""attach: files that belong to a memory, kept beside it and named in its header."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gitmem.errors import BadInput, Conflict
from gitmem.flows.edit import Edited, edit
from gitmem.flows.remember import Written
from gitmem.flows.screening.gate import examine_file
from gitmem.flows.screening.rules import Screening
from gitmem.flows.work import Work
from gitmem.model.change import FileWrite, Origin
from gitmem.model.header_edit import edit_header
from gitmem.model.ids import BlobId
from gitmem.model.memory import Json, Memory
from gitmem.model.place import attachment_folder, name_key, why_unsafe
from gitmem.versions.attachments import attachments_of
from gitmem.versions.snapshot import Snapshot

MAX_ATTACHMENT_BYTES = 64 * 1024 * 1024


def attach(
    work: Work, reference: str, files: Sequence[Path], *, replace: bool, expect: str | None, origin: Origin
) -> Written:
    """Copies `files` beside the memory and lists them in its header, in one commit.

    Raises `BadInput` naming the file that cannot be read or stored, `Conflict` where an attachment
    of that name holds something else and `replace` is not set, or has a name that some systems take for it.
    """
    contents = _contents(files)
    screening = Screening(work.place)

    def change(snapshot: Snapshot, memory: Memory, text: str) -> Edited:
        folder = attachment_folder(memory.path)
        also = []
        present = {name_key(path): path for path, _ in attachments_of(snapshot, memory.path)}
        for name, data in contents.items():
            twin = present.get(name_key(folder + name), folder + name)
            if twin != folder + name:
                raise Conflict(
                    f"{name}: some systems take its name for that of {twin}",
                    hint="give the file another name",
                )
            there = snapshot.blob(folder + name)
            judge = screening.judge(folder + name, data)
            written = examine_file(judge, data, (), screening, is_memory=False).data
            if there is not None and any(_says(work, there, each) for each in (data, written)):
                continue
            if there is not None and not replace:
                raise Conflict(
                    f"{folder + name} exists already, with other bytes", hint="repeat with --replace"
                )
            also.append(FileWrite(folder + name, there, data))
        listed: list[Json] = [*memory.attachments]
        listed += [name for name in contents if name not in memory.attachments]
        fields: dict[str, Json] = {"attachments": listed}
        if not memory.has_own_id:
            fields["id"] = memory.id
        return Edited(edit_header(text, fields), memory.path, also=also)

    return edit(work, reference, change, operation="attach", expect=expect, origin=origin)


def _says(work: Work, blob: BlobId, data: bytes) -> bool:
    """Whether a blob holds these bytes, encrypted or not."""
    repository = work.place.repository
    return blob == repository.blob_id_of(data) or (
        work.place.config.policy.encrypts and repository.read_blob(blob) == data
    )


def _contents(files: Sequence[Path]) -> dict[str, bytes]:
    if not files:
        raise BadInput("no file is named", field="file")
    contents: dict[str, bytes] = {}
    for file in files:
        reason = why_unsafe(file.name)
        if reason:
            raise BadInput(f"{file}: cannot be stored under this name: {reason}", field="file")
        if twin := next((name for name in contents if name_key(name) == name_key(file.name)), None):
            raise BadInput(
                f"{file}: two files are called {twin}{'' if twin == file.name else ' on some systems'}",
                field="file",
            )
        try:
            if file.exists() and not file.is_file():
                raise BadInput(f"{file}: is not a regular file", field="file")
            size = file.stat().st_size
            if size > MAX_ATTACHMENT_BYTES:
                raise BadInput(f"{file} is larger than {MAX_ATTACHMENT_BYTES // 2**20} MiB", field="file")
            contents[file.name] = file.read_bytes()
        except OSError as error:
            raise BadInput(f"{file}: cannot be read: {error.strerror}", field="file") from error
    return contents
