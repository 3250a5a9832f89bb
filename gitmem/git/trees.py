"""Trees read by their bytes: one entry, what stands in a folder, and all files below one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from threading import Lock

import pygit2
from msgspec import Struct
from pygit2.enums import ObjectType

from gitmem.errors import Damaged, StoreProblem
from gitmem.git.modes import EXECUTABLE_MODE, FILE_MODE, TREE_MODE
from gitmem.git.names import MAX_DEPTH, MAX_PATH_BYTES, are_suspicious, why_refused
from gitmem.git.objects import read_raw, tree_id_of

EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
MAX_VISITS = 20_000
MAX_REPEATS = 50
"""How often one folder may stand in a commit, and, where there are many, how often each on the average.

A few small trees that name each other make billions of files.
"""
_FEW_FOLDERS = 5_000

RawEntry = tuple[bytes, int, str]
"""Name, mode and hex id, as they stand in a tree."""
Entry = tuple[int, str]
"""Mode and hex id of what stands under a name."""
_ENTRY = re.compile(rb"([0-7]+) ([^\0]*)\0(.{20})", re.DOTALL)
_MODES = {b"%o" % mode: mode for mode in (TREE_MODE, FILE_MODE, EXECUTABLE_MODE)}
_MOST_CACHED_ENTRIES = 40_000
_MOST_CACHED_ROOTS = 1_000


class TreeEntry(Struct, frozen=True):
    """A file in a tree: `path` from the root, id of its blob, and its mode as git writes it."""

    path: str
    oid: str
    mode: int


def decode_path(raw: bytes) -> str:
    """A path as text; bytes that are not UTF-8 become surrogates, so that nothing is lost."""
    return raw.decode("utf-8", "surrogateescape")


def encode_path(path: str) -> bytes:
    """The bytes of a path: the other direction of `decode_path`."""
    return path.encode("utf-8", "surrogateescape")


def read_tree(repo: pygit2.Repository, oid: str) -> list[RawEntry]:
    """The entries of the tree `oid`, in the order of the tree. Raises `Damaged`."""
    if oid == EMPTY_TREE:
        return []
    data = read_raw(repo, oid, ObjectType.TREE)
    found = _ENTRY.findall(data)
    # The pattern passes over what it does not know; then the lengths do not add up.
    if sum([len(mode) + len(name) for mode, name, _ in found]) + 22 * len(found) != len(data):
        raise Damaged(f"tree {oid} is damaged")
    return [(name, _MODES.get(mode) or int(mode, 8), at.hex()) for mode, name, at in found]


class KeptTrees:
    """What trees hold, by their ids, while they are few. Several threads may use it.

    A tree never changes under its id, so what is kept is never stale.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[str, Mapping[bytes, Entry]] = {}
        self._count = 0
        self._doubled: set[str] = set()
        self._roots: dict[str, str] = {}

    def root(self, tree_or_commit: str) -> str | None:
        """The tree of a commit, if it is kept."""
        return self._roots.get(tree_or_commit)

    def keep_root(self, tree_or_commit: str, root: str) -> None:
        """Remember the tree of a commit."""
        with self._lock:
            if len(self._roots) >= _MOST_CACHED_ROOTS:
                self._roots.clear()
            self._roots[tree_or_commit] = root

    def has_doubles(self, oid: str) -> bool:
        """Whether the tree `oid`, which was kept, holds two of one name."""
        return oid in self._doubled

    def entries(self, oid: str) -> Mapping[bytes, Entry] | None:
        """What the tree `oid` holds, if it is kept."""
        return self._kept.get(oid)

    def keep(self, oid: str, entries: Mapping[bytes, Entry], *, has_doubles: bool = False) -> None:
        """Remember what the tree `oid` holds; the oldest make room."""
        with self._lock:
            if has_doubles:
                self._doubled.add(oid)
            if oid in self._kept:
                return
            self._kept[oid] = entries
            self._count += len(entries)
            while self._count > _MOST_CACHED_ENTRIES and len(self._kept) > 1:
                self._count -= len(self._kept.pop(next(iter(self._kept))))

    def clear(self) -> None:
        """Forgets all."""
        with self._lock:
            self._kept.clear()
            self._doubled.clear()
            self._roots.clear()
            self._count = 0


class TreeCache:
    """The trees of one repository, read once and kept while they are few.

    Who looks for damage reads with `read_tree`.
    """

    def __init__(self, repo: pygit2.Repository) -> None:
        self._repo = repo
        self._kept = KeptTrees()

    def share(self, kept: KeptTrees) -> None:
        """Reads trees where `kept` has them, and keeps them there for other handles."""
        self._kept = kept

    def root_of(self, tree_or_commit: str) -> str:
        """The tree of a commit, or the tree itself. Raises `NotFound`, `Damaged`."""
        known = self._kept.root(tree_or_commit)
        if known is None:
            known = tree_id_of(self._repo, tree_or_commit)
            self._kept.keep_root(tree_or_commit, known)
        return known

    def has_doubles(self, oid: str) -> bool:
        """Whether the tree `oid`, whose `entries` were asked for, holds two of one name."""
        return self._kept.has_doubles(oid)

    def entries(self, oid: str) -> Mapping[bytes, Entry]:
        """Mode and id of what stands in the tree `oid`, by name, in the order of the tree."""
        known = self._kept.entries(oid)
        if known is None:
            entries = read_tree(self._repo, oid)
            # Where a crafted tree has two entries of one name, the first counts, as everywhere here.
            known = {name: (mode, at) for name, mode, at in reversed(entries)}
            has_doubles = len(known) != len(entries)
            known = dict(reversed(known.items()))
            self._kept.keep(oid, known, has_doubles=has_doubles)
        return known

    def keep(self, oid: str, entries: Mapping[bytes, Entry]) -> None:
        """Remember what the tree `oid` holds, which was just written."""
        self._kept.keep(oid, entries)


