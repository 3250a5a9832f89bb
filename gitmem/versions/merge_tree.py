"""Two trees become one: what a merge of single files cannot see. Nothing that either side wrote is lost.

A memory is known by its id, wherever it stands; its attachments are part of it. What only one side changed is
as that side has it. Where both did:

    merged            both edited it: merged by meaning
    disputed          the same, and what they wrote contradicts: both versions in one file
    born-twice        both created it, one id for two texts: merged without a base
    renamed-edited    renamed on one side, edited on the other: the edit at the new path
    renamed-twice     renamed to two paths: it stands at the path that sorts first
    archived-edited   archived on one side, edited on the other: the edit stays on the branch, with what the
                      first side changed before it archived
    removed-edited    removed on one side, edited on the other: the edit stays
    path-taken        two memories at one path: one keeps it, the other gets its id into its name
    attachment-twice  both changed an attachment, in the same lines: both files are kept
    file-twice        the same for a file that is no memory
    too-large         too large to be merged: both files are kept
    policy            the other side changed a file below `.gitmem/`: left as ours unless the caller takes it
    tombstones        the lines of both sides, whoever changed them: what was forgotten stays so
But for `policy`, no outcome depends on which side is ours, so both clones come to the same tree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable

from gitmem.git.modes import FILE_MODE, REGULAR_MODES
from gitmem.model.ids import MemoryId
from gitmem.model.place import attachment_folder, name_key, shard_of
from gitmem.model.tombstones import TOMBSTONES_PATH, union
from gitmem.versions.merge_content import SHORT_BLOB, Moments, Read, as_is, merged_file
from gitmem.versions.merge_memory import FindArchived, MemoryMerge, MergedUnit
from gitmem.versions.merge_values import (
    Half,
    KeptFromArchive,
    Placed,
    Standing,
    TreeCase,
    TreeLine,
    TreeMerge,
)

POLICY_FOLDER = ".gitmem/"
Test = Callable[[str], bool]


def _no(_: str) -> bool:
    return False


def merge_trees(
    base: Half,
    ours: Half,
    theirs: Half,
    *,
    read: Read,
    find_archived: FindArchived = lambda _key: None,
    is_taken: Test = _no,
    moments: Moments | None = None,
    takes_policy: bool = False,
) -> TreeMerge:
    """How our tree becomes the merged one.

    `find_archived` gives what a memory, by its key, is on an archive; `is_taken` tells whether a file
    that neither side changed stands at a path; `read` gives the bytes of a blob.
    """
    memories = MemoryMerge(read, find_archived, moments or Moments())
    units: dict[str, MergedUnit] = {}
    for key in sorted({*base.memories, *ours.memories, *theirs.memories}):
        unit = memories.merged(key, base.memories.get(key), ours.memories.get(key), theirs.memories.get(key))
        if unit is not None:
            units[key] = unit
    report = [*memories.report, *_part_paths(units, base, is_taken)]
    files = _Files(read, takes_policy)
    for path in sorted({*base.files, *ours.files, *theirs.files}):
        files.take(path, base.files.get(path), ours.files.get(path), theirs.files.get(path))
    return _tree_merge(units, files, ours, (*report, *files.report))


def _part_paths(units: dict[str, MergedUnit], base: Half, is_taken: Test) -> list[TreeLine]:
    """Gives each memory a path of its own; the one that was there before keeps it, else the first by id."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for key, unit in units.items():
        wanted[name_key(unit.path)].append(key)
    used = set(wanted)
    said = []
    for keys in wanted.values():
        old = {
            key for key in keys if key in base.memories and base.memories[key].file.path == units[key].path
        }
        first, *others = sorted(keys, key=lambda key: (key not in old, key))
        for key in others:
            unit = units[key]
            path = free_path(unit.path, unit.id, lambda path: name_key(path) in used or is_taken(path))
            used.add(name_key(path))
            message = f"{unit.id} and {units[first].id} came to one path: {unit.id} is at {path} now"
            said.append(TreeLine(TreeCase.PATH_TAKEN, unit.id, path, message))
            unit.path = path
    return said


