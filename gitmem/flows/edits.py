"""What a person changed in the worktree and did not commit yet: found, marked, and left alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gitmem.errors import Damaged, NotFound, OutsideFailure
from gitmem.flows.work import Work
from gitmem.model.ids import BlobId, MemoryId, id_key
from gitmem.model.memory import Memory
from gitmem.model.reading import MAX_MEMORY_BYTES, read_memory

CHEAP_FILES = 5_000
"""Up to this many files in git's index, every read looks at the worktree: about 4 ms for each 1,000."""
TIPS_LOOKED_AT = 20
_UNMERGED = frozenset({"DD", "AU", "UD", "UA", "DU", "AA", "UU"})


@dataclass(frozen=True, slots=True)
class Edit:
    """One memory file that differs from the head of its branch: `added`, `changed` or `removed`.

    `memory` is the file as it is in the worktree; None where it was removed.
    """

    path: str
    kind: str
    id: MemoryId
    title: str
    memory: Memory | None = None

    @property
    def label(self) -> str:
        """How the edit is marked where it is shown."""
        return "removed, not committed" if self.kind == "removed" else f"{self.kind}, not committed"


def is_cheap_to_look(work: Work) -> bool:
    """Whether the worktree is small enough to be looked at by every read."""
    index = work.place.repository.git_dir / "index"
    try:
        with open(index, "rb") as file:
            head = file.read(12)
    except OSError:
        return True
    return int.from_bytes(head[8:12], "big") <= CHEAP_FILES


@dataclass(frozen=True, slots=True)
class Sight:
    """The edits that a read shows, and a note where looking is too dear."""

    edits: Sequence[Edit] = ()
    notes: tuple[str, ...] = ()

    @property
    def memories(self) -> list[Memory]:
        """The edited files as they are in the worktree."""
        return [edit.memory for edit in self.edits if edit.memory is not None]

    @property
    def gone(self) -> list[str]:
        """The paths of memories that were moved elsewhere and stand there as an edit."""
        ids = {id_key(memory.id) for memory in self.memories}
        return [edit.path for edit in self.edits if edit.memory is None and id_key(edit.id) in ids]

    def labels(self, path: str) -> tuple[str, ...]:
        """How the memory at `path` is marked."""
        return tuple(edit.label for edit in self.edits if edit.path == path)


def look(work: Work) -> Sight:
    """What a read of `work` should show of the worktree."""
    if work.is_past or _worktree(work) is None:
        return Sight()
    if not is_cheap_to_look(work):
        return Sight(notes=("this shows what is committed; edits in the worktree were not looked at",))
    try:
        edits = uncommitted(work)
    except OutsideFailure as error:
        return Sight(notes=(f"edits in the worktree could not be looked at: {error.message}",))
    return Sight([edit for edit in edits if not _was_committed(work, edit)])


def _was_committed(work: Work, edit: Edit) -> bool:
    """Whether the file is as an earlier tip of the branch had it: git moved the branch, nobody edited."""
    if edit.memory is None:
        return False
    from gitmem.git.reflog import recent_tips

    repository = work.place.repository
    for tip in recent_tips(repository, work.branch, TIPS_LOOKED_AT):
        try:
            entry = repository.entry(tip, edit.path)
        except (NotFound, Damaged):
            continue
        if entry is not None and entry.oid == edit.memory.blob:
            return True
    return False


def uncommitted(work: Work) -> list[Edit]:
    """The memory files of the worktree that differ from its head, staged or not, merged ones only."""
    top = _worktree(work)
    if top is None:
        return []
    from gitmem.git.environment import run_git

    output = run_git(
        ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=all"], cwd=top
    ).decode("utf-8", "surrogateescape")
    entries = [(entry[:2], entry[3:]) for entry in output.split("\0") if entry]
    found = [_edit(work, top, path) for code, path in entries if code not in _UNMERGED]
    return [edit for edit in found if edit is not None]


def _worktree(work: Work) -> Path | None:
    repository = work.place.repository
    return repository.worktree if repository.head_branch() == work.branch else None


def _edit(work: Work, top: Path, path: str) -> Edit | None:
    if not work.place.config.is_memory_path(path):
        return None
    file = top / path
    if any(part.is_symlink() for part in (file, *file.parents) if top in part.parents):
        return None
    snapshot = work.snapshot()
    try:
        before = snapshot.memory(path)
    except Damaged:
        # What it was cannot be said; a reading of the memory itself names the damage.
        return None
    try:
        data = file.read_bytes()[: MAX_MEMORY_BYTES + 1]
    except OSError:
        return Edit(path, "removed", before.id, before.title) if before else None
    memory = read_memory(path, BlobId(work.place.repository.blob_id_of(data)), data)
    if before is not None and before.blob == memory.blob:
        return None
    return Edit(path, "changed" if before else "added", memory.id, memory.title, memory)
