"""What a merge asks of the archive, and what it does there: an edited memory stands in one place only."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import OutsideFailure
from gitmem.flows.moving.carriage import MOVED_TO
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import apply
from gitmem.git.environment import run_git
from gitmem.git.modes import EXECUTABLE_MODE, FILE_MODE
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import BlobId, CommitId, MemoryId, id_key
from gitmem.model.memory import Memory
from gitmem.model.place import attachment_folder
from gitmem.versions.attachments import attachments_of
from gitmem.versions.merge_units import Halves
from gitmem.versions.merge_values import KeptFromArchive, Standing, Unit
from gitmem.versions.snapshot import Snapshot


def archived_unit(work: Work, halves: Halves, key: str) -> Unit | None:
    """A memory as the archives known here have it: our own, and those of remotes as last fetched.

    One that was changed before it was archived goes before one that was not.
    """
    sides = (halves.base, halves.ours, halves.theirs)
    unit = next((side.memories[key] for side in sides if key in side.memories), None)
    if unit is None:
        return None
    found = [
        unit_of(snapshot, memory, unit.file.path)
        for snapshot in _archives(work)
        for memory in standing_as(snapshot, unit.id, unit.file.path)
    ]
    was = _blobs(unit)
    return next((each for each in found if _blobs(each) != was), found[0] if found else None)


def _blobs(unit: Unit) -> dict[str, BlobId]:
    return {"": unit.file.blob, **{name: each.blob for name, each in unit.attached.items()}}


def unit_of(snapshot: Snapshot, memory: Memory, path: str) -> Unit:
    """The memory with its attachments, as if it stood at `path`."""
    old, new = attachment_folder(memory.path), attachment_folder(path)
    attached = {
        name: Standing(new + name, blob, FILE_MODE)
        for file, blob in attachments_of(snapshot, memory.path)
        for name in [file.removeprefix(old)]
    }
    mode = EXECUTABLE_MODE if snapshot.is_executable(memory.path) else FILE_MODE
    return Unit(memory.id, Standing(path, memory.blob, mode), attached)


def standing_as(snapshot: Snapshot, memory_id: MemoryId, path: str) -> list[Memory]:
    """The memories with this id at `path`, else those whose file names end in the id."""
    at_path = snapshot.memory(path)
    if at_path is not None and id_key(at_path.id) == id_key(memory_id):
        return [at_path]
    return snapshot.named(memory_id)


def _archives(work: Work) -> list[Snapshot]:
    place = work.place
    name = place.config.branches["archive"]
    tips = dict.fromkeys([place.tip(name), *map(CommitId, place.repository.remote_tips(name))])
    return [place.snapshot(tip) for tip in tips if tip is not None]


def take_off_archive(
    work: Work, kept: Sequence[KeptFromArchive], operation_id: str, *, origin: Origin
) -> tuple[str, ...]:
    """Takes memories off the archive that stay on the branch, if their archived text went into what is there.

    One with another text is left, for a person to decide, and named in what is returned.
    """
    archive = work.on(work.place.config.branches["archive"])
    if archive.place.tip(archive.branch) is None:
        return ()
    left: list[str] = []

    def plan(snapshot: Snapshot) -> Plan:
        writes: list[FileWrite] = []
        gone: list[MemoryId] = []
        left.clear()
        for each in kept:
            for old in standing_as(snapshot, each.id, each.path):
                if old.blob not in each.blobs:
                    left.append(f"{old.path} stands on {archive.branch} too, with another text")
                    continue
                files = [old.path, *(path for path, _ in attachments_of(snapshot, old.path))]
                writes += [FileWrite(path, snapshot.blob(path), None) for path in files]
                gone.append(each.id)
        subject = f"{len(gone)} memories that were changed stay on {work.branch}"
        return Plan("merge", subject, writes, gone, origin, [(MOVED_TO, work.branch)])

    done = apply(archive.place, archive.branch, plan, clock=work.clock, operation_id=operation_id)
    return (*done.notices, *left)


def was_text(work: Work, here: Memory, older: Memory) -> bool:
    """Whether what the memory on the branch says came after the text of `older`, on any side of its history.

    A text that stood on the branch and went before another line of work brought this one is no older one.
    """
    repository, tip = work.place.repository, work.place.tip(work.branch)
    if tip is None:
        return False
    folder = repository.worktree or repository.git_dir
    here_only, either = _literally(here.path), _literally(here.path, older.path)
    question = ["log", "-1", "-m", "--full-history", "--format=%H", f"--find-object={older.blob}"]
    try:
        brought = run_git(["log", "-1", "--format=%H", tip, "--", *here_only], cwd=folder).decode().strip()
        return bool(brought) and bool(run_git([*question, brought, "--", *either], cwd=folder).strip())
    except OutsideFailure:
        return False


def _literally(*paths: str) -> list[str]:
    """Pathspecs of these files alone, whatever their names hold."""
    return [f":(top,literal){path}" for path in dict.fromkeys(paths)]