def free_path(path: str, memory_id: MemoryId, is_taken: Test) -> str:
    """A path beside `path` for another memory: its id in the name, a folder more where that is taken."""
    folder, slash, name = path.rpartition("/")
    stem = name.removesuffix(".md")
    if not stem.casefold().endswith(memory_id.casefold()):
        stem = f"{stem}-{memory_id}"
    while is_taken(found := f"{folder}{slash}{stem}.md"):
        folder, slash = f"{folder}{slash}{shard_of(memory_id)}", "/"
    return found


class _Files:
    """The files that are no memories and belong to none."""

    def __init__(self, read: Read, takes_policy: bool) -> None:
        self._read = read
        self._takes_policy = takes_policy
        self.placed: dict[str, Placed] = {}
        self.report: list[TreeLine] = []
        self.policy: list[str] = []
        self.obstacles: list[str] = []

    def take(self, path: str, base: Standing | None, ours: Standing | None, theirs: Standing | None) -> None:
        is_theirs = theirs not in (base, ours)
        if path == TOMBSTONES_PATH:
            self.placed[path] = self._all_lines(ours, base, theirs)
            return
        if is_theirs and is_policy(path) and not (self._takes_policy and ours == base):
            self.policy.append(path)
            message = "changed there; what the store goes by is left as it is here"
            self.report.append(TreeLine(TreeCase.POLICY, "", path, message))
            if ours is not None:
                self.placed[path] = as_is(ours)
            return
        modes = {each.mode for each in (base, ours, theirs) if each is not None}
        if is_theirs and not modes <= REGULAR_MODES:
            self.obstacles.append(path)
        placed, second = merged_file(self._read, base, ours, theirs)
        if placed is not None:
            self.placed[path] = placed
        if second is not None and second.blob is not None:
            other = f"{path}.{second.blob[:SHORT_BLOB]}"
            self.placed[other] = second
            message = f"both sides changed it: the other version is at {other}"
            self.report.append(TreeLine(TreeCase.FILE_TWICE, "", path, message))

    def _all_lines(self, ours: Standing | None, *others: Standing | None) -> Placed:
        sides = [self._read(each.blob) for each in (ours, *others) if each is not None]
        data = union(*sides)
        if ours is not None and data == union(sides[0]):
            return as_is(ours)
        return Placed(None, data, FILE_MODE)


def is_policy(path: str) -> bool:
    """Whether the store goes by the file at `path`, so that only a person may take in another one.

    Tombstones are no policy: they only grow, and have to come wherever memories come.
    """
    return path.startswith(POLICY_FOLDER) and path != TOMBSTONES_PATH


def _tree_merge(
    units: dict[str, MergedUnit], files: _Files, ours: Half, report: tuple[TreeLine, ...]
) -> TreeMerge:
    final = dict(files.placed)
    for unit in units.values():
        folder = attachment_folder(unit.path)
        final |= {unit.path: unit.file, **unit.beside}
        final |= {folder + name: placed for name, placed in unit.attached.items()}
    before = {each.path: each for unit in ours.memories.values() for each in unit.files} | dict(ours.files)
    return TreeMerge(
        {path: placed for path, placed in final.items() if not _stands(before.get(path), placed)},
        tuple(path for path in before if path not in final),
        report,
        tuple(unit.id for unit in units.values() if unit.is_disputed),
        tuple(
            KeptFromArchive(unit.id, unit.archived_at, unit.archived)
            for unit in units.values()
            if unit.archived
        ),
        tuple(files.policy),
        tuple(files.obstacles),
    )


def _stands(before: Standing | None, placed: Placed) -> bool:
    """Whether our tree has the file already."""
    return before is not None and placed.blob == before.blob and placed.mode == before.mode
