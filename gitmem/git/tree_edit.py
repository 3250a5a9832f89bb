"""A tree changed at some paths, as a new tree; only the folders on those paths are read and written."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator, Mapping

from gitmem.errors import BadInput, Conflict, Damaged
from gitmem.git.modes import EXECUTABLE_MODE, FILE_MODE, TREE_MODE
from gitmem.git.names import MAX_DEPTH, why_refused
from gitmem.git.objects import tree_id_of
from gitmem.git.packs import LooseObjects, ObjectWriter
from gitmem.git.repository import Repository
from gitmem.git.trees import TreeCache, decode_path, encode_path


def tree_with(
    repo: Repository,
    base_tree: str | None,
    changes: Mapping[str, str | None],
    objects: ObjectWriter | None = None,
    *,
    modes: Mapping[str, int] | None = None,
) -> str:
    """The id of `base_tree` (a tree, a commit, or None for nothing) with each path set to a blob or removed.

    Only touched folders are written; emptied ones vanish; removing what is not there changes nothing. The
    mode of a file stays, new files get 100644, unless `modes` says otherwise. Raises `Conflict` where a file
    and a folder would share a name, and `BadInput` for a path that no repository may hold. `objects` takes
    the new trees; without it they are loose.
    """
    return TreeEdit(repo, base_tree, objects or LooseObjects(repo)).tree_with(changes, modes=modes)


class TreeEdit:
    """A tree that is changed step by step, each step giving a tree; `tree_with` tells what a step does.

    What a step writes need not be in the repository yet when the next one goes on from it.
    """

    def __init__(self, repo: Repository, base_tree: str | None, objects: ObjectWriter) -> None:
        self._objects = objects
        base = None if base_tree is None else tree_id_of(repo.raw, base_tree)
        self._root = _Folder(objects, repo.trees, base)

    def tree_with(self, changes: Mapping[str, str | None], *, modes: Mapping[str, int] | None = None) -> str:
        """The id of the tree after these changes."""
        parted = {path: _parts(path) for path in changes}
        # Removals first: a file may make way for a folder of its name, and the other way round.
        for path, blob in changes.items():
            if blob is None:
                self._root.remove(parted[path])
        for path, blob in changes.items():
            if blob is not None:
                self._root.put(parted[path], blob, path, (modes or {}).get(path))
        return self._root.write() or self._objects.tree(b"")


def _parts(path: str) -> list[bytes]:
    names = encode_path(path).split(b"/")
    if len(names) > MAX_DEPTH or any(map(why_refused, names)):
        raise BadInput(f"{path!r} cannot be a path in a repository", field="path")
    return names


class _Folder:
    """One folder while it is changed: the entries of its tree, and the folders below that were opened.

    Once it was written, its lines are kept, so that the next write makes only those that changed since.
    """

    def __init__(self, objects: ObjectWriter, cache: TreeCache, oid: str | None) -> None:
        self._objects = objects
        self._cache = cache
        self._oid = oid
        self._entries = {} if oid is None else dict(cache.entries(oid))
        if oid is not None and cache.has_doubles(oid):
            raise Damaged(f"tree {oid} holds two entries of one name, so it cannot be changed")
        self._opened: dict[bytes, _Folder] = {}
        self._touched: set[bytes] = set()
        """Names that may have changed since the last write."""
        self._is_changed = oid is None
        self._lines: _Lines | None = None

    def remove(self, parts: list[bytes]) -> None:
        """Take a file out, if it is there."""
        name = parts[0]
        mode, _ = self._entries.get(name, (0, ""))
        if len(parts) > 1:
            if mode == TREE_MODE:
                below = self._open(name)
                below.remove(parts[1:])
                self._close_if_empty(name, below)
        elif mode not in (0, TREE_MODE):
            del self._entries[name]
            self._change(name)

    def put(self, parts: list[bytes], blob: str, path: str, wanted: int | None = None) -> None:
        """Let the file of these parts be `blob`, with the mode that is `wanted`."""
        name = parts[0]
        mode, oid = self._entries.get(name, (0, ""))
        if len(parts) > 1:
            if mode not in (0, TREE_MODE):
                raise Conflict(f"{path}: {_above(path, parts)} is a file, so nothing can be put below it")
            self._open(name).put(parts[1:], blob, path, wanted)
            return
        if mode == TREE_MODE:
            raise Conflict(f"{path} is a folder, so no file can have this name")
        if mode not in (0,) and mode & 0o170000 != 0o100000:
            raise Conflict(f"{path} is a symbolic link or a submodule, and stays one")
        is_executable = bool((mode if wanted is None else wanted) & 0o100)
        new = (EXECUTABLE_MODE if is_executable else FILE_MODE, blob)
        if (mode, oid) != new:
            self._entries[name] = new
            self._change(name)

    def write(self) -> str | None:
        """The id of the tree, written if it changed, or None when nothing is in it."""
        for name in [name for name in self._touched if name in self._opened]:
            oid = self._opened[name].write()
            if oid is None:
                self._entries.pop(name, None)
                self._is_changed = True
            elif self._entries[name] != (TREE_MODE, oid):
                self._entries[name] = (TREE_MODE, oid)
                self._is_changed = True
        if not self._entries:
            return None
        if not self._is_changed and self._oid is not None:
            self._touched.clear()
            return self._oid
        if self._lines is None:
            self._lines = _Lines(self._entries)
        else:
            self._lines.update(self._entries, self._touched)
        written = self._objects.tree(self._lines.data())
        self._cache.keep(written, {name: self._entries[name] for name in self._lines.names()})
        self._oid, self._is_changed = written, False
        self._touched.clear()
        return written

    def _change(self, name: bytes) -> None:
        self._touched.add(name)
        self._is_changed = True

    def _open(self, name: bytes) -> _Folder:
        self._touched.add(name)
        below = self._opened.get(name)
        if below is None:
            mode, oid = self._entries.get(name, (0, ""))
            below = self._opened[name] = _Folder(self._objects, self._cache, oid if mode else None)
            self._entries.setdefault(name, (TREE_MODE, ""))
        return below

    def _close_if_empty(self, name: bytes, below: _Folder) -> None:
        if not below._entries:
            del self._opened[name], self._entries[name]
            self._change(name)


class _Lines:
    """The entries of a tree as they are stored, in git's order: a folder sorts as if it ended in a slash."""

    def __init__(self, entries: Mapping[bytes, tuple[int, str]]) -> None:
        # Nearly all are plain files, and there may be hundreds, so those are made in place.
        self._of: dict[bytes, tuple[bytes, bytes]] = {
            name: (name, b"100644 %b\0%b" % (name, bytes.fromhex(oid)))
            if mode == FILE_MODE
            else _line(name, mode, oid)
            for name, (mode, oid) in entries.items()
        }
        """By name: what it sorts by, and its line."""
        self._order = sorted((key, name) for name, (key, _) in self._of.items())

    def update(self, entries: Mapping[bytes, tuple[int, str]], names: Iterable[bytes]) -> None:
        """Makes the lines of `names` anew; those without an entry go."""
        for name in names:
            before = self._of.pop(name, None)
            if before is not None:
                del self._order[bisect_left(self._order, (before[0], name))]
            if name in entries:
                self._of[name] = _line(name, *entries[name])
                insort(self._order, (self._of[name][0], name))

    def names(self) -> Iterator[bytes]:
        """The names in order."""
        return (name for _, name in self._order)

    def data(self) -> bytes:
        """The tree as it is stored."""
        return b"".join([self._of[name][1] for _, name in self._order])


def _line(name: bytes, mode: int, oid: str) -> tuple[bytes, bytes]:
    key = name + (b"/" if mode == TREE_MODE else b"")
    return key, b"%o %b\0%b" % (mode, name, bytes.fromhex(oid))


def _above(path: str, parts: list[bytes]) -> str:
    return decode_path(b"/".join(encode_path(path).split(b"/")[: -len(parts) + 1]))
