"""How much is in a branch: memories and attachments, by type, namespace and folder, with their sizes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from msgspec import Struct

from gitmem.errors import Damaged
from gitmem.flows.wellbeing.measures import Folder, Size
from gitmem.flows.work import Work
from gitmem.git.modes import REGULAR_MODES
from gitmem.git.repository import Repository, TreeEntry
from gitmem.model.place import namespace_of, owner_of, type_of
from gitmem.versions.snapshot import Snapshot

OTHER = "other folders"
"""How memories are counted that stand in no folder of a type; as in `status`."""
MOST_FOLDERS = 20


class Counted(Struct, frozen=True):
    """What stands on a branch at one commit; `unread` are files whose size could not be had, and why."""

    by_type: Mapping[str, Size]
    by_namespace: Mapping[str, Size]
    folders: list[Folder]
    unread: list[str]

    @property
    def size(self) -> Size:
        total = Size()
        for size in self.by_type.values():
            total = total.plus(size)
        return total


def counted(work: Work, snapshot: Snapshot) -> Counted:
    """Everything that `snapshot` has and whoever acts may see. Raises `Damaged` where a tree is not here."""
    by_type: defaultdict[str, Size] = defaultdict(Size)
    by_namespace: defaultdict[str, Size] = defaultdict(Size)
    files: Counter[str] = Counter()
    unread: list[str] = []
    for path, memory, size_bytes in _files(work, snapshot, files, unread):
        size = Size(1, size_bytes) if memory == path else Size(0, 0, 1, size_bytes)
        kind, name = type_name(memory), namespace_name(memory)
        by_type[kind] = by_type[kind].plus(size)
        by_namespace[name] = by_namespace[name].plus(size)
    fullest = sorted(files.items(), key=lambda each: (-each[1], each[0]))
    folders = [Folder(path or ".", count) for path, count in fullest[:MOST_FOLDERS]]
    return Counted(dict(by_type), dict(by_namespace), folders, unread)


def _files(
    work: Work, snapshot: Snapshot, files: Counter[str], unread: list[str]
) -> Iterator[tuple[str, str, int]]:
    """Path, the memory it belongs to, and size of each; counts all files by their folder."""
    if snapshot.commit is None:
        return
    repository, config = work.place.repository, work.place.config
    for entry in repository.walk(snapshot.commit):
        files[entry.path.rpartition("/")[0]] += 1
        owner = owner_of(entry.path) or entry.path
        if entry.mode in REGULAR_MODES and config.is_memory_path(owner):
            yield entry.path, owner, _size_of(repository, entry, unread)


def _size_of(repository: Repository, entry: TreeEntry, unread: list[str]) -> int:
    """In bytes; 0 where the object is not here, which `unread` is told."""
    try:
        return repository.blob_size(entry.oid)
    except Damaged as error:
        unread.append(f"{entry.path}: {error.message}")
        return 0


def type_name(path: str) -> str:
    """The type by whose folder a memory is counted."""
    return str(type_of(path) or OTHER)


def namespace_name(path: str) -> str:
    """Type and namespace of the memory at `path`, joined: `semantic/people/alice`; `.` for the top folder.

    By the id that ends the name of its file, so that no file is read.
    """
    stem = path.rpartition("/")[2].removesuffix(".md")
    namespace = namespace_of(path, stem.rpartition("-")[2])
    kind = type_of(path)
    return "/".join(filter(None, (kind, namespace))) or "."
