"""A tree changed at some paths, as a new tree; only the folders on those paths are read and written."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import pygit2
from pygit2.enums import ObjectType

from gitmem.errors import BadInput, Conflict
from gitmem.git.objects import tree_id_of, write_object
from gitmem.git.repository import Repository
from gitmem.git.trees import EXECUTABLE_MODE, FILE_MODE, TREE_MODE, decode_path, encode_path, read_tree

_DEEPEST_PATH = 200
# Invisible on HFS+, so `.g\u200cit` would be `.git` there.
_IGNORED_BY_HFS = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF], None
)


def tree_with(
    repo: Repository,
    base_tree: str | None,
    changes: Mapping[str, str | None],
    *,
    executable: Collection[str] = (),
) -> str:
    """The id of `base_tree` (a tree, a commit, or None for nothing) with each path set to a blob or removed.

    Only touched folders are written; emptied ones vanish; removing what is not there changes nothing. The
    mode of a file stays, new ones get 100755 where they are in `executable`, else 100644. Raises `Conflict`
    where a file and a folder would share a name, and `BadInput` for a path that no repository may hold.
    """
    root = _Folder(repo.raw, None if base_tree is None else tree_id_of(repo.raw, base_tree))
    parted = {path: _parts(path) for path in changes}
    # Removals first: a file may make way for a folder of its name, and the other way round.
    for path, blob in changes.items():
        if blob is None:
            root.remove(parted[path])
    for path, blob in changes.items():
        if blob is not None:
            root.put(parted[path], blob, path, EXECUTABLE_MODE if path in executable else FILE_MODE)
    return root.write() or write_object(repo.raw, ObjectType.TREE, b"")


def is_allowed_name(name: str) -> bool:
    """Whether git on every system may have a file of this name: not `.git` in any of its disguises."""
    if name in ("", ".", "..") or "\0" in name:
        return False
    plain = name.translate(_IGNORED_BY_HFS).casefold().partition(":")[0].rstrip(". ")
    return plain not in (".git", "git~1") and "\\" not in name


def _parts(path: str) -> list[bytes]:
    names = path.split("/")
    if len(names) > _DEEPEST_PATH or not all(map(is_allowed_name, names)):
        raise BadInput(f"{path!r} cannot be a path in a repository", field="path")
    return [encode_path(name) for name in names]


class _Folder:
    """One folder while it is changed: the entries of its tree, and the folders below that were opened."""

    def __init__(self, repo: pygit2.Repository, oid: str | None) -> None:
        self._repo = repo
        self._oid = oid
        self._entries = {} if oid is None else {name: (mode, at) for name, mode, at in read_tree(repo, oid)}
        self._opened: dict[bytes, _Folder] = {}
        self._is_changed = oid is None

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
            self._is_changed = True

    def put(self, parts: list[bytes], blob: str, path: str, new_mode: int) -> None:
        """Let the file of these parts be `blob`; one that was not there before gets `new_mode`."""
        name = parts[0]
        mode, oid = self._entries.get(name, (0, ""))
        if len(parts) > 1:
            if mode not in (0, TREE_MODE):
                raise Conflict(f"{path}: {_above(path, parts)} is a file, so nothing can be put below it")
            self._open(name).put(parts[1:], blob, path, new_mode)
            return
        if mode == TREE_MODE:
            raise Conflict(f"{path} is a folder, so no file can have this name")
        if mode not in (0,) and mode & 0o170000 != 0o100000:
            raise Conflict(f"{path} is a symbolic link or a submodule, and stays one")
        new = (EXECUTABLE_MODE if (mode or new_mode) & 0o100 else FILE_MODE, blob)
        if (mode, oid) != new:
            self._entries[name] = new
            self._is_changed = True

    def write(self) -> str | None:
        """The id of the tree, written if it changed, or None when nothing is in it."""
        for name, below in self._opened.items():
            oid = below.write()
            if oid is None:
                self._entries.pop(name, None)
                self._is_changed = True
            elif self._entries[name] != (TREE_MODE, oid):
                self._entries[name] = (TREE_MODE, oid)
                self._is_changed = True
        if not self._entries:
            return None
        if not self._is_changed and self._oid is not None:
            return self._oid
        ordered = sorted(
            self._entries.items(), key=lambda item: item[0] + (b"/" if item[1][0] == TREE_MODE else b"")
        )
        data = b"".join(b"%o %b\0%b" % (mode, name, bytes.fromhex(oid)) for name, (mode, oid) in ordered)
        return write_object(self._repo, ObjectType.TREE, data)

    def _open(self, name: bytes) -> _Folder:
        below = self._opened.get(name)
        if below is None:
            mode, oid = self._entries.get(name, (0, ""))
            below = self._opened[name] = _Folder(self._repo, oid if mode else None)
            self._entries.setdefault(name, (TREE_MODE, ""))
        return below

    def _close_if_empty(self, name: bytes, below: _Folder) -> None:
        if not below._entries:
            del self._opened[name], self._entries[name]
            self._is_changed = True


def _above(path: str, parts: list[bytes]) -> str:
    return decode_path(b"/".join(encode_path(path).split(b"/")[: -len(parts) + 1]))
