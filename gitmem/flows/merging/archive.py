"""What a merge asks of the archive, and what it does there: an edited memory stands in one place only."""

from __future__ import annotations

from collections.abc import Sequence

from gitmem.errors import OutsideFailure
from gitmem.flows.moving.carriage import MOVED_TO
from gitmem.flows.work import Work
from gitmem.flows.writing.apply import apply
from gitmem.git.environment import run_git
from gitmem.model.change import FileWrite, Origin, Plan
from gitmem.model.ids import BlobId, CommitId, MemoryId, id_key
from gitmem.model.memory import Memory
from gitmem.versions.attachments import attachments_of
from gitmem.versions.merge_units import Halves
from gitmem.versions.merge_values import KeptFromArchive
from gitmem.versions.snapshot import Snapshot


def archived_text(work: Work, halves: Halves, key: str) -> BlobId | None:
    """The text of a memory on the archives known here: our own, and those of remotes as last fetched.

    One that was changed before it was archived goes before one that was not.
    """
    sides = (halves.base, halves.ours, halves.theirs)
    unit = next((side.memories[key] for side in sides if key in side.memories), None)
    if unit is None:
        return None
    found: list[BlobId] = []
    for snapshot in _archives(work):
        found += [memory.blob for memory in standing_as(snapshot, unit.id, unit.file.path)]
    return next((blob for blob in found if blob != unit.file.blob), found[0] if found else None)


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