def _readable(repo: pygit2.Repository, oid: str) -> tuple[list[RawEntry], list[tuple[bytes, str]]]:
    """The entries of a tree that may be read, and the names of the others, each with the reason."""
    entries = read_tree(repo, oid)
    names = [name for name, _, _ in entries]
    if not are_suspicious(names) and len(set(names)) == len(names):
        return entries, []
    kept: dict[bytes, RawEntry] = {}
    refused: list[tuple[bytes, str]] = []
    for entry in entries:
        reason = why_refused(entry[0]) or ("a second entry of this name" if entry[0] in kept else None)
        if reason:
            refused.append((entry[0], reason))
        else:
            kept[entry[0]] = entry
    return list(kept.values()), refused


class Visits:
    """Counts how often each folder is met. Raises `StoreProblem` where a tree repeats itself without end."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._total = 0

    def add(self, oid: str) -> None:
        self._total += 1
        self._counts[oid] += 1
        repeats = self._total > _FEW_FOLDERS and self._total > MAX_REPEATS * len(self._counts)
        if repeats or self._counts[oid] > MAX_VISITS:
            raise StoreProblem(
                f"tree {oid} stands in this commit again and again, as in no store of memories",
                hint="it was made to exhaust whoever reads it",
            )


def find_entry(repo: pygit2.Repository, tree_or_commit: str, path: str) -> TreeEntry | None:
    """What stands at `path`, a folder included, or None."""
    return find_entries(repo, tree_or_commit, [path]).get(path)


def find_entries(
    repo: pygit2.Repository, tree_or_commit: str, paths: Sequence[str], cache: TreeCache | None = None
) -> dict[str, TreeEntry]:
    """What stands at each of `paths`, a folder included; each tree on the way is read once."""
    opened = cache or TreeCache(repo)
    root = opened.root_of(tree_or_commit)
    found: dict[str, TreeEntry] = {}
    for path in paths:
        mode, oid = TREE_MODE, root
        names = encode_path(path).split(b"/")
        if any(map(why_refused, names)):
            continue
        for name in names:
            below = opened.entries(oid).get(name) if mode == TREE_MODE else None
            if below is None:
                break
            mode, oid = below
        else:
            found[path] = TreeEntry(path, oid, mode)
    return found


def names_in(
    repo: pygit2.Repository, tree_or_commit: str, folder: str, cache: TreeCache | None = None
) -> Mapping[bytes, Entry]:
    """Mode and id of what stands directly in `folder` ("" is the root), by name; empty where it is none."""
    opened = cache or TreeCache(repo)
    oid = opened.root_of(tree_or_commit)
    if folder:
        found = find_entries(repo, oid, [folder], opened).get(folder)
        if found is None or found.mode != TREE_MODE:
            return {}
        oid = found.oid
    return opened.entries(oid)


def top_names(repo: pygit2.Repository, tree_or_commit: str) -> list[str]:
    """The names in the top folder, files and folders."""
    return [decode_path(name) for name, _, _ in read_tree(repo, tree_id_of(repo, tree_or_commit))]


def walk(
    repo: pygit2.Repository,
    tree_or_commit: str,
    under: str = "",
    *,
    refused: list[tuple[str, str]] | None = None,
) -> Iterator[TreeEntry]:
    """Every file below the folder `under`, of every mode, sorted by the bytes of its path.

    What no worktree can hold is left out; `refused` gets its path and the reason.
    """
    root = tree_id_of(repo, tree_or_commit)
    prefix = encode_path(under.strip("/"))
    if prefix:
        found = find_entry(repo, root, decode_path(prefix))
        if found is None:
            return
        if found.mode != TREE_MODE:
            yield found
            return
        root, prefix = found.oid, prefix + b"/"
    left_out = [] if refused is None else refused
    visits = Visits()
    stack: list[tuple[bytes, Iterator[RawEntry]]] = []

    def enter(folder: bytes, oid: str) -> None:
        visits.add(oid)
        if len(stack) > MAX_DEPTH or len(folder) > MAX_PATH_BYTES:
            left_out.append((decode_path(folder), "it lies too deep"))
            return
        entries, odd = _readable(repo, oid)
        left_out.extend((decode_path(folder + name), reason) for name, reason in odd)
        stack.append((folder, iter(entries)))

    enter(prefix, root)
    while stack:
        folder, entries = stack[-1]
        for name, mode, oid in entries:
            if mode == TREE_MODE:
                enter(folder + name + b"/", oid)
                break
            yield TreeEntry(decode_path(folder + name), oid, mode)
        else:
            stack.pop()
