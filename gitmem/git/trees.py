"""Trees read by their bytes: one entry, all files below a folder, and what differs between two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import pygit2
from pygit2.enums import ObjectType

from gitmem.errors import Damaged
from gitmem.git.objects import read_raw, tree_id_of

TREE_MODE = 0o040000
SYMLINK_MODE = 0o120000
GITLINK_MODE = 0o160000
FILE_MODE = 0o100644
EXECUTABLE_MODE = 0o100755
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

RawEntry = tuple[bytes, int, str]
"""Name, mode and hex id, as they stand in a tree."""


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """A file in a tree: `path` from the root, id of its blob, and its mode as git writes it."""

    path: str
    oid: str
    mode: int


@dataclass(frozen=True, slots=True)
class PathChange:
    """A path that differs between two trees; None on the side where nothing is."""

    path: str
    old: TreeEntry | None
    new: TreeEntry | None


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
    entries: list[RawEntry] = []
    at, end = 0, len(data)
    try:
        while at < end:
            space = data.index(b" ", at)
            stop = data.index(b"\0", space)
            if stop + 21 > end:
                raise ValueError("cut off")
            entries.append((data[space + 1 : stop], int(data[at:space], 8), data[stop + 1 : stop + 21].hex()))
            at = stop + 21
    except ValueError as error:
        raise Damaged(f"tree {oid} is damaged") from error
    return entries


def find_entry(repo: pygit2.Repository, tree_or_commit: str, path: str) -> TreeEntry | None:
    """What stands at `path`, a folder included, or None."""
    return find_entries(repo, tree_or_commit, [path]).get(path)


def find_entries(repo: pygit2.Repository, tree_or_commit: str, paths: Sequence[str]) -> dict[str, TreeEntry]:
    """What stands at each of `paths`, a folder included; each tree on the way is read once."""
    root = tree_id_of(repo, tree_or_commit)
    opened: dict[str, dict[bytes, tuple[int, str]]] = {}
    found: dict[str, TreeEntry] = {}
    for path in paths:
        mode, oid = TREE_MODE, root
        for name in encode_path(path).split(b"/"):
            if mode == TREE_MODE and oid not in opened:
                opened[oid] = {name: (mode, at) for name, mode, at in read_tree(repo, oid)}
            below = opened[oid].get(name) if mode == TREE_MODE else None
            if below is None:
                break
            mode, oid = below
        else:
            found[path] = TreeEntry(path, oid, mode)
    return found


def top_names(repo: pygit2.Repository, tree_or_commit: str) -> list[str]:
    """The names in the top folder, files and folders."""
    return [decode_path(name) for name, _, _ in read_tree(repo, tree_id_of(repo, tree_or_commit))]


def walk(repo: pygit2.Repository, tree_or_commit: str, under: str = "") -> Iterator[TreeEntry]:
    """Every file below the folder `under`, of every mode, sorted by the bytes of its path."""
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
    stack: list[tuple[bytes, Iterator[RawEntry]]] = [(prefix, iter(read_tree(repo, root)))]
    while stack:
        folder, entries = stack[-1]
        for name, mode, oid in entries:
            if mode == TREE_MODE:
                stack.append((folder + name + b"/", iter(read_tree(repo, oid))))
                break
            yield TreeEntry(decode_path(folder + name), oid, mode)
        else:
            stack.pop()


def diff_trees(repo: pygit2.Repository, old: str | None, new: str | None) -> list[PathChange]:
    """The files that differ between two commits or trees, sorted by path; equal folders are not read."""
    sides = [None if side is None else tree_id_of(repo, side) for side in (old, new)]
    changes: list[PathChange] = []
    stack: list[tuple[bytes, str | None, str | None]] = [(b"", sides[0], sides[1])]
    while stack:
        folder, left_id, right_id = stack.pop()
        if left_id == right_id:
            continue
        left = {} if left_id is None else {entry[0]: entry for entry in read_tree(repo, left_id)}
        right = {} if right_id is None else {entry[0]: entry for entry in read_tree(repo, right_id)}
        for name in left.keys() | right.keys():
            before, after = left.get(name), right.get(name)
            if before == after:
                continue
            path = folder + name
            old_tree, old_file = _split(path, before)
            new_tree, new_file = _split(path, after)
            if old_tree != new_tree:
                stack.append((path + b"/", old_tree, new_tree))
            if old_file != new_file:
                changes.append(PathChange(decode_path(path), old_file, new_file))
    changes.sort(key=lambda change: encode_path(change.path))
    return changes


def _split(path: bytes, entry: RawEntry | None) -> tuple[str | None, TreeEntry | None]:
    """The id where `entry` is a folder, the file where it is one."""
    if entry is None:
        return None, None
    _, mode, oid = entry
    return (oid, None) if mode == TREE_MODE else (None, TreeEntry(decode_path(path), oid, mode))
